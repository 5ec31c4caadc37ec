package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// count is how many rows and faces a base cell has, then which are its first ones.
type count struct{ rows, faces int32 }

// numbering finds the vertices that are rows and numbers them.
type numbering struct {
	d      *Discretiser
	counts []count // per base cell, and one more
	vertex []int32 // per row: its vertex
	shut   []bool  // per vertex: none of its edges is open

	corners []int32 // scratch: corners of cells that are beside thin walls

	// While it runs.
	gr  *graph.Graph
	phi []float64
}

// run numbers the rows and fills what the graph has of each.
func (n *numbering) run(gr *graph.Graph, phi []float64) {
	d := n.d
	n.gr, n.phi = gr, phi
	bases := d.g.Bases()
	n.partCorners()
	par.Each(d.pool, bases, fillGrain, n, (*numbering).fillVoids)
	n.setVoidPhi()
	n.shut = arrays.Resize(n.shut, d.l.Vertices())
	par.Each(d.pool, bases, fillGrain, n, (*numbering).mark)
	rows := int32(0)
	for b := range bases {
		c := &n.counts[b]
		c.rows, rows = rows, rows+c.rows
	}
	n.counts[bases].rows = rows
	gr.Rows = int(rows)
	gr.Cell, gr.Size, gr.Volume = arrays.Resize(gr.Cell, gr.Rows), arrays.Resize(gr.Size, gr.Rows), arrays.Resize(gr.Volume, gr.Rows)
	gr.Centre, n.vertex = arrays.Resize(gr.Centre, gr.Rows), arrays.Resize(n.vertex, gr.Rows)
	par.Each(d.pool, bases, fillGrain, n, (*numbering).place)
	n.gr, n.phi = nil, nil
}

// mark counts a base cell's rows, and marks their vertices with 0 in Row, others with -1.
func (n *numbering) mark(_ int, b int32) {
	d, l := n.d, n.d.l
	lo, hi := l.VertexRuns.Of(b)
	rows, cut := int32(0), d.CutsInto(b)
	for v := lo; v < hi; v++ {
		d.Row[v], n.shut[v] = none, cut && !l.Beyond[v] && !d.opens(v)
		if n.phi[v] < 0 && !d.Asleep[b] && !l.Beyond[v] && !n.shut[v] {
			d.Row[v] = 0
			rows++
		}
	}
	n.counts[b].rows = rows
}

// opens tells whether a vertex has an open edge.
func (d *Discretiser) opens(v int32) bool {
	l := d.l
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		if d.Open[e] > 0 {
			return true
		}
	}
	return false
}

// place numbers a base cell's rows from its place in the list on.
func (n *numbering) place(_ int, b int32) {
	d, l, gr := n.d, n.d.l, n.gr
	lo, hi := l.VertexRuns.Of(b)
	r := n.counts[b].rows
	for v := lo; v < hi; v++ {
		if d.Row[v] == none {
			continue
		}
		d.Row[v], n.vertex[r] = r, v
		gr.Cell[r], gr.Centre[r] = v, l.Position[v]
		gr.Size[r] = float32(sizePart * d.cellEdge(v))
		gr.Volume[r] = float32(max(d.Volume[v], leastVolume*l.Volume[v]))
		r++
	}
}

// Vertex is the vertex of each row of the last Fill's graph.
func (d *Discretiser) Vertex() []int32 { return d.rows.vertex }
