package control

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Weld merges vertices at the same position. Meshes for drawing repeat vertices along texture seams and at hard edges, where their triangles
// are therefore not connected; a control needs a closed mesh.
//
// first has, for each vertex of the welded mesh, the index of the first merged vertex, whose position it has at any later time, as in a
// skinned mesh. welded is the triangles over these vertices, in order, without those that become degenerate. Indices
// out of range are kept, for a later check to report.
func Weld(positions []r3.Vec, triangles [][3]int32) (first []int32, welded [][3]int32) {
	return geom.Weld(positions, triangles, 0)
}
