package isomesh

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// meshProbeReach is how many cells from a wall the middle one of the 27 cells around a vertex is at least.
const meshProbeReach = 1.5

// probeByWall is φ, m, and its gradient at a place, H from the grid's corner, by the 27 nearest cells that lie
// within the walls; beyond the last centre it goes on straight, but leaves the nearest cell's value no faster than
// a distance does.
func (m *Mesh) probeByWall(x [3]float64, size float64) (value float32, grad [3]float32) {
	var coord, at [3]int
	var f, q [3]float64
	for a := range 3 {
		r := float64(m.box.within(a, x[a], float64(meshProbeReach*size)) * (1. / layout.Edge))
		coord[a] = min(int(r), m.g.Dim[a]-1)
		f[a] = r - float64(coord[a])
		q[a] = m.box.within(a, x[a], float64(.5*size))
	}
	b := m.g.BaseAt(coord[0], coord[1], coord[2])
	n := 1 << m.g.Prev.Level[b]
	edge := float64(int(layout.Edge) >> m.g.Prev.Level[b])
	e := n + 2
	var from [3]float32
	nearest, way := 0, 0.
	for a, stride := range [3]int{1, e, e * e} {
		at[a] = min(int(f[a]*float64(n)), n-1)
		centre := float64(layout.Edge*coord[a]) + float64((float64(at[a])+.5)*edge)
		s := max(-1, min((q[a]-centre)/edge, 1))
		from[a] = float32(s)
		q[a] = centre + float64(s*edge)
		near := math.Round(s)
		nearest += stride * (1 + int(near))
		d := x[a] - centre - float64(near*edge)
		way += float64(d * d)
	}
	tile := m.phi.Tile(b)[at[0]+e*(at[1]+e*at[2]):]
	value, grad = meshStencil(tile, e, from)
	perMetre := float32(1 / (edge * m.g.H))
	for a := range 3 {
		grad[a] *= perMetre
		value += float32(grad[a] * float32((x[a]-q[a])*m.g.H))
	}
	reach := float32(math.Sqrt(way) * m.g.H)
	return max(tile[nearest]-reach, min(value, tile[nearest]+reach)), grad
}

// meshStencil is a field and its gradient per cell, at s cells from the middle of the cube of 27 values that
// starts at t: the field by Lagrange's polynomials, exact to the third order where a mean would shrink curved
// surfaces, the gradient by B-splines, which join without kinks from cell to cell.
func meshStencil(t []float32, e int, s [3]float32) (value float32, grad [3]float32) {
	var q [3]float32
	for a := range q {
		q[a] = .5 * (s[a] * s[a])
	}
	var plane [3][4]float32 // value, gradient along x and y, and B-spline
	for k := range plane {
		var row [3][3]float32 // value, gradient along x, and B-spline
		for j := range row {
			r := t[e*(j+e*k):][:3]
			row[j][0], row[j][1], row[j][2] = meshTaps(r[0], r[1], r[2], s[0], q[0])
		}
		p := &plane[k]
		p[0], _, _ = meshTaps(row[0][0], row[1][0], row[2][0], s[1], q[1])
		_, _, p[1] = meshTaps(row[0][1], row[1][1], row[2][1], s[1], q[1])
		_, p[2], p[3] = meshTaps(row[0][2], row[1][2], row[2][2], s[1], q[1])
	}
	value, _, _ = meshTaps(plane[0][0], plane[1][0], plane[2][0], s[2], q[2])
	_, _, grad[0] = meshTaps(plane[0][1], plane[1][1], plane[2][1], s[2], q[2])
	_, _, grad[1] = meshTaps(plane[0][2], plane[1][2], plane[2][2], s[2], q[2])
	_, grad[2], _ = meshTaps(plane[0][3], plane[1][3], plane[2][3], s[2], q[2])
	return value, grad
}

// meshTaps is Lagrange's polynomial through three values, and the B-spline's slope and value, at s from the middle
// one; q is half the square of s.
func meshTaps(a, b, c, s, q float32) (value, slope, smooth float32) {
	first, second := float32(.5*(c-a)), c+a-(b+b)
	value = b + float32(s*first) + float32(q*second)
	return value, first + float32(s*second), value + float32(.125*second)
}
