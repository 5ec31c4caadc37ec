package control

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The shapes of the tests: closed, counter-clockwise seen from outside, and with the same bits on every machine.

// ball returns a sphere of radius 1 m with so many rings of vertices between the poles and twice as many meridians.
func ball(rings int) ([]r3.Vec, [][3]int32) {
	around := 2 * rings
	x := []r3.Vec{{Z: 1}}
	for i := 1; i <= rings; i++ {
		s, c := reproducible.Sincos(math.Pi * float64(i) / float64(rings+1))
		for j := range around {
			sj, cj := reproducible.Sincos(2 * math.Pi * float64(j) / float64(around))
			x = append(x, r3.Vec{X: s * cj, Y: s * sj, Z: c})
		}
	}
	x = append(x, r3.Vec{Z: -1})
	id := func(i, j int) int32 { return int32(1 + (i-1)*around + j%around) }
	var t [][3]int32
	last := int32(len(x) - 1)
	for j := range around {
		t = append(t, [3]int32{0, id(1, j), id(1, j+1)}, [3]int32{last, id(rings, j+1), id(rings, j)})
		for i := 1; i < rings; i++ {
			t = append(t, [3]int32{id(i, j), id(i+1, j), id(i+1, j+1)}, [3]int32{id(i, j), id(i+1, j+1), id(i, j+1)})
		}
	}
	return x, t
}

// torus has radii R and r, m, with n vertices around and m across.
func torus(R, r float64, n, m int) ([]r3.Vec, [][3]int32) {
	var x []r3.Vec
	for i := range n {
		s, c := reproducible.Sincos(2 * math.Pi * float64(i) / float64(n))
		for j := range m {
			sj, cj := reproducible.Sincos(2 * math.Pi * float64(j) / float64(m))
			x = append(x, r3.Vec{X: c * (R + float64(r*cj)), Y: s * (R + float64(r*cj)), Z: r * sj})
		}
	}
	id := func(i, j int) int32 { return int32(i%n*m + j%m) }
	var t [][3]int32
	for i := range n {
		for j := range m {
			t = append(t, [3]int32{id(i, j), id(i+1, j), id(i+1, j+1)}, [3]int32{id(i, j), id(i+1, j+1), id(i, j+1)})
		}
	}
	return x, t
}

// brick returns a box of half sizes a, b and c, m, its faces in n×n squares (n×4n along z).
func brick(a, b, c float64, n int) ([]r3.Vec, [][3]int32) {
	size := [3]int{n, n, 4 * n}
	half := [3]float64{a, b, c}
	index := map[[3]int]int32{}
	var x []r3.Vec
	vertex := func(p [3]int) int32 {
		if i, ok := index[p]; ok {
			return i
		}
		at := func(k int) float64 { return half[k] * (2*float64(p[k])/float64(size[k]) - 1) }
		index[p] = int32(len(x))
		x = append(x, r3.Vec{X: at(0), Y: at(1), Z: at(2)})
		return index[p]
	}
	var t [][3]int32
	for k := range 3 {
		u, v := (k+1)%3, (k+2)%3
		for _, side := range []int{0, size[k]} {
			for i := range size[u] {
				for j := range size[v] {
					var p [4][3]int
					for c, d := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
						p[c][k], p[c][u], p[c][v] = side, i+d[0], j+d[1]
					}
					q := [4]int32{vertex(p[0]), vertex(p[1]), vertex(p[2]), vertex(p[3])}
					if side == 0 {
						slices.Reverse(q[:])
					}
					t = append(t, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
				}
			}
		}
	}
	return x, t
}

// each returns the positions, each mapped by a function.
func each(x []r3.Vec, f func(p r3.Vec) r3.Vec) []r3.Vec {
	y := make([]r3.Vec, len(x))
	for i, p := range x {
		y[i] = f(p)
	}
	return y
}

// twisted turns a shape about z by so many degrees per metre of z, and by some more everywhere.
func twisted(x []r3.Vec, perMetre, more float64) []r3.Vec {
	return each(x, func(p r3.Vec) r3.Vec {
		s, c := reproducible.Sincos((float64(perMetre*p.Z) + more) * math.Pi / 180)
		return r3.Vec{X: float64(c*p.X) - float64(s*p.Y), Y: float64(s*p.X) + float64(c*p.Y), Z: p.Z}
	})
}

func scaled(x []r3.Vec, a, b, c float64) []r3.Vec {
	return each(x, func(p r3.Vec) r3.Vec { return r3.Vec{X: a * p.X, Y: b * p.Y, Z: c * p.Z} })
}

func moved(x []r3.Vec, d r3.Vec) []r3.Vec {
	return each(x, func(p r3.Vec) r3.Vec { return r3.Add(p, d) })
}

// toVolume scales a shape about the origin so that it has a volume, m³.
func toVolume(x []r3.Vec, t [][3]int32, v float64) []r3.Vec {
	f := reproducible.Cbrt(v / geom.Volume(x, t))
	return scaled(x, f, f, f)
}

// farthest returns the largest distance between positions, m.
func farthest(x, y []r3.Vec) (most float64) {
	for i := range x {
		most = max(most, r3.Norm(r3.Sub(x[i], y[i])))
	}
	return most
}

// enclosed returns the volume of a mesh by tetrahedra to the origin, m³, independently of the package.
func enclosed(x []r3.Vec, triangles [][3]int32) (sum float64) {
	for _, t := range triangles {
		sum += r3.Dot(x[t[0]], r3.Cross(x[t[1]], x[t[2]])) / 6
	}
	return sum
}
