package blocks

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// coarsest is how few unknowns end the hierarchy.
const coarsest = 48

// unknown is a cell, or an aggregate of cells, of one base cell.
type unknown struct {
	base int32
	at   uint16 // x + n·(y + n·z) of n per edge
	n    uint8
}

// aggregate groups the rows for multigrid: 2³ of the smallest cells of each level become one
// until every base cell is one unknown, then 2³ base cells at a time.
func (d *Discretiser) aggregate() {
	gr := d.gr
	gr.Levels = gr.Levels[:0]
	d.fine = resize(d.fine, gr.Rows)
	for b := range int32(d.g.Bases()) {
		k := d.block(b)
		for r := d.counts[b].wet; r < d.counts[b+1].wet; r++ {
			d.fine[r] = unknown{b, uint16(gr.Cell[r] - k.first), uint8(k.n)}
		}
	}
	for n := uint8(grid.Edge); n > 1 && len(d.fine) > coarsest; n /= 2 {
		d.halve(n)
	}
	d.table = resize(d.table, d.g.Bases())
	for step := 2; len(d.fine) > coarsest && step < 2*max(d.g.Dim[0], d.g.Dim[1], d.g.Dim[2]); step *= 2 {
		d.merge2(step)
	}
}

// nextLevel appends a level for the current unknowns, reusing its arrays.
func (d *Discretiser) nextLevel() *graph.Aggregation {
	gr := d.gr
	if len(gr.Levels) < cap(gr.Levels) {
		gr.Levels = gr.Levels[:len(gr.Levels)+1]
	} else {
		gr.Levels = append(gr.Levels, graph.Aggregation{})
	}
	l := &gr.Levels[len(gr.Levels)-1]
	l.Parent = resize(l.Parent, len(d.fine))
	l.Size = l.Size[:0]
	d.coarse = d.coarse[:0]
	return l
}

func (d *Discretiser) endLevel(l *graph.Aggregation) {
	l.Count = len(d.coarse)
	d.fine, d.coarse = d.coarse, d.fine
}

// halve joins the unknowns that are 1/n of a base cell wide by eights.
func (d *Discretiser) halve(n uint8) {
	l := d.nextLevel()
	var table [grid.Edge * grid.Edge * grid.Edge]int32
	base := grid.None
	edge := d.g.H * grid.Edge
	for i, u := range d.fine {
		if u.base != base {
			base = u.base
			for t := range table {
				table[t] = -1
			}
		}
		if u.n == n {
			e := uint16(n)
			x, y, z := u.at%e/2, u.at/e%e/2, u.at/(e*e)/2
			u.n = n / 2
			u.at = x + e/2*(y+e/2*z)
		}
		if table[u.at] < 0 {
			table[u.at] = int32(len(d.coarse))
			d.coarse = append(d.coarse, u)
			l.Size = append(l.Size, float32(edge/float64(u.n)))
		}
		l.Parent[i] = table[u.at]
	}
	d.endLevel(l)
}

// merge2 joins unknowns of whole base cells in cubes of step base cells a side.
func (d *Discretiser) merge2(step int) {
	l := d.nextLevel()
	for i := range d.table {
		d.table[i] = -1
	}
	dim := [3]int{(d.g.Dim[0] + step - 1) / step, (d.g.Dim[1] + step - 1) / step, (d.g.Dim[2] + step - 1) / step}
	size := float32(d.g.H * grid.Edge * float64(step))
	for i, u := range d.fine {
		at := d.g.BaseCoords(u.base)
		t := at[0]/step + dim[0]*(at[1]/step+dim[1]*(at[2]/step))
		if d.table[t] < 0 {
			d.table[t] = int32(len(d.coarse))
			d.coarse = append(d.coarse, u)
			l.Size = append(l.Size, size)
		}
		l.Parent[i] = d.table[t]
	}
	d.endLevel(l)
}
