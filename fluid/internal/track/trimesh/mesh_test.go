package trimesh

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// octahedron is a closed surface of eight triangles around the origin.
func octahedron() (m Mesh) {
	m.Set([]r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}, [][3]int32{
		{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5},
	}, 0)
	return m
}

// The tables agree with the triangles, whatever is removed, added and compacted.
func TestTables(t *testing.T) {
	m := octahedron()
	if m.Vertices() != 6 || m.Edges() != 12 || m.Triangles() != 8 {
		t.Fatalf("%d vertices, %d edges, %d triangles", m.Vertices(), m.Edges(), m.Triangles())
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		if k := rng.Int32N(int32(len(m.Triangle))); m.Triangle[k][0] != Gone && m.Triangles() > 4 && rng.IntN(2) == 0 {
			m.RemoveTriangle(k)
		} else {
			v := [3]int32{rng.Int32N(int32(len(m.Position))), rng.Int32N(int32(len(m.Position))), m.AddVertex(r3.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}, 7)}
			if v[0] != v[1] {
				m.AddTriangle(v[0], v[1], v[2], 0)
			}
		}
		if i%100 == 99 {
			triangles := m.Triangles()
			m.Compact()
			if m.Triangles() != triangles || len(m.Triangle) != triangles {
				t.Fatalf("%d triangles of %d are left", m.Triangles(), triangles)
			}
		}
		if err := m.checkTables(); err != nil {
			t.Fatalf("operation %d: %v", i, err)
		}
	}
}
