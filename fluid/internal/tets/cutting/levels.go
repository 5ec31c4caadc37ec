package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// coarsest is how few unknowns end the hierarchy.
const coarsest = 48

// sizePart is what multigrid takes for the size of a vertex's cell, in edges of the layout's. Entries between aggregates are sums of those of the cells, and count by
// the ratio of the sizes, to become area over size as on a grid of such aggregates. Across a cell's side the lattice's add up to 7/4 of the edge, of four hexagons
// 3/8 each and of two squares 1/8, where that has 1.
const sizePart = 4. / 7

// unknown is the vertices of a cell, or an aggregate of cells, of one base cell.
type unknown struct {
	base int32
	at   uint16 // x + n·(y + n·z) of n per edge
	n    uint8
}

// hierarchy makes the graph's levels: the vertices of a cell, its centre and its low corner, become one unknown, then 2³ of these at a time until a base
// cell is one, then 2³ base cells at a time.
type hierarchy struct {
	d *Discretiser

	fine   []unknown // of the last level
	coarse []unknown // of the one that is being made
	joined []unknown
	first  []int32 // per base cell: its first entry in fine
	start  []int32 // likewise in the level that is being made
	level  *graph.Aggregation
	gr     *graph.Graph
	table  []int32 // coarse base cell → unknown
}

func (h *hierarchy) run(gr *graph.Graph) {
	d, n := h.d, h.d.g.Bases()
	gr.Levels = gr.Levels[:0]
	if gr.Rows <= coarsest {
		return
	}
	h.gr = gr
	h.fine = arrays.Resize(h.fine, gr.Rows)
	h.first = arrays.Resize(h.first, n+1)
	for b := range h.first {
		h.first[b] = d.rows.counts[b].rows
	}
	par.Each(d.pool, n, fillGrain, h, (*hierarchy).placeRows)
	h.halve((*hierarchy).joinCells)
	for edge := layout.Edge; edge > 1 && len(h.fine) > coarsest; edge /= 2 {
		h.halve((*hierarchy).joinBlock)
	}
	h.table = arrays.Resize(h.table, n)
	for step := 2; len(h.fine) > coarsest && step < 2*max(d.g.Dim[0], d.g.Dim[1], d.g.Dim[2]); step *= 2 {
		h.merge(step)
	}
	h.gr = nil
}

// placeRows finds the cell that each of a base cell's rows is the centre or the low corner of. At the layout's high sides it is the next one, and at blocks of
// smaller cells that which it is in.
func (h *hierarchy) placeRows(_ int, b int32) {
	d := h.d
	level, lo := d.g.Cur.Level[b], d.g.Corner(b)
	n, inv := 1<<level, 1/d.g.CellSize(level)
	for r := h.first[b]; r < h.first[b+1]; r++ {
		at, stride, x := 0, 1, &d.l.Position[d.rows.vertex[r]]
		for a := range x {
			at += stride * max(0, min(n-1, int(float64((x[a]-lo[a])*inv)+.01)))
			stride *= n
		}
		h.fine[r] = unknown{b, uint16(at), uint8(n)}
	}
}

// nextLevel appends a level for the current unknowns, reusing its arrays.
func (h *hierarchy) nextLevel() *graph.Aggregation {
	gr := h.gr
	if len(gr.Levels) < cap(gr.Levels) {
		gr.Levels = gr.Levels[:len(gr.Levels)+1]
	} else {
		gr.Levels = append(gr.Levels, graph.Aggregation{})
	}
	l := &gr.Levels[len(gr.Levels)-1]
	l.Parent, l.Size, h.coarse = arrays.Resize(l.Parent, len(h.fine)), l.Size[:0], h.coarse[:0]
	return l
}

func (h *hierarchy) endLevel(l *graph.Aggregation) {
	l.Count = len(h.coarse)
	h.fine, h.coarse = h.coarse, h.fine
}

// halve joins unknowns less than a base cell wide: first within each base cell, by join, then it closes the gaps.
func (h *hierarchy) halve(join func(h *hierarchy, worker int, b int32)) {
	d := h.d
	h.level = h.nextLevel()
	n := d.g.Bases()
	h.joined, h.start = arrays.Resize(h.joined, len(h.fine)), arrays.Resize(h.start, n+1)
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

// joinCells joins the rows of each cell.
func (h *hierarchy) joinCells(worker int, b int32) { h.join(worker, b, 0) }

// joinBlock joins unknowns by eights.
func (h *hierarchy) joinBlock(worker int, b int32) { h.join(worker, b, 1) }

// join joins a base cell's unknowns that are at the same place when it is shifted down. It leaves the joined ones in joined, from where the fine ones begin,
// their count in start and each fine one's among them in Parent.
func (h *hierarchy) join(worker int, b int32, shift int) {
	lo, hi := h.first[b], h.first[b+1]
	h.start[b] = 0
	if lo == hi {
		return
	}
	s := &h.d.work[worker]
	cells := int(h.fine[lo].n)
	to := max(1, cells>>shift)
	s.table = arrays.Resize(s.table, layout.Edge*layout.Edge*layout.Edge)
	table := s.table[:to*to*to]
	for t := range table {
		table[t] = none
	}
	out, parent := h.joined[lo:hi], h.level.Parent[lo:hi]
	n := int32(0)
	for i, u := range h.fine[lo:hi] {
		at := int(u.at)
		x, y, z := at%cells, at/cells%cells, at/cells/cells
		if cells > 1 {
			x, y, z = x>>shift, y>>shift, z>>shift
		}
		u.at, u.n = uint16(x+to*(y+to*z)), uint8(to)
		if table[u.at] == none {
			table[u.at] = n
			out[n] = u
			n++
		}
		parent[i] = table[u.at]
	}
	h.start[b] = n
}

// closeBlock moves a base cell's joined unknowns to their place in the level.
func (h *hierarchy) closeBlock(_ int, b int32) {
	lo, hi, to := h.first[b], h.first[b+1], h.start[b]
	joined := h.joined[lo:][:h.start[b+1]-to]
	copy(h.coarse[to:], joined)
	size, parent := h.level.Size[to:][:len(joined)], h.level.Parent[lo:hi]
	for i := range joined {
		size[i] = float32(h.d.domain.baseEdge / float64(joined[i].n))
	}
	for i := range parent {
		parent[i] += to
	}
}

// merge joins unknowns of whole base cells in cubes of step base cells a side.
func (h *hierarchy) merge(step int) {
	d := h.d
	l := h.nextLevel()
	for i := range h.table {
		h.table[i] = none
	}
	dim := [3]int{(d.g.Dim[0] + step - 1) / step, (d.g.Dim[1] + step - 1) / step, (d.g.Dim[2] + step - 1) / step}
	size := float32(d.domain.baseEdge * float64(step))
	for i, u := range h.fine {
		at := d.g.BaseCoords(u.base)
		t := at[0]/step + dim[0]*(at[1]/step+dim[1]*(at[2]/step))
		if h.table[t] == none {
			h.table[t] = int32(len(h.coarse))
			h.coarse = append(h.coarse, u)
			l.Size = append(l.Size, size)
		}
		l.Parent[i] = h.table[t]
	}
	h.endLevel(l)
}
