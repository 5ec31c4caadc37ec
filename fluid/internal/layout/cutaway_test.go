package layout

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// area is the sum of the faces' area vectors, m², and normal the unit one of a face.
func area(f *query.CellFace) (sum r3.Vec) {
	for k := 2; k < f.Count; k++ {
		sum = r3.Add(sum, r3.Scale(.5, r3.Cross(r3.Sub(f.Corners[k-1], f.Corners[0]), r3.Sub(f.Corners[k], f.Corners[0]))))
	}
	return sum
}

// A cut bares each part of the domain once: whatever its slope and the cells' sizes, the faces' projection along any axis that the cut crosses once covers
// the domain's section. Each face lies between a cell behind and one in front, and looks to the front.
func TestCutAwayBaresEachPlaceOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for seed := range uint64(12) {
		g := mixed([3]int{4, 3, 5}, seed)
		whole := g.Whole()
		size := whole.Size()
		plane, err := query.NewPlane(r3.Add(whole.Center(), r3.Vec{X: .3 * r.Float64(), Y: .3 * r.Float64(), Z: .3 * r.Float64()}), r3.Vec{X: r.Float64() - .5, Y: 8 * r.Float64(), Z: r.Float64() - .5})
		if err != nil {
			t.Fatal(err)
		}
		if plane.Normal.Y < .97 { // it would leave through the sides
			plane.Normal = r3.Unit(r3.Vec{X: .05, Y: 1, Z: -.08})
		}
		faces := g.AppendCutAway(nil, plane, whole, func(int32) bool { return true })
		var sum r3.Vec
		for i := range faces {
			f := &faces[i]
			n := area(f)
			sum = r3.Add(sum, n)
			middle := r3.Scale(.5, r3.Add(f.Corners[0], f.Corners[2]))
			edge := math.Sqrt(r3.Norm(n))
			if f.Count != 4 || !f.Wet || math.Abs(edge/.1-math.Round(edge/.1)) > 1e-9 {
				t.Fatalf("seed %d: face %+v", seed, f)
			}
			in, out := g.cellBeside(middle, r3.Scale(-1, n)), g.cellBeside(middle, n)
			if plane.Distance(g.middle(&in)) > 0 || plane.Distance(g.middle(&out)) <= 0 {
				t.Fatalf("seed %d: the face at %v lies between %v and %v", seed, middle, g.middle(&in), g.middle(&out))
			}
			if f.Level != MaxLevel-int(in.level) {
				t.Errorf("seed %d: level %d of a cell of level %d", seed, f.Level, in.level)
			}
		}
		if want := size.X * size.Z; math.Abs(sum.Y-want) > 1e-9*want {
			t.Errorf("seed %d: the faces cover %.4f m² of %.4f", seed, sum.Y, want)
		}
	}
}

// cellBeside is the cell a little along n from a place.
func (g *Grid) cellBeside(x, n r3.Vec) cube {
	p := r3.Add(x, r3.Scale(.01*g.H/r3.Norm(n), n))
	c, ok := g.cubeAt([3]int{int((p.X - g.Origin[0]) / g.H), int((p.Y - g.Origin[1]) / g.H), int((p.Z - g.Origin[2]) / g.H)})
	if !ok {
		panic("layout: beyond the grid")
	}
	return c
}

// A plane along two axes bares squares in one plane, of one size where the cells are; what is beyond the domain is not there, and who is wet is told by
// the cell.
func TestCutAwayAlongAxes(t *testing.T) {
	g := New([3]float64{-1, 2, .5}, .1, [3]int{2, 2, 2}, MaxLevel)
	domain := r3.Box{Min: r3.Vec{X: -1, Y: 2, Z: .5}, Max: r3.Vec{X: .2, Y: 3.6, Z: 1.5}}
	plane, err := query.NewPlane(r3.Vec{Y: 2.8}, r3.Vec{Y: 3})
	if err != nil {
		t.Fatal(err)
	}
	asked := map[int32]bool{}
	faces := g.AppendCutAway(nil, plane, domain, func(c int32) bool {
		asked[c] = true
		return c%2 == 0
	})
	if len(faces) != 12*10 || len(asked) != 120 {
		t.Fatalf("%d faces of %d cells", len(faces), len(asked))
	}
	wet := 0
	for _, f := range faces {
		for _, p := range f.Corners {
			if math.Abs(p.Y-2.8) > 1e-12 || !boxes.Contains(boxes.Grown(domain, 1e-9), p) {
				t.Fatalf("corner %v", p)
			}
		}
		if f.Wet {
			wet++
		}
	}
	if wet != 60 {
		t.Errorf("%d wet", wet)
	}
	if far, _ := query.NewPlane(r3.Vec{Y: 9}, r3.Vec{Y: 1}); len(g.AppendCutAway(nil, far, domain, nil)) != 0 {
		t.Error("a plane beyond the domain cuts cells")
	}
}
