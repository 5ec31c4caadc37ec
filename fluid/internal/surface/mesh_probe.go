package surface

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
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
		r := m.box.within(a, x[a], meshProbeReach*size) * (1. / grid.Edge)
		coord[a] = min(int(r), m.g.Dim[a]-1)
		f[a] = r - float64(coord[a])
		q[a] = m.box.within(a, x[a], .5*size)
	}
	b := m.g.BaseAt(coord[0], coord[1], coord[2])
	n := 1 << m.g.Prev.Level[b]
	edge := float64(int(grid.Edge) >> m.g.Prev.Level[b])
	e := n + 2
	var w [3]meshWeights
	nearest, way := 0, 0.
	for a, stride := range [3]int{1, e, e * e} {
		at[a] = min(int(f[a]*float64(n)), n-1)
		centre := float64(grid.Edge*coord[a]) + (float64(at[a])+.5)*edge
		s := max(-1, min((q[a]-centre)/edge, 1))
		w[a].set(float32(s))
		q[a] = centre + s*edge
		near := math.Round(s)
		nearest += stride * (1 + int(near))
		d := x[a] - centre - near*edge
		way += d * d
	}
	tile := m.phi.Tile(b)[at[0]+e*(at[1]+e*at[2]):]
	value, grad = meshStencil(tile, e, &w)
	perMetre := float32(1 / (edge * m.g.H))
	for a := range 3 {
		grad[a] *= perMetre
		value += grad[a] * float32((x[a]-q[a])*m.g.H)
	}
	reach := float32(math.Sqrt(way) * m.g.H)
	return max(tile[nearest]-reach, min(value, tile[nearest]+reach)), grad
}

// meshWeights are the shares of three cells in a row, by distance from the middle one's centre.
type meshWeights struct{ value, smooth, slope [3]float32 }

func (w *meshWeights) set(s float32) {
	w.value = [3]float32{.5 * s * (s - 1), 1 - s*s, .5 * s * (s + 1)}
	w.smooth = [3]float32{.5 * (.5 - s) * (.5 - s), .75 - s*s, .5 * (.5 + s) * (.5 + s)}
	w.slope = [3]float32{s - .5, -2 * s, s + .5}
}

// meshStencil applies weights to the cube of 27 values that starts at t; grad is per cell.
func meshStencil(t []float32, e int, w *[3]meshWeights) (value float32, grad [3]float32) {
	x, y, z := &w[0], &w[1], &w[2]
	v0, v1, v2 := x.value[0], x.value[1], x.value[2]
	m0, m1, m2 := x.smooth[0], x.smooth[1], x.smooth[2]
	d0, d1, d2 := x.slope[0], x.slope[1], x.slope[2]
	for k := range 3 {
		var v, gx, gy, b float32
		for j := range 3 {
			r := t[e*(j+e*k):][:3]
			v += y.value[j] * (v0*r[0] + v1*r[1] + v2*r[2])
			gx += y.smooth[j] * (d0*r[0] + d1*r[1] + d2*r[2])
			s := m0*r[0] + m1*r[1] + m2*r[2]
			gy += y.slope[j] * s
			b += y.smooth[j] * s
		}
		value += z.value[k] * v
		grad[0] += z.smooth[k] * gx
		grad[1] += z.smooth[k] * gy
		grad[2] += z.slope[k] * b
	}
	return value, grad
}
