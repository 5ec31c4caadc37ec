package trimesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// A ball has no roughness, however unevenly its vertices lie on it; one vertex that is beside it goes back, and a cube's edges stay.
func TestRoughness(t *testing.T) {
	m := meshOf(icosphere(r3.Vec{}, 1, 8))
	rng := rand.New(rand.NewPCG(1, 2))
	deform(m, func(x r3.Vec) r3.Vec {
		by := r3.Scale(.05, r3.Vec{X: rng.Float64() - .5, Y: rng.Float64() - .5, Z: rng.Float64() - .5})
		return r3.Unit(r3.Add(x, by))
	})
	var r Roughness
	r.Find(nil, m)
	for v, off := range r.Offset {
		if !(math.Abs(off) < 1e-12) {
			t.Fatalf("vertex %d of a ball is %g beside it", v, off)
		}
	}
	const by = 1e-3
	m.Move(100, r3.Scale(1+by, m.Position[100]))
	r.Find(nil, m)
	if off := r.Offset[100]; !(off < -.5*by && off > -1.5*by) {
		t.Errorf("a vertex that is %g out of a ball is to move by %g", by, off)
	}
	m = meshOf(cuboid(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1}, [3]int{4, 4, 4}))
	r.Find(nil, m)
	for v, x := range m.Position {
		edge := 0
		for _, c := range [3]float64{x.X, x.Y, x.Z} {
			if c == 0 || c == 1 {
				edge++
			}
		}
		if edge > 1 && r.Offset[v] != 0 {
			t.Errorf("vertex %v at an edge of a cube is to move by %g", x, r.Offset[v])
		}
	}
}
