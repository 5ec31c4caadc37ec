package control

import "gonum.org/v1/gonum/spatial/r3"

// Weld makes one vertex of those at the same position. Meshes that are drawn repeat vertices along seams of texture and at hard edges, so that their triangles
// are not connected there, and no control takes them.
//
// first lists, for each vertex of the welded mesh, the first of those that it stands for: its position at any later time, of a skinned mesh say, is
// that vertex's. welded are the triangles over these vertices, in their order, without those that have a vertex twice then; an index
// that is out of range is kept, for what takes the mesh to refuse.
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
