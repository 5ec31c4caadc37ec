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
