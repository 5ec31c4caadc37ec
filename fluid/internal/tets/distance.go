package tets

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// A corner of the layout's cells gets its distance from those at the centres of the cells around it, so that a field that is linear is exact. Opposite
// octants go in pairs, each cell by the size of the other; what is aslant to the line between the two cancels over all pairs, since cells that share an
// edge differ by one level at most. Beyond the layout's sides the two cells next to the side stand for one.

// cornerDistance is a field of the cells of Cur at a corner of theirs, of which the smallest that meet there have an edge h, m.
func cornerDistance(g *layout.Grid, field []float32, x [3]float64, h float64) float64 {
	sum := 0.
	for i := range 4 {
		a, sizeA := octant(g, field, x, h, i)
		b, sizeB := octant(g, field, x, h, 7-i)
		sum += (float64(a*sizeB) + float64(b*sizeA)) / (sizeA + sizeB)
	}
	return sum / 4
}

// octant is the field in the cell of an octant about a corner, and the cell's edge, m. Bit a of the octant is set on the high side along axis a.
func octant(g *layout.Grid, field []float32, x [3]float64, h float64, octant int) (value, size float64) {
	low, beyond := x, 0
	for a := range x {
		step := h / 4
		if octant>>a&1 == 0 {
			step = -step
		}
		low[a] += step
		if end := g.Origin[a] + float64(g.H*layout.Edge*float64(g.Dim[a])); low[a] < g.Origin[a] || low[a] > end {
			low[a] = x[a] - step
			beyond |= 1 << a
		}
	}
	b, fx, fy, fz := g.Locate(g.ToPoint(low[0], low[1], low[2]))
	cell, size := g.Cur.CellIn(b, fx, fy, fz), g.CellSize(g.Cur.Level[b])
	value = float64(field[cell])
	for a := range x {
		if beyond>>a&1 == 1 { // go on as far beyond the side as the first cell is within
			next := low
			if octant>>a&1 == 0 {
				next[a] += size
			} else {
				next[a] -= size
			}
			if next[a] > g.Origin[a] && next[a] < g.Origin[a]+float64(g.H*layout.Edge*float64(g.Dim[a])) {
				value += float64(field[cell]) - float64(field[g.CellAt(next)])
			}
		}
	}
	return value, size
}
