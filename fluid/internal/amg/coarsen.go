package amg

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// rows are sparse rows one after the other, diagonals apart: row i has the entries end[i] to end[i+1].
type rows struct {
	end []int32
	col []int32
	val []float32
}

func (r *rows) reset() { r.end, r.col, r.val = append(r.end[:0], 0), r.col[:0], r.val[:0] }

// row gives the columns and values of row i.
func (r *rows) row(i int) ([]int32, []float32) {
	p, q := r.end[i], r.end[i+1]
	return r.col[p:q], r.val[p:q]
}

// coarsen builds coarse level k from the next finer one.
func (s *Solver) coarsen(k int) {
	l := s.level[k]
	l.finer, l.coarser, l.left, l.above = nil, nil, s.fine.y, s.fine.diag
	if k > 0 {
		f := s.level[k-1]
		f.coarser = l
		l.finer, l.left, l.above = f, f.y, f.diag
	}
	for w := range s.summing {
		s.summing[w].reset(l.n)
	}
	par.For(s.pool, l.n, grain, l, (*level).sumRows)
}

// listChildren chains the children of every unknown, in order.
func (l *level) listChildren(from *Level) {
	n := len(from.Size)
	if len(from.Parent) != n {
		panic(fmt.Sprintf("amg: %d parents for %d unknowns", len(from.Parent), n))
	}
	l.join, l.sibling, l.child = arrays.Resize(l.join, n), arrays.Resize(l.sibling, n), arrays.Resize(l.child, l.n)
	for i := range l.child {
		l.child[i] = -1
	}
	size, joins, sibling, child := from.Size[:n], l.join[:n], l.sibling[:n], l.child
	for i := n - 1; i >= 0; i-- {
		p := from.Parent[i]
		if uint(p) >= uint(len(child)) {
			panic(fmt.Sprintf("amg: parent %d of %d", p, l.n))
		}
		joins[i] = join{p, size[i]}
		sibling[i], child[p] = child[p], int32(i)
	}
}

// join is what the sums need of a finer level's unknown: its parent and its size.
type join struct {
	parent int32
	size   float32
}

// summing is a worker's scratch for rows that are sums of others. The row being made has column j at
// mark[j] - serial, if that is less than its length; marks below serial are of rows before.
type summing struct {
	mark   []uint32
	serial uint32
	col    []int32
	val    []float32
	kept   []int32 // places of the children that a residual is taken from, for the rows of a slice
	count  int     // of them

	weight    float32 // sum of the children's D
	left, rhs float64 // sums of squares over the part: of the residual and of the right-hand side

	_ [128]byte // keeps workers off each other's cache lines
}

// children is how many an unknown has at most on a grid.
const children = 8

// reset makes room for n columns. All workers have theirs made at the same time, since
// which one needs it first is left to chance.
func (u *summing) reset(n int) {
	if u.kept == nil {
		u.kept = make([]int32, children*lanes+1)
	}
	u.mark = arrays.Resize(u.mark, n)
	clear(u.mark)
	u.serial = 1
}

// finish appends the row, of an unknown of the given size, to r and gives its values: the sums of entries times the
// sum of their two sizes over that of the two coarse sizes.
func (u *summing) finish(r *rows, own float32, size []float32) []float32 {
	begin := len(r.col)
	r.col, r.val = append(r.col, u.col...), append(r.val, u.val...)
	r.end = append(r.end, int32(len(r.col)))
	val := r.val[begin:]
	for k, j := range u.col {
		val[k] /= own + size[j]
	}
	u.serial += uint32(len(val))
	u.col, u.val = u.col[:0], u.val[:0]
	return val
}

// noteChild notes a child's place, to be taken into the restriction if so told.
func (u *summing) noteChild(place int32, take bool) {
	if u.count == len(u.kept) {
		u.kept = append(u.kept, 0)
		u.kept = u.kept[:cap(u.kept)]
	}
	u.kept[u.count] = place
	n := 0
	if take {
		n = 1
	}
	u.count += n
}

// sumRows sums the children's rows into the rows lo ≤ i < hi.
func (l *level) sumRows(worker, lo, hi int) {
	s := l.s
	u, p := &s.summing[worker], &l.part[lo/grain]
	p.reset()
	p.matrix.reset()
	p.restrict.reset()
	u.left, u.rhs = 0, 0
	number := lo / grain
	for ; lo < hi; lo += lanes {
		var kept [lanes + 1]int
		u.count = 0
		end := min(hi, lo+lanes)
		for i := lo; i < end; i++ {
			u.weight = 0
			s.sumChildren(l, int32(i), u)
			l.setDiagonal(i, u.finish(&p.rows, l.size[i], l.size), u.weight)
			kept[i-lo+1] = u.count
		}
		for lane := end - lo; lane < lanes; lane++ {
			kept[lane+1] = u.count
		}
		l.setSlice(p, lo, end)
		l.setRestriction(p, lo, &kept, u.kept)
	}
	if l.finer == nil {
		s.partial[number] = sums{{u.left}, {u.rhs}}
	}
}

// sumChildren makes the sum of the rows of i's children in u, and sets the row sum.
func (s *Solver) sumChildren(l *level, i int32, u *summing) {
	if l.finer == nil {
		l.dir[i] = s.sumFinest(l, i, u)
		return
	}
	f, own, dir := l.finer, l.size[i], float32(0)
	for c := l.child[i]; c >= 0; c = l.sibling[c] {
		u.noteChild(c, true)
		u.weight += f.diag[c]
		mine := l.join[c].size
		dir += float32(f.dir[c] * (mine / own))
		col, val := f.part[c/grain].row(int(c) % grain)
		val = val[:len(col)]
		for k, j := range col {
			if o := &l.join[j]; o.parent != i {
				u.add(o.parent, float32(val[k]*(mine+o.size)))
			}
		}
	}
	l.dir[i] = dir
}

// add adds to column j of the row.
func (u *summing) add(j int32, v float32) {
	if at := uint(u.mark[j] - u.serial); at < uint(len(u.val)) {
		u.val[at] += v
		return
	}
	u.mark[j] = u.serial + uint32(len(u.val))
	u.col, u.val = append(u.col, j), append(u.val, v)
}

// setDiagonal sets D of row i from the row sum and the other entries, of which those above zero are
// dropped. A row without any is a closed component, which a still coarser unknown may join to others: it gets its children's weight, so
// that it takes from that unknown's residual what it gives to it, and the preconditioner stays symmetric.
func (l *level) setDiagonal(i int, val []float32, weight float32) {
	sum := l.dir[i]
	for k, v := range val {
		if v > 0 {
			val[k], v = 0, 0
		}
		sum -= v
	}
	if !(sum > 0) {
		sum = weight
	}
	l.diag[i] = sum
}

// inverse is 1/D of row i, or 0 where D is.
func (l *level) inverse(i int) float32 {
	if d := l.diag[i]; d > 0 {
		return 1 / d
	}
	return 0
}

// setSlice makes the slice of D⁻¹L of the rows lo ≤ i < hi.
func (l *level) setSlice(p *part, lo, hi int) {
	first := lo % grain
	width := int32(0)
	for k := range hi - lo {
		width = max(width, p.end[first+k+1]-p.end[first+k])
	}
	of := p.matrix.grow(int(width))
	for lane := range lanes {
		at := 0
		if i := lo + lane; i < hi {
			inv := l.inverse(i)
			col, val := p.row(first + lane)
			of, val := of[:len(col)], val[:len(col)]
			for k, j := range col {
				of[k].col[lane], of[k].val[lane] = j, val[k]*inv
			}
			at = len(col)
		}
		idle(of[at:], lane, lo)
	}
}

// correction is the part of the coarse solution that is used: on grids of mixed sizes, where coarse
// distances are not all twice the fine ones, from .85 to .95 save up to an iteration in ten.
const correction = .9

// setRestriction makes the slice of the restriction to the rows from lo on: each lane's children that
// are taken from end where the next one's.
func (l *level) setRestriction(p *part, lo int, end *[lanes + 1]int, kept []int32) {
	width := 0
	for lane := range lanes {
		width = max(width, end[lane+1]-end[lane])
	}
	of := p.restrict.grow(width)
	for lane := range lanes {
		taken, by := kept[end[lane]:end[lane+1]], float32(0)
		if len(taken) > 0 {
			by = l.inverse(lo + lane)
		}
		if l.n != len(l.join) {
			by *= correction
		}
		for k, c := range taken {
			of[k].col[lane], of[k].val[lane] = c, by*l.above[c]
		}
		idle(of[len(taken):], lane, 0)
	}
}
