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
