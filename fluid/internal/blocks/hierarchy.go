package blocks

import (
	"math/bits"

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

// aggregate groups the rows for multigrid: in every base cell 2³ unknowns become one until each is one
// unknown, then 2³ base cells at a time.
func (d *Discretiser) aggregate() {
	gr, n := d.gr, d.g.Bases()
	gr.Levels = gr.Levels[:0]
	d.fine, d.first = resize(d.fine, gr.Rows), resize(d.first, n+1)
	d.pool.For(n, fillGrain, d.unknownChunk)
	d.first[n] = int32(gr.Rows)
	for edge := grid.Edge; edge > 1 && len(d.fine) > coarsest; edge /= 2 {
		d.halve()
	}
	d.table = resize(d.table, n)
	for step := 2; len(d.fine) > coarsest && step < 2*max(d.g.Dim[0], d.g.Dim[1], d.g.Dim[2]); step *= 2 {
		d.merge2(step)
	}
}

// listUnknowns makes a block's rows the unknowns to start from.
func (d *Discretiser) listUnknowns(b int32) {
	k := d.block(b)
	d.first[b] = d.counts[b].wet
	for r := d.counts[b].wet; r < d.counts[b+1].wet; r++ {
		d.fine[r] = unknown{b, uint16(d.gr.Cell[r] - k.first), uint8(k.n)}
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

// halve joins unknowns less than a base cell wide by eights: first within each block, then it closes
// the gaps.
func (d *Discretiser) halve() {
	d.level = d.nextLevel()
	n := d.g.Bases()
	d.joined, d.start = resize(d.joined, len(d.fine)), resize(d.start, n+1)
	d.pool.For(n, fillGrain, d.joinChunk)
	at := int32(0)
	for b := range d.start[:n] {
		d.start[b], at = at, at+d.start[b]
	}
	d.start[n] = at
	d.coarse, d.level.Size = resize(d.coarse, int(at)), resize(d.level.Size, int(at))
	d.pool.For(n, fillGrain, d.closeChunk)
	d.first, d.start = d.start, d.first
	d.endLevel(d.level)
	d.level = nil
}

// joinBlock leaves a block's joined unknowns in d.joined, from where its fine ones begin, their
// count in d.start and each fine one's among them in Parent.
func (d *Discretiser) joinBlock(table *[grid.Edge * grid.Edge * grid.Edge]int32, b int32) {
	lo, hi := d.first[b], d.first[b+1]
	d.start[b] = 0
	if lo == hi {
		return
	}
	cells := int(d.fine[lo].n)
	halves := max(1, cells/2)
	for t := range table[:halves*halves*halves] {
		table[t] = -1
	}
	shift, low := bits.TrailingZeros(uint(cells)), uint16(cells-1)
	out, parent := d.joined[lo:hi], d.level.Parent[lo:hi]
	n := int32(0)
	for i, u := range d.fine[lo:hi] {
		if cells > 1 {
			x, y, z := u.at&low>>1, u.at>>shift&low>>1, u.at>>(2*shift+1)
			u.n /= 2
			u.at = x | y<<(shift-1) | z<<(2*shift-2)
		}
		if table[u.at] < 0 {
			table[u.at] = n
			out[n] = u
			n++
		}
		parent[i] = table[u.at]
	}
	d.start[b] = n
}

// closeBlock moves a block's joined unknowns to their place in the level.
func (d *Discretiser) closeBlock(b int32) {
	lo, hi, to := d.first[b], d.first[b+1], d.start[b]
	edge := d.g.H * grid.Edge
	for i, u := range d.joined[lo:][:d.start[b+1]-to] {
		d.coarse[int(to)+i] = u
		d.level.Size[int(to)+i] = float32(edge / float64(u.n))
	}
	for i := lo; i < hi; i++ {
		d.level.Parent[i] += to
	}
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
