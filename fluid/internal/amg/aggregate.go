package amg

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

const (
	// aggregateRows is the number of rows that are aggregated together, and independently of all others, so that blocks of rows run on any worker.
	// A lattice lists tetrahedra by shapes within runs of some thousands: with blocks of 2048 rows 200k of them take 24 iterations in place of 16.
	aggregateRows = 16384
	// strongLink is the least entry of a row, relative to its largest, that joins two unknowns of an aggregate.
	strongLink = .1
	// pinnedRow is the diagonal entry, relative to the others' sum, of a row that the smoother alone solves. A free surface close to an unknown
	// makes such rows. In an aggregate it would hold the others' correction at zero.
	pinnedRow = 5.0
)

// aggregator groups the unknowns of a level by the entries of its matrix: by those next to each other, within a block of rows.
// An aggregate begins with one unknown, and takes in the neighbour with the greatest part of its entries in the aggregate
// until it is full. One that remained small is dissolved into its neighbours. Unknowns without strong entries share one aggregate per
// block: smoothing solves for them.
//
// Source: Vaněk, Mandel, Brezina 1996 (aggregates of strong neighbours).
type aggregator struct {
	fill   func(a *aggregator, b *links, lo, hi int) // lists the links of rows
	s      *Solver
	l      *level // whose rows are linked, or nil: those of the finest level without its red unknowns
	wanted int    // unknowns in an aggregate

	leaveLone bool // unknowns without links have no aggregate

	parent []int32
	count  int
	block  []links
	worker []grower
}

// links are the entries of a block of rows, and its aggregates.
type links struct {
	lo, n int // first row, rows
	lists
	sum    []float32 // per row: of the entries and the diagonal, where fill sets it
	parent []int32   // per row: its aggregate in the block
	count  int       // aggregates
	first  int       // the number of the first
	before lists     // those that parent was made from
	kept   bool      // parent is as it was
}

// lists are entries by row. Strong ones are greater than least.
type lists struct {
	end   []int32
	col   []int32
	val   []float32 // times -1
	least []float32
	total []float32 // per row: of all entries beside the diagonal
	kind  []uint8   // per row
}

// equal reports whether two lists are the same.
func (a *lists) equal(b *lists) bool {
	return slices.Equal(a.end, b.end) && slices.Equal(a.kind, b.kind) && slices.Equal(a.col, b.col) && slices.Equal(a.val, b.val) &&
		slices.Equal(a.least, b.least) && slices.Equal(a.total, b.total)
}

// reserve makes room for as much as b has, so that what follows in the next step allocates nothing.
func (a *lists) reserve(b *lists) {
	a.end, a.least, a.total, a.kind = arrays.Resize(a.end, len(b.end)), arrays.Resize(a.least, len(b.least)), arrays.Resize(a.total, len(b.total)), arrays.Resize(a.kind, len(b.kind))
	a.col, a.val = arrays.Resize(a.col, len(b.col)), arrays.Resize(a.val, len(b.val))
}

// Kinds of rows.
const (
	linked   uint8 = iota
	unlinked       // no strong entries, or a pinned row
	left           // not to be aggregated
)

// grower is a worker's scratch.
type grower struct {
	of        []int32   // per row: its aggregate, or -1
	link      []float32 // per row: its entries with the current aggregate's members
	candidate []int32   // neighbours of the current aggregate
	size      []int32   // per aggregate
	number    []int32   // per aggregate: its final number

	_ [128]byte // avoids false sharing
}

// run sets parent and count for n unknowns.
func (a *aggregator) run(n int) {
	pool := a.s.pool
	a.parent = arrays.Resize(a.parent, n)
	blocks := par.Chunks(n, aggregateRows)
	a.block = arrays.Lengthen(a.block, blocks)
	for len(a.worker) < pool.Workers() {
		a.worker = append(a.worker, newGrower())
	}
	par.For(pool, n, aggregateRows, a, (*aggregator).group)
	a.count = 0
	for i := range a.block[:blocks] {
		a.block[i].first = a.count
		a.count += a.block[i].count
	}
	par.For(pool, n, aggregateRows, a, (*aggregator).renumber)
}

func newGrower() grower {
	return grower{of: make([]int32, aggregateRows), link: make([]float32, aggregateRows), candidate: make([]int32, 0, aggregateRows),
		size: make([]int32, 0, aggregateRows), number: make([]int32, aggregateRows)}
}

// group aggregates the rows of a block. Aggregates depend on its lists alone: where these are as they were, so are the aggregates.
func (a *aggregator) group(worker, lo, hi int) {
	b, g := &a.block[lo/aggregateRows], &a.worker[worker]
	b.begin(lo, hi-lo)
	a.fill(a, b, lo, hi)
	b.kept = b.equal(&b.before)
	b.before.reserve(&b.lists)
	if b.kept {
		return
	}
	b.parent = arrays.Resize(b.parent, b.n)
	g.grow(b, a.wanted)
	g.dissolve(b, int32(a.wanted))
	b.count = g.numberInOrder(b.parent, a.leaveLone)
}

// renumber counts a block's aggregates from those of the blocks before.
func (a *aggregator) renumber(_, lo, hi int) {
	b := &a.block[lo/aggregateRows]
	for i, p := range b.parent {
		if p >= 0 {
			p += int32(b.first)
		}
		a.parent[lo+i] = p
	}
}

// begin empties the block for n rows from lo on.
func (b *links) begin(lo, n int) {
	b.lo, b.n = lo, n
	b.lists, b.before = b.before, b.lists
	b.end, b.least, b.total = arrays.Resize(b.end, n+1), arrays.Resize(b.least, n), arrays.Resize(b.total, n)
	b.kind, b.sum = arrays.Resize(b.kind, n), arrays.Resize(b.sum, n)
	b.col, b.val = b.col[:0], b.val[:0]
	b.end[0] = 0
}

// add adds a link of the current row.
func (b *links) add(col int32, val float32) { b.col, b.val = append(b.col, col), append(b.val, val) }

// finish ends row i of the block, with its diagonal, the sum of its other entries and the largest of them: a pinned one has no strong links.
func (b *links) finish(i int, diag, total, top float32) {
	p, q := b.end[i], int32(len(b.col))
	b.end[i+1], b.total[i], b.least[i], b.kind[i] = q, total, strongLink*top, unlinked
	if !(diag < pinnedRow*total) {
		return
	}
	for k, j := range b.col[p:q] {
		if uint(int(j)-b.lo) < uint(b.n) && b.val[int(p)+k] > b.least[i] {
			b.kind[i] = linked
			return
		}
	}
}

// leave ends row i without an aggregate.
func (b *links) leave(i int) { b.end[i+1], b.kind[i] = int32(len(b.col)), left }

// linkLevel lists the links of a coarser level's rows.
func (a *aggregator) linkLevel(b *links, lo, hi int) {
	l := a.l
	for i := lo; i < hi; i++ {
		col, val := l.part[i/grain].row(i % grain)
		total, top := float32(0), float32(0)
		for k, j := range col {
			if v := -val[k]; v > 0 {
				total += v
				top = max(top, v)
				b.add(j, v)
			}
		}
		b.finish(i-lo, l.diag[i], total, top)
	}
}

// Marks of rows without an aggregate.
const (
	unassigned = -1
	lone       = 0 // the aggregate of rows without links
)

// grow makes the aggregates of a block.
func (g *grower) grow(b *links, wanted int) {
	of, link := g.of[:b.n], g.link[:b.n]
	for i, kind := range b.kind {
		of[i], link[i] = unassigned, 0
		if kind == unlinked {
			of[i] = lone
		}
	}
	g.of, g.size = of, append(g.size[:0], 0)
	for seed, kind := range b.kind {
		if kind == linked && of[seed] == unassigned {
			g.size = append(g.size, 0)
			g.growFrom(b, int32(seed), wanted)
		}
	}
}

// growFrom makes the newest aggregate, from one row.
func (g *grower) growFrom(b *links, at int32, wanted int) {
	own := len(g.size) - 1
	g.candidate = g.candidate[:0]
	for {
		g.of[at] = int32(own)
		g.size[own]++
		g.meet(b, at)
		if int(g.size[own]) >= wanted || len(g.candidate) == 0 {
			break
		}
		at = g.takeNearest(b)
	}
	for _, c := range g.candidate {
		g.link[c] = 0
	}
}

// meet adds the links of a new member to its neighbours.
func (g *grower) meet(b *links, at int32) {
	p, q, least := b.end[at], b.end[at+1], b.least[at]
	val, lo := b.val[p:q], int32(b.lo)
	for k, j := range b.col[p:q] {
		j -= lo
		if uint(j) >= uint(len(g.of)) || val[k] <= least || g.of[j] != unassigned || b.kind[j] != linked {
			continue
		}
		if g.link[j] == 0 {
			g.candidate = append(g.candidate, j)
		}
		g.link[j] += val[k]
	}
}

// takeNearest removes the candidate with the greatest part of its entries in the aggregate, of equal ones the first, and returns it.
func (g *grower) takeNearest(b *links) int32 {
	best, most := 0, float32(0)
	for k, c := range g.candidate {
		if v := g.link[c] / b.total[c]; v > most {
			best, most = k, v
		}
	}
	at := g.candidate[best]
	g.candidate = append(g.candidate[:best], g.candidate[best+1:]...)
	g.link[at] = 0
	return at
}

// dissolve moves the members of aggregates of less than half the wanted size into neighbours that are no smaller, and of at most once and a half of
// it. A move increases the sum of the sizes' squares, so that it ends.
func (g *grower) dissolve(b *links, wanted int32) {
	for changed := true; changed; {
		changed = false
		for i, own := range g.of {
			if own <= lone || g.size[own] >= (wanted+1)/2 {
				continue
			}
			best, most := int32(lone), float32(0)
			for e := b.end[i]; e < b.end[i+1]; e++ {
				j := int(b.col[e]) - b.lo
				if uint(j) >= uint(b.n) || b.val[e] <= b.least[i] {
					continue
				}
				if o := g.of[j]; o > lone && o != own && g.size[o] >= g.size[own] && g.size[o] < wanted*3/2 && b.val[e] > most {
					best, most = o, b.val[e]
				}
			}
			if best != lone {
				g.size[own]--
				g.size[best]++
				g.of[i] = best
				changed = true
			}
		}
	}
}

// numberInOrder numbers the aggregates in the order of their first rows, into parent, and returns how many there are.
func (g *grower) numberInOrder(parent []int32, leaveLone bool) int {
	g.number = arrays.Resize(g.number, len(g.size))
	for i := range g.number {
		g.number[i] = unassigned
	}
	next := int32(0)
	for i, o := range g.of {
		if o == unassigned || o == lone && leaveLone {
			parent[i] = unassigned
			continue
		}
		if g.number[o] < 0 {
			g.number[o] = next
			next++
		}
		parent[i] = g.number[o]
	}
	return int(next)
}
