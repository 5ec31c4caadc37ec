package cutting

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
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

// mostJoined is how many unknowns those of a block become at most: an eighth of its cells.
const mostJoined = layout.Edge * layout.Edge * layout.Edge / 8

// hierarchy makes the graph's levels.
type hierarchy struct {
	d *Discretiser

	fine   []unknown // of the last level, but that of the rows
	coarse []unknown // of the one that is being made
	joined []unknown // mostJoined per base cell
	first  []int32   // per base cell: its first entry in fine
	start  []int32   // likewise in the level that is being made
	level  *graph.Aggregation
	table  []int32 // coarse base cell → unknown
}

// aggregate groups the rows for multigrid: in every base cell 2³ unknowns become one until each is one
// unknown, then 2³ base cells at a time.
func (h *hierarchy) aggregate() {
	d := h.d
	gr, n := d.gr, d.g.Bases()
	gr.Levels = gr.Levels[:0]
	if gr.Rows <= coarsest {
		return
	}
	h.first = arrays.Resize(h.first, n+1)
	for b := range h.first {
		h.first[b] = d.counts[b].wet
	}
	h.halve(gr.Rows, (*hierarchy).joinRows)
	for edge := layout.Edge / 2; edge > 1 && len(h.fine) > coarsest; edge /= 2 {
		h.halve(len(h.fine), (*hierarchy).joinBlock)
	}
	h.table = arrays.Resize(h.table, n)
	for step := 2; len(h.fine) > coarsest && step < 2*max(d.g.Dim[0], d.g.Dim[1], d.g.Dim[2]); step *= 2 {
		h.merge2(step)
	}
}

// half is, per level and cell of a block, the cell of one of half as many along each edge that it is in.
var half = func() (t [4][layout.Edge * layout.Edge * layout.Edge]int32) {
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
func (h *hierarchy) joinRows(worker int, b int32) {
	d := h.d
	table := &d.work[worker].table
	h.start[b] = 0
	lo, hi := h.first[b], h.first[b+1]
	if lo == hi {
		return
	}
	level := d.g.Cur.Level[b]
	cells := max(1, 1<<level/2)
	out, parent, half := h.joined[b*mostJoined:][:mostJoined], h.level.Parent[lo:hi], &half[level]
	if len(parent) == 1<<(3*level) { // all cells
		copy(parent, half[:])
		h.start[b] = int32(cells * cells * cells)
		for i := range out[:h.start[b]] {
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
	h.start[b] = n
}

// nextLevel appends a level for so many current unknowns, reusing its arrays.
func (h *hierarchy) nextLevel(unknowns int) *graph.Aggregation {
	gr := h.d.gr
	if len(gr.Levels) < cap(gr.Levels) {
		gr.Levels = gr.Levels[:len(gr.Levels)+1]
	} else {
		gr.Levels = append(gr.Levels, graph.Aggregation{})
	}
	l := &gr.Levels[len(gr.Levels)-1]
	l.Parent = arrays.Resize(l.Parent, unknowns)
	l.Size = l.Size[:0]
	h.coarse = h.coarse[:0]
	return l
}

func (h *hierarchy) endLevel(l *graph.Aggregation) {
	l.Count = len(h.coarse)
	h.fine, h.coarse = h.coarse, h.fine
}

// halve joins so many unknowns less than a base cell wide by eights: first within each block, by join, then it closes
// the gaps.
func (h *hierarchy) halve(unknowns int, join func(h *hierarchy, worker int, b int32)) {
	d := h.d
	h.level = h.nextLevel(unknowns)
	n := d.g.Bases()
	h.joined, h.start = arrays.Resize(h.joined, n*mostJoined), arrays.Resize(h.start, n+1)
	par.Each(d.pool, n, fillGrain, h, join)
	at := int32(0)
	for b := range h.start[:n] {
		h.start[b], at = at, at+h.start[b]
	}
	h.start[n] = at
	h.coarse, h.level.Size = arrays.Resize(h.coarse, int(at)), arrays.Resize(h.level.Size, int(at))
	par.Each(d.pool, n, fillGrain, h, (*hierarchy).closeBlock)
	h.first, h.start = h.start, h.first
	h.endLevel(h.level)
	h.level = nil
}

// joinBlock leaves a block's joined unknowns in joined, their
// count in start and each fine one's among them in Parent.
func (h *hierarchy) joinBlock(worker int, b int32) {
	table := &h.d.work[worker].table
	lo, hi := h.first[b], h.first[b+1]
	h.start[b] = 0
	if lo == hi {
		return
	}
	cells := int(h.fine[lo].n)
	halves := max(1, cells/2)
	for t := range table[:halves*halves*halves] {
		table[t] = -1
	}
	shift, low := bits.TrailingZeros(uint(cells)), uint16(cells-1)
	out, parent := h.joined[b*mostJoined:][:mostJoined], h.level.Parent[lo:hi]
	n := int32(0)
	for i, u := range h.fine[lo:hi] {
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
	h.start[b] = n
}

// closeBlock moves a block's joined unknowns to their place in the level.
func (h *hierarchy) closeBlock(_ int, b int32) {
	lo, hi, to := h.first[b], h.first[b+1], h.start[b]
	edge := h.d.g.H * layout.Edge
	joined := h.joined[b*mostJoined:][:h.start[b+1]-to]
	copy(h.coarse[to:], joined)
	size, parent := h.level.Size[to:][:len(joined)], h.level.Parent[lo:hi]
	for i := range joined {
		size[i] = float32(edge / float64(joined[i].n))
	}
	for i := range parent {
		parent[i] += to
	}
}

// merge2 joins unknowns of whole base cells in cubes of step base cells a side.
func (h *hierarchy) merge2(step int) {
	d := h.d
	l := h.nextLevel(len(h.fine))
	for i := range h.table {
		h.table[i] = -1
	}
	dim := [3]int{(d.g.Dim[0] + step - 1) / step, (d.g.Dim[1] + step - 1) / step, (d.g.Dim[2] + step - 1) / step}
	size := float32(d.g.H * layout.Edge * float64(step))
	for i, u := range h.fine {
		at := d.g.BaseCoords(u.base)
		t := at[0]/step + dim[0]*(at[1]/step+dim[1]*(at[2]/step))
		if h.table[t] < 0 {
			h.table[t] = int32(len(h.coarse))
			h.coarse = append(h.coarse, u)
			l.Size = append(l.Size, size)
		}
		l.Parent[i] = h.table[t]
	}
	h.endLevel(l)
}
