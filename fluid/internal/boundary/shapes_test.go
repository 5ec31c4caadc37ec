package boundary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// icosphere returns an icosahedron whose faces are divided in four n times, on a ball of radius 1: 20·4ⁿ faces. The first twelve vertices are the icosahedron's.
func icosphere(n int) (at []r3.Vec, triangles [][3]int32) {
	g := (1 + math.Sqrt(5)) / 2
	for _, v := range [12][3]float64{{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g}, {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}} {
		at = append(at, r3.Unit(r3.Vec{X: v[0], Y: v[1], Z: v[2]}))
	}
	triangles = [][3]int32{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}
	for range n {
		at, triangles = divide(at, triangles)
		for i := range at {
			at[i] = r3.Unit(at[i])
		}
	}
	return at, triangles
}

// divide divides each triangle in four.
func divide(at []r3.Vec, triangles [][3]int32) ([]r3.Vec, [][3]int32) {
	middle := map[[2]int32]int32{}
	half := func(a, b int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		if _, ok := middle[key]; !ok {
			middle[key] = int32(len(at))
			at = append(at, r3.Scale(.5, r3.Add(at[a], at[b])))
		}
		return middle[key]
	}
	var fine [][3]int32
	for _, t := range triangles {
		ab, bc, ca := half(t[0], t[1]), half(t[1], t[2]), half(t[2], t[0])
		fine = append(fine, [3]int32{t[0], ab, ca}, [3]int32{ab, t[1], bc}, [3]int32{ca, bc, t[2]}, [3]int32{ab, bc, ca})
	}
	return at, fine
}
