package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// AirBeside calls visit for every cell of the layout whose centre is air across an open edge from a row of the last Fill's graph, with the row: once a face.
func (d *Discretiser) AirBeside(gr *graph.Graph, visit func(row, cell int32)) {
	for f, e := range gr.Slot {
		row, v := gr.A[f], d.l.Ends[e][1]
		if row < 0 {
			row, v = gr.B[f], d.l.Ends[e][0]
		}
		if d.Row[v] == none && d.l.Cell[v] >= 0 {
			visit(row, d.l.Cell[v])
		}
	}
}

// EachSurfaceCell calls visit for the cells of a base cell whose centres are no rows but hold liquid, each with a row beside it across an open edge: the one that is
// lowest along Up. fraction is what of each of the base cell's cells is liquid.
func (d *Discretiser) EachSurfaceCell(b int32, fraction []float32, visit func(cell, row int32)) {
	l := d.l
	if d.Asleep[b] {
		return
	}
	lo := l.VertexRuns[b]
	for i, part := range fraction {
		v := lo + int32(i)
		if !(part > 0) || d.Row[v] != none || d.Volume[v] <= 0 {
			continue
		}
		row, lowest := none, math.Inf(1)
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			u := d.across(e, v)
			if d.Row[u] == none || d.Open[e] == 0 {
				continue
			}
			if high := dot(&l.Position[u], &d.Up); high < lowest {
				row, lowest = d.Row[u], high
			}
		}
		if row != none {
			visit(l.Cell[v], row)
		}
	}
}

// WriteHeld writes how much liquid each row of a base cell stands for, m³, in their order. held is that in a cell of the layout: half of it is with the cell's centre
// and half with the corners around it, as far as these are rows.
func (d *Discretiser) WriteHeld(dst []float64, b int32, held func(cell int32) float64) {
	l := d.l
	from := d.rows.counts[b].rows
	for r := from; r < d.rows.counts[b+1].rows; r++ {
		v, sum := d.rows.vertex[r], 0.
		if c := l.Cell[v]; c >= 0 {
			centre, _ := d.sharesOf(v)
			sum = float64(centre * held(c))
		} else {
			for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
				if u := d.across(e, v); l.Cell[u] >= 0 {
					_, corner := d.sharesOf(u)
					sum += float64(corner * held(l.Cell[u]))
				}
			}
		}
		dst[r-from] = sum
	}
}

// sharesOf are the parts of a cell's liquid that are with its centre, a vertex, and with each of the corners around it that are rows.
func (d *Discretiser) sharesOf(v int32) (centre, corner float64) {
	l, rows := d.l, 0.
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		if u := d.across(e, v); l.Cell[u] < 0 && d.Row[u] != none {
			rows++
		}
	}
	switch isRow := d.Row[v] != none; {
	case rows == 0:
		return 1, 0
	case isRow:
		return .5, .5 / rows
	default:
		return 0, 1 / rows
	}
}
