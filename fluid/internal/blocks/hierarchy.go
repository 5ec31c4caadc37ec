package blocks

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
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
	if gr.Rows <= coarsest {
		return
	}
	d.fine = arrays.Resize(d.fine, gr.Rows) // the rows, which joinRows knows better
	d.first = arrays.Resize(d.first, n+1)
	for b := range d.first {
		d.first[b] = d.counts[b].wet
	}
	d.halve((*Discretiser).joinRows)
	for edge := grid.Edge / 2; edge > 1 && len(d.fine) > coarsest; edge /= 2 {
		d.halve((*Discretiser).joinBlock)
	}
	d.table = arrays.Resize(d.table, n)
	for step := 2; len(d.fine) > coarsest && step < 2*max(d.g.Dim[0], d.g.Dim[1], d.g.Dim[2]); step *= 2 {
		d.merge2(step)
	}
}

// half is, per level and cell of a block, the cell of one of half as many along each edge that it is in.
var half = func() (t [4][grid.Edge * grid.Edge * grid.Edge]int32) {
	for level := 1; level < len(t); level++ {
		for c := range 1 << (3 * level) {
			low := 1<<level - 1
			x, y, z := c&low/2, c>>level&low/2, c>>(2*level)/2
			t[level][c] = int32(x | y<<(level-1) | z<<(2*level-2))
		}
	}
	return t
}()

// joinRows is joinBlock for the rows.
func (d *Discretiser) joinRows(worker int, b int32) {
	table := &d.work[worker].table
	d.start[b] = 0
	lo, hi := d.first[b], d.first[b+1]
	if lo == hi {
		return
	}
	level := d.g.Cur.Level[b]
	cells := max(1, 1<<level/2)
	out, parent, half := d.joined[lo:hi], d.level.Parent[lo:hi], &half[level]
	if len(parent) == 1<<(3*level) { // all cells
		copy(parent, half[:])
		d.start[b] = int32(cells * cells * cells)
		for i := range out[:d.start[b]] {
			out[i] = unknown{b, uint16(i), uint8(cells)}
		}
		return
	}
	for t := range table[:cells*cells*cells] {
		table[t] = -1
	}
	n, at := int32(0), 0
	for i, m := range &d.patterns[b].rows {
		for ; m != 0; m &= m - 1 {
			to := half[i<<6+bits.TrailingZeros64(m)]
			if table[to] < 0 {
				table[to] = n
				out[n] = unknown{b, uint16(to), uint8(cells)}
				n++
			}
			parent[at] = table[to]
			at++
		}
	}
	d.start[b] = n
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
	l.Parent = arrays.Resize(l.Parent, len(d.fine))
	l.Size = l.Size[:0]
	d.coarse = d.coarse[:0]
	return l
}

func (d *Discretiser) endLevel(l *graph.Aggregation) {
	l.Count = len(d.coarse)
	d.fine, d.coarse = d.coarse, d.fine
}

// halve joins unknowns less than a base cell wide by eights: first within each block, by join, then it closes
// the gaps.
func (d *Discretiser) halve(join func(d *Discretiser, worker int, b int32)) {
	d.level = d.nextLevel()
	n := d.g.Bases()
	d.joined, d.start = arrays.Resize(d.joined, len(d.fine)), arrays.Resize(d.start, n+1)
	par.Each(d.pool, n, fillGrain, d, join)
	at := int32(0)
	for b := range d.start[:n] {
		d.start[b], at = at, at+d.start[b]
	}
	d.start[n] = at
	d.coarse, d.level.Size = arrays.Resize(d.coarse, int(at)), arrays.Resize(d.level.Size, int(at))
	par.Each(d.pool, n, fillGrain, d, (*Discretiser).closeBlock)
	d.first, d.start = d.start, d.first
	d.endLevel(d.level)
	d.level = nil
}

// joinBlock leaves a block's joined unknowns in d.joined, from where its fine ones begin, their
// count in d.start and each fine one's among them in Parent.
func (d *Discretiser) joinBlock(worker int, b int32) {
	table := &d.work[worker].table
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
func (d *Discretiser) closeBlock(_ int, b int32) {
	lo, hi, to := d.first[b], d.first[b+1], d.start[b]
	edge := d.g.H * grid.Edge
	joined := d.joined[lo:][:d.start[b+1]-to]
	copy(d.coarse[to:], joined)
	size, parent := d.level.Size[to:][:len(joined)], d.level.Parent[lo:hi]
	for i := range joined {
		size[i] = float32(edge / float64(joined[i].n))
	}
	for i := range parent {
		parent[i] += to
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
