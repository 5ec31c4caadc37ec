package meshsdf

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
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

// TestTreeAgreesWithAllFaces holds the tree's answers against sums over every face.
func TestTreeAgreesWithAllFaces(t *testing.T) {
	vs, faces := torus(40)
	open := faces[:len(faces)-300]
	tr := newTree(vs, open)
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 400 {
		p := r3.Vec{X: 8*rng.Float64() - 4, Y: 8*rng.Float64() - 4, Z: 4*rng.Float64() - 2}
		w, d2 := 0.0, math.Inf(1)
		for i := range tr.tris {
			w += tr.tris[i].solidAngle(p) / (4 * math.Pi)
			d2 = min(d2, tr.tris[i].distance2(p))
		}
		if got := tr.closest2(p, math.Inf(1)); got != d2 {
			t.Fatalf("squared distance %v at %v, want %v", got, p, d2)
		}
		worst = max(worst, math.Abs(tr.windingNumber(p, -1)-w))
	}
	t.Logf("winding number off by at most %.2g", worst)
	if worst > 0.02 {
		t.Errorf("winding number is off by %v, want ≤ 0.02, the slack of classify", worst)
	}
}

// TestTriangleDistance holds the closest point against a search over the triangle.
func TestTriangleDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	random := func() r3.Vec { return r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()} }
	for range 100 {
		a, b, c, p := random(), random(), random(), r3.Scale(2, random())
		ab, ac := r3.Sub(b, a), r3.Sub(c, a)
		f := tri{a, ab, ac, r3.Dot(ab, ab), r3.Dot(ab, ac), r3.Dot(ac, ac)}
		got := math.Sqrt(f.distance2(p))
		best := math.Inf(1)
		const n = 60
		for i := range n + 1 {
			for j := range n + 1 - i {
				q := r3.Add(a, r3.Add(r3.Scale(float64(i)/n, ab), r3.Scale(float64(j)/n, ac)))
				best = min(best, r3.Norm(r3.Sub(p, q)))
			}
		}
		side := math.Sqrt(max(f.abab, f.acac, r3.Norm2(r3.Sub(b, c))))
		if got > best+1e-12 || best > got+side/n {
			t.Errorf("distance %v, by search %v", got, best)
		}
	}
}

func TestTreeOfOnePointIsShallow(t *testing.T) {
	vs := []r3.Vec{{}, {X: 1}, {Y: 1}}
	faces := make([][3]int32, 5000) // all centres alike: only the median can split
	for i := range faces {
		faces[i] = [3]int32{0, 1, 2}
	}
	if got := newTree(vs, faces).closest2(r3.Vec{Z: 2}, math.Inf(1)); got != 4 {
		t.Errorf("squared distance %v, want 4", got)
	}
}

func TestTreeDepthIsBounded(t *testing.T) {
	var vs []r3.Vec
	var faces [][3]int32
	for i := range 3000 { // sizes fall off faster than any split by cost can follow
		s := math.Pow(0.97, float64(i))
		vs = append(vs, r3.Vec{X: s}, r3.Vec{X: s, Y: 0.01 * s}, r3.Vec{X: s, Z: 0.01 * s})
		faces = append(faces, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
	}
	tr := newTree(vs, faces)
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

func TestWeldIsInOrderOfFirstUse(t *testing.T) {
	vs := []r3.Vec{{X: 9}, {X: 1}, {X: 1 + 1e-7}, {Y: 1}, {Z: 1}, {X: 1 - 1e-7}}
	m := &mesh{tol: 1e-6}
	m.weld(vs, [][3]int32{{2, 3, 4}, {1, 3, 4}, {5, 4, 3}, {1, 2, 3}})
	want := [][3]int32{{0, 1, 2}, {0, 1, 2}, {0, 2, 1}}
	if len(m.verts) != 3 || len(m.faces) != 3 || m.faces[0] != want[0] || m.faces[1] != want[1] || m.faces[2] != want[2] {
		t.Errorf("%v over %v, want %v over 3 vertices", m.faces, m.verts, want)
	}
	m.dropRepeated()
	if len(m.faces) != 1 {
		t.Errorf("%d faces after dropping the repeated, want 1", len(m.faces))
	}
}

func TestNewIsDeterministic(t *testing.T) {
	vs, faces := torus(20)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range faces {
		if rng.IntN(3) == 0 {
			faces[i][0], faces[i][1] = faces[i][1], faces[i][0]
		}
	}
	var first *Solid
	for range 3 {
		s, err := New(vs, faces[4:], 0.2)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s
		}
		p := r3.Vec{X: 1.9, Y: 0.3, Z: 0.2}
		if s.volume != first.volume || s.open != first.open || s.windingAt(p) != first.windingAt(p) {
			t.Errorf("volume %v, open %v, then %v, %v", first.volume, first.open, s.volume, s.open)
		}
	}
}
