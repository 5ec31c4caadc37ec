package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// signedGrid is a signed distance at the corners of a grid of cubes.
type signedGrid struct {
	origin   r3.Vec
	cell     float64 // m
	n        [3]int  // corners along each axis
	distance []float32
}

// sampleGrid samples dist on a grid of cells, so many along the longest edge of the bounds, that
// reaches a cell beyond them all around.
func sampleGrid(dist func(dst []float32, pts []r3.Vec), bounds r3.Box, cells int) *signedGrid {
	size := bounds.Size()
	g := &signedGrid{cell: max(size.X, size.Y, size.Z) / float64(cells)}
	g.origin = r3.Sub(bounds.Min, r3.Vec{X: g.cell, Y: g.cell, Z: g.cell})
	for k := range g.n {
		g.n[k] = int(math.Ceil(component(size, k)/g.cell-1e-9)) + 3
	}
	g.distance = make([]float32, g.n[0]*g.n[1]*g.n[2])
	row := make([]r3.Vec, g.n[0])
	for k := range g.n[2] {
		for j := range g.n[1] {
			for i := range row {
				row[i] = g.corner(i, j, k)
			}
			at := g.index(0, j, k)
			dist(g.distance[at:at+g.n[0]], row)
		}
	}
	return g
}

func (g *signedGrid) index(i, j, k int) int { return (k*g.n[1]+j)*g.n[0] + i }

func (g *signedGrid) corner(i, j, k int) r3.Vec {
	return r3.Add(g.origin, reproducible.Scale(g.cell, r3.Vec{X: float64(i), Y: float64(j), Z: float64(k)}))
}

// surfaceNet adds the surface on which dist is zero: a vertex in each cell that it crosses, at the mean
// of where it cuts the cell's edges, and a quadrilateral about each edge that it cuts.
// Source: Gibson 1998, surface nets.
func (m *triangleMesh) surfaceNet(dist func(dst []float32, pts []r3.Vec), bounds r3.Box, cells int) {
	g := sampleGrid(dist, bounds, cells)
	in := make([]int32, len(g.distance)) // the vertex of the cell above each corner
	step := [3]int{1, g.n[0], g.n[0] * g.n[1]}
	for k := range g.n[2] {
		for j := range g.n[1] {
			for i := range g.n[0] {
				at, ijk := g.index(i, j, k), [3]int{i, j, k}
				if i+1 < g.n[0] && j+1 < g.n[1] && k+1 < g.n[2] {
					if v, crossed := g.crossing(at, step); crossed {
						in[at] = m.vertex(r3.Add(g.corner(i, j, k), v))
					}
				}
				for a := range 3 {
					b, c := (a+1)%3, (a+2)%3
					if ijk[a]+1 == g.n[a] || ijk[b] == 0 || ijk[c] == 0 {
						continue
					}
					p, q := at-step[b], at-step[c]
					switch here, there := g.distance[at] < 0, g.distance[at+step[a]] < 0; {
					case here && !there:
						m.quad(in[at-step[b]-step[c]], in[q], in[at], in[p])
					case there && !here:
						m.quad(in[at-step[b]-step[c]], in[p], in[at], in[q])
					}
				}
			}
		}
	}
}

// crossing is the mean of where the surface cuts the edges of the cell above a corner, m from
// there.
func (g *signedGrid) crossing(at int, step [3]int) (mean r3.Vec, crossed bool) {
	n := 0.0
	for a := range 3 {
		b, c := (a+1)%3, (a+2)%3
		for corner := range 4 {
			y, z := corner&1, corner>>1
			from := at + y*step[b] + z*step[c]
			d0, d1 := float64(g.distance[from]), float64(g.distance[from+step[a]])
			if (d0 < 0) == (d1 < 0) {
				continue
			}
			var x [3]float64
			x[a], x[b], x[c] = d0/(d0-d1), float64(y), float64(z)
			mean = r3.Add(mean, r3.Vec{X: x[0], Y: x[1], Z: x[2]})
			n++
		}
	}
	return reproducible.Scale(g.cell/max(n, 1), mean), n > 0
}
