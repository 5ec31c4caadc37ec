package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Inside tells whether a place is in what a mesh encloses. On the surface either may come. Boxes must be those of positions.
func (m *Mesh) Inside(x r3.Vec, scratch []int32) (inside bool, _ []int32) {
	ray := geom.RayX(x)
	scratch = m.Boxes.Overlapping(scratch[:0], &ray)
	return m.winding(x, scratch) > 0, scratch
}

// winding is how often the surface winds around a place, of triangles that hold all that a ray from there meets.
func (m *Mesh) winding(x r3.Vec, triangles []int32) (winding int) {
	for _, t := range triangles {
		a, b, c := m.Corners(t)
		if turn, at := geom.CrossX(&x, &a, &b, &c); turn != 0 && at > x.X {
			winding += turn
		}
	}
	return winding
}
