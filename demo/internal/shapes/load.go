package shapes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// Load reads a closed mesh from an OBJ file and sets it on y = 0 above the origin, with the given height, m. Vertices
// that no face names are left out. It is an error if the file can't be read, if what it holds is not closed, connected
// and manifold, and if the height is not more than 0.
func Load(path string, height float64) (Mesh, error) {
	if !(height > 0) || math.IsInf(height, 0) {
		return Mesh{}, fmt.Errorf("shapes: Load: height: %g m; must be finite and more than 0", height)
	}
	positions, triangles, err := adapter.LoadMesh(path)
	if err != nil {
		return Mesh{}, fmt.Errorf("shapes: Load: %w", err)
	}
	m := used(positions, triangles)
	if err := m.Check(); err != nil {
		return Mesh{}, fmt.Errorf("shapes: Load: %s: %w", path, err)
	}
	if box := m.Bounds(); !(box.Max.Y > box.Min.Y) {
		return Mesh{}, fmt.Errorf("shapes: Load: %s: has no height", path)
	}
	return m.standing(height), nil
}

// used is the mesh without the vertices that no triangle has.
func used(positions []r3.Vec, triangles [][3]int32) Mesh {
	m := Mesh{Triangles: make([][3]int32, len(triangles))}
	index := make([]int32, len(positions)) // from 1; 0 is none yet
	for i, t := range triangles {
		for c, v := range t {
			if index[v] == 0 {
				m.Positions = append(m.Positions, positions[v])
				index[v] = int32(len(m.Positions))
			}
			m.Triangles[i][c] = index[v] - 1
		}
	}
	return m
}
