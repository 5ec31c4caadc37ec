package trimesh

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// randomStart is a thin plate, a sphere, or a tube that crossed itself and was repaired.
func randomStart(t *testing.T, rng *rand.Rand, r *Rebuilder, l Lattice) *Mesh {
	t.Helper()
	switch rng.IntN(3) {
	case 0:
		return boxMesh(r3.Vec{X: -1, Y: -1, Z: -0.02}, r3.Vec{X: 1, Y: 1, Z: 0.02}, 1+rng.IntN(12))
	case 1:
		return cubeSphere(r3.Vec{}, 1, 6)
	}
	m := eight(40, 8).mesh(0)
	if _, err := r.Repair(m, l, 0); err != nil {
		t.Fatal(err)
	}
	return m
}

// Unions, differences, and vertices that are moved so that a repair is needed, on the same lattice and without improving the mesh: nothing fails, and no triangles meet.
func TestRebuilderFuzz(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 5
	}
	var r Rebuilder
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 2))
		l := Lattice{H: 0.12 + 0.1*rng.Float64()}
		m := randomStart(t, rng, &r, l)
		for step := range 8 {
			var err error
			f, box := randomShape(rng)
			switch kind := rng.IntN(5); {
			case kind < 2:
				_, err = r.Union(m, l, box, batches(f), 0)
			case kind < 4:
				_, err = r.Subtract(m, l, box, batches(f), 0)
			default:
				for v := range m.Position {
					if len(m.VertexTriangles[v]) > 0 && rng.IntN(4) == 0 {
						m.Move(int32(v), r3.Add(m.Position[v], r3.Vec{X: 0.03 * rng.NormFloat64(), Y: 0.03 * rng.NormFloat64(), Z: 0.03 * rng.NormFloat64()}))
					}
				}
				_, err = r.Repair(m, l, 0)
			}
			if err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
			if err := m.Check(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
		}
	}
}
