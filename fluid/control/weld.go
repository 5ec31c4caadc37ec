package control

import "gonum.org/v1/gonum/spatial/r3"

// Weld merges vertices at the same position. Meshes for drawing repeat vertices along texture seams and at hard edges, where their triangles
// are therefore not connected; a control needs a closed mesh.
//
// first has, for each vertex of the welded mesh, the index of the first merged vertex, whose position it has at any later time, as in a
// skinned mesh. welded is the triangles over these vertices, in order, without those that become degenerate. Indices
// out of range are kept, for a later check to report.
func Weld(positions []r3.Vec, triangles [][3]int32) (first []int32, welded [][3]int32) {
	index := make(map[r3.Vec]int32, len(positions)) // looked up, never ranged over; -0 and 0 are equal keys
	to := make([]int32, len(positions))
	for i := range to {
		to[i] = -1
	}
	for _, t := range triangles {
		var f [3]int32
		for k, v := range t {
			if f[k] = v; v < 0 || int(v) >= len(positions) {
				continue
			}
			if to[v] < 0 {
				w, ok := index[positions[v]]
				if !ok {
					w = int32(len(first))
					index[positions[v]] = w
					first = append(first, v)
				}
				to[v] = w
			}
			f[k] = to[v]
		}
		if f[0] != f[1] && f[1] != f[2] && f[2] != f[0] {
			welded = append(welded, f)
		}
	}
	return first, welded
}
