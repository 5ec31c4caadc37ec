package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// rayBox is a ray along X.
func rayBox(x r3.Vec) r3.Box {
	return r3.Box{Min: x, Max: r3.Vec{X: math.Inf(1), Y: x.Y, Z: x.Z}}
}

// rayTriangle tells whether the line through x along X meets a triangle, and at which X: turn is +1 if it leaves what the triangle encloses, -1 if it enters, 0 if they
// do not meet.
//
// It is exact but for the rounding of the corners' places relative to x: of the triangles at an edge or a vertex that the line runs into, it meets those that
// it would if it were moved by an infinitesimal e along Y and by e² along Z. So a closed surface is left as often as it is entered.
// Source: Edelsbrunner and Mücke 1990.
func rayTriangle(x, a, b, c *r3.Vec) (turn int, at float64) {
	ay, az := a.Y-x.Y, a.Z-x.Z
	by, bz := b.Y-x.Y, b.Z-x.Z
	cy, cz := c.Y-x.Y, c.Z-x.Z
	turn = turnAround(ay, az, by, bz)
	if turn == 0 || turnAround(by, bz, cy, cz) != turn || turnAround(cy, cz, ay, az) != turn {
		return 0, 0
	}
	wa, wb, wc := cross2(by, bz, cy, cz), cross2(cy, cz, ay, az), cross2(ay, az, by, bz)
	sum := wa + wb + wc
	if sum == 0 {
		return 0, 0
	}
	return turn, x.X + (float64((wa/sum)*(a.X-x.X)) + float64((wb/sum)*(b.X-x.X)) + float64((wc/sum)*(c.X-x.X)))
}

// turnAround is the sign of the turn from (py, pz) to (qy, qz) around the origin, as if that were moved a little.
func turnAround(py, pz, qy, qz float64) int {
	f, g := float64(py*qz), float64(pz*qy)
	// Rounding keeps the order of products that differ; if they round to the same, what they lost decides.
	if f == g {
		f, g = math.FMA(py, qz, -f), math.FMA(pz, qy, -g)
	}
	switch {
	case f > g:
		return 1
	case f < g:
		return -1
	case pz > qz:
		return 1
	case pz < qz:
		return -1
	case qy > py:
		return 1
	case qy < py:
		return -1
	}
	return 0
}

func cross2(py, pz, qy, qz float64) float64 { return float64(py*qz) - float64(pz*qy) }

// Inside tells whether a place is in what a mesh encloses. On the surface either may come. Boxes must be those of positions.
func (m *Mesh) Inside(x r3.Vec, scratch []int32) (inside bool, _ []int32) {
	ray := rayBox(x)
	scratch = m.Boxes.Overlapping(scratch[:0], &ray)
	return m.winding(x, scratch) > 0, scratch
}

// winding is how often the surface winds around a place, of triangles that hold all that a ray from there meets.
func (m *Mesh) winding(x r3.Vec, triangles []int32) (winding int) {
	for _, t := range triangles {
		a, b, c := m.Corners(t)
		if turn, at := rayTriangle(&x, &a, &b, &c); turn != 0 && at > x.X {
			winding += turn
		}
	}
	return winding
}
