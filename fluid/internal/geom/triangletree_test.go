package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// torus is a closed mesh of 2·n·n faces, and not convex.
func torus(n int) (vs []r3.Vec, faces [][3]int32) {
	for i := range n {
		for j := range n {
			u, v := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(n)
			r := 2 + math.Cos(v)
			vs = append(vs, r3.Vec{X: r * math.Cos(u), Y: r * math.Sin(u), Z: math.Sin(v)})
			at := func(i, j int) int32 { return int32(i%n*n + j%n) }
			faces = append(faces, [3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return vs, faces
}

// TestTriangleTree holds the tree's answers against sums over every face.
func TestTriangleTree(t *testing.T) {
	vs, faces := torus(40)
	open := faces[:len(faces)-300]
	tr := NewTriangleTree(vs, open)
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 400 {
		p := r3.Vec{X: 8*rng.Float64() - 4, Y: 8*rng.Float64() - 4, Z: 4*rng.Float64() - 2}
		w, d2 := 0.0, math.Inf(1)
		for i := range tr.tris {
			w += tr.tris[i].SolidAngle(p) / (4 * math.Pi)
			_, away := tr.tris[i].Nearest(&p)
			d2 = min(d2, reproducible.Norm2(away))
		}
		if got := tr.Distance2(p, math.Inf(1)); got != d2 {
			t.Fatalf("squared distance %v at %v, want %v", got, p, d2)
		}
		worst = max(worst, math.Abs(tr.WindingNumber(p, -1)-w))
	}
	t.Logf("winding number off by at most %.2g", worst)
	if worst > 0.02 {
		t.Errorf("winding number is off by %v, want ≤ 0.02", worst)
	}
}

// TestTriangleDistance holds the closest point against a search over the triangle.
func TestTriangleDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	random := func() r3.Vec { return r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()} }
	for range 100 {
		a, b, c, p := random(), random(), random(), r3.Scale(2, random())
		ab, ac := r3.Sub(b, a), r3.Sub(c, a)
		f := NewTriangle(a, b, c)
		_, away := f.Nearest(&p)
		got := r3.Norm(away)
		best := math.Inf(1)
		const n = 60
		for i := range n + 1 {
			for j := range n + 1 - i {
				q := r3.Add(a, r3.Add(r3.Scale(float64(i)/n, ab), r3.Scale(float64(j)/n, ac)))
				best = min(best, r3.Norm(r3.Sub(p, q)))
			}
		}
		side := math.Sqrt(max(f.ABAB, f.ACAC, r3.Norm2(r3.Sub(b, c))))
		if got > best+1e-12 || best > got+side/n {
			t.Errorf("distance %v, by search %v", got, best)
		}
	}
}

func TestTriangleTreeOfOnePointIsShallow(t *testing.T) {
	vs := []r3.Vec{{}, {X: 1}, {Y: 1}}
	faces := make([][3]int32, 5000) // all centres alike: only the median can split
	for i := range faces {
		faces[i] = [3]int32{0, 1, 2}
	}
	if got := NewTriangleTree(vs, faces).Distance2(r3.Vec{Z: 2}, math.Inf(1)); got != 4 {
		t.Errorf("squared distance %v, want 4", got)
	}
}

func TestTriangleTreeDepthIsBounded(t *testing.T) {
	var vs []r3.Vec
	var faces [][3]int32
	for i := range 3000 { // sizes fall off faster than any split by cost can follow
		s := math.Pow(0.97, float64(i))
		vs = append(vs, r3.Vec{X: s}, r3.Vec{X: s, Y: 0.01 * s}, r3.Vec{X: s, Z: 0.01 * s})
		faces = append(faces, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
	}
	tr := NewTriangleTree(vs, faces)
	var depth func(at int32) int
	depth = func(at int32) int {
		if r := tr.nodes[at].right; r != 0 {
			return 1 + max(depth(at+1), depth(r))
		}
		return 0
	}
	if d := depth(0); d >= stackSize {
		t.Errorf("depth %d, want < %d", d, stackSize)
	}
}

// From edges, corners and faces, and along faces, no ray is sure.
func TestTurnKnowsWhenItIsNotSure(t *testing.T) {
	f := NewTriangle(r3.Vec{}, r3.Vec{X: 1}, r3.Vec{Y: 1})
	for _, c := range []struct {
		from, dir r3.Vec
		turn      int
		sure      bool
	}{
		{r3.Vec{X: .2, Y: .2, Z: -1}, r3.Vec{Z: 1}, 1, true},
		{r3.Vec{X: .2, Y: .2, Z: 1}, r3.Vec{Z: -1}, -1, true},
		{r3.Vec{X: .2, Y: .2, Z: 1}, r3.Vec{Z: 1}, 0, true},
		{r3.Vec{X: 2, Y: .2, Z: -1}, r3.Vec{Z: 1}, 0, true},
		{r3.Vec{X: .2, Y: .2}, r3.Vec{Z: 1}, 1, false},
		{r3.Vec{X: .5, Y: .5, Z: -1}, r3.Vec{Z: 1}, 1, false},
		{r3.Vec{Z: -1}, r3.Vec{Z: 1}, 1, false},
		{r3.Vec{X: -1, Y: .2}, r3.Vec{X: 1}, 0, false},
	} {
		turn, sure := f.Turn(c.from, c.dir)
		if sure != c.sure || sure && turn != c.turn {
			t.Errorf("from %v along %v: %d, %v; want %d, %v", c.from, c.dir, turn, sure, c.turn, c.sure)
		}
	}
}
