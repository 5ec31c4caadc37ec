package geom

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Icosphere is an icosahedron whose faces are split in four n times, with its vertices at a distance of 1 from the origin: 20·4ⁿ triangles, counter-clockwise seen from outside.
func Icosphere(n int) (vs []r3.Vec, tris [][3]int32) {
	const g = 1.61803398874989484820 // the golden ratio
	for _, v := range [12]r3.Vec{
		{X: -1, Y: g}, {X: 1, Y: g}, {X: -1, Y: -g}, {X: 1, Y: -g}, {Y: -1, Z: g}, {Y: 1, Z: g},
		{Y: -1, Z: -g}, {Y: 1, Z: -g}, {X: g, Z: -1}, {X: g, Z: 1}, {X: -g, Z: -1}, {X: -g, Z: 1},
	} {
		vs = append(vs, reproducible.Unit(v))
	}
	tris = [][3]int32{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}
	for range n {
		mid := map[[2]int32]int32{}
		half := func(a, b int32) int32 {
			key := [2]int32{min(a, b), max(a, b)}
			if _, ok := mid[key]; !ok {
				mid[key] = int32(len(vs))
				vs = append(vs, reproducible.Unit(r3.Add(vs[a], vs[b])))
			}
			return mid[key]
		}
		var next [][3]int32
		for _, t := range tris {
			a, b, c := half(t[0], t[1]), half(t[1], t[2]), half(t[2], t[0])
			next = append(next, [3]int32{t[0], a, c}, [3]int32{t[1], b, a}, [3]int32{t[2], c, b}, [3]int32{a, b, c})
		}
		tris = next
	}
	return vs, tris
}
