package amg

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// rows are compressed sparse rows without diagonals: row i has the entries end[i] to end[i+1].
type rows struct {
	end []int32
	col []int32
	val []float32
}

func (r *rows) reset() { r.end, r.col, r.val = append(r.end[:0], 0), r.col[:0], r.val[:0] }

// row returns the columns and values of row i.
func (r *rows) row(i int) ([]int32, []float32) {
	p, q := r.end[i], r.end[i+1]
	return r.col[p:q], r.val[p:q]
}

// coarsen builds coarse level k from the next finer one.
func (s *Solver) coarsen(k int) {
	l := s.level[k]
	l.finer, l.coarser, l.finerResidual, l.finerDiag = nil, nil, s.fine.y, s.fine.diag
	if k > 0 {
		f := s.level[k-1]
		f.coarser = l
		l.finer, l.finerResidual, l.finerDiag = f, f.y, f.diag
	}
	for w := range s.accumulators {
		s.accumulators[w].reset(l.n)
	}
	par.For(s.pool, l.n, grain, l, (*level).sumRows)
}

// listChildren chains the children of every unknown, in order. list tells whether to fill unknowns, too: of the finest level finest has them.
func (l *level) listChildren(from *Level, list bool) {
	n := len(from.Size)
	if len(from.Parent) != n {
		panic(fmt.Sprintf("amg: %d parents for %d unknowns", len(from.Parent), n))
	}
	l.sibling, l.child = arrays.Resize(l.sibling, n), arrays.Resize(l.child, l.n)
	if l.unknowns = l.unknowns[:0]; list {
		l.unknowns = arrays.Resize(l.unknowns, n)
	}
	for i := range l.child {
		l.child[i] = -1
	}
	unknowns, sibling, child := l.unknowns, l.sibling[:n], l.child
	for i := n - 1; i >= 0; i-- {
		p := from.Parent[i]
		if list {
			unknowns[i] = finerUnknown{p, from.Size[i]}
		}
		if p == unassigned && l.s.kind == onBlack {
			continue
		}
		if uint(p) >= uint(len(child)) {
			panic(fmt.Sprintf("amg: parent %d of %d", p, l.n))
		}
		sibling[i], child[p] = child[p], int32(i)
	}
}

// finerUnknown is what a coarse row's sums need of an unknown of the finer level.
type finerUnknown struct {
	parent int32
	size   float32
}

// rowAccumulator is a worker's scratch for rows that are sums of finer rows. Column j of the current row is at
// mark[j] - serial, if that is less than the row's length; smaller marks belong to earlier rows.
type rowAccumulator struct {
	mark   []uint32
	serial uint32
	col    []int32
	val    []float32
	kept   []int32 // the children's places that enter the restriction, for the rows of a slice
	count  int     // of them

	weight    float32 // sum of the children's D
	left, rhs float64 // sums of squares over the part: of the finer level's residual and of the right-hand side

	_ [128]byte // avoids false sharing
}

// children is the largest number of children of an unknown on a grid.
const children = 8

// reset makes room for n columns. It is called for all workers at once, so that no allocation depends on which
// worker runs a chunk.
func (u *rowAccumulator) reset(n int) {
	if u.kept == nil {
		u.kept = make([]int32, children*lanes+1)
	}
	u.mark = arrays.Resize(u.mark, n)
	clear(u.mark)
	u.serial = 1
}

// finish appends the current row, of an unknown of size own, to r and returns its values: each sum divided by the sum of its
// two coarse sizes.
func (u *rowAccumulator) finish(r *rows, own float32, size []float32) []float32 {
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

// noteChild adds a child's place to the restriction if take is set.
func (u *rowAccumulator) noteChild(place int32, take bool) {
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

// sumRows sums the children's rows to the rows lo ≤ i < hi.
func (l *level) sumRows(worker, lo, hi int) {
	s := l.s
	u, p := &s.accumulators[worker], &l.part[lo/grain]
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
	if l.finer == nil && s.kind != onBlack {
		s.partial[number] = sums{{u.left}, {u.rhs}}
	}
}

// sumChildren sums the rows of i's children in u, and sets the row sum.
func (s *Solver) sumChildren(l *level, i int32, u *rowAccumulator) {
	if l.finer == nil {
		if s.kind == onBlack {
			l.dir[i] = s.sumReduced(l, i, u)
		} else {
			l.dir[i] = s.sumFinest(l, i, u)
		}
		return
	}
	f, own, dir := l.finer, l.size[i], float32(0)
	for c := l.child[i]; c >= 0; c = l.sibling[c] {
		u.noteChild(c, true)
		u.weight += f.diag[c]
		mine := l.unknowns[c].size
		dir += float32(f.dir[c] * (mine / own))
		col, val := f.part[c/grain].row(int(c) % grain)
		val = val[:len(col)]
		for k, j := range col {
			if o := &l.unknowns[j]; o.parent != i {
				u.add(o.parent, float32(val[k]*(mine+o.size)))
			}
		}
	}
	l.dir[i] = dir
}

// add adds v to column j of the current row.
func (u *rowAccumulator) add(j int32, v float32) {
	if at := uint(u.mark[j] - u.serial); at < uint(len(u.val)) {
		u.val[at] += v
		return
	}
	u.mark[j] = u.serial + uint32(len(u.val))
	u.col, u.val = append(u.col, j), append(u.val, v)
}

// setDiagonal sets D of row i from the row sum and the other entries. Positive entries are
// dropped. A row without entries is a closed component, which a coarser level may merge with others. It gets its children's weight: restriction
// and prolongation then stay transposes, and the preconditioner symmetric.
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

// inverse returns 1/D of row i, or 0 where D is.
func (l *level) inverse(i int) float32 {
	if d := l.diag[i]; d > 0 {
		return 1 / d
	}
	return 0
}

// setSlice fills the slice of D⁻¹L of the rows lo ≤ i < hi.
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
		pad(of[at:], lane, lo)
	}
}

// correction scales the coarse solution. On grids of mixed sizes coarse
// distances are not all twice the fine ones; values from .85 to .95 save up to one iteration in ten.
const correction = .9

// setRestriction fills the slice of the restriction to the rows from lo on. kept lists the children of all
// lanes; those of a lane end at end[lane+1].
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
		if l.n != len(l.sibling) && l.s.kind != onBlack {
			by *= correction
		}
		for k, c := range taken {
			of[k].col[lane], of[k].val[lane] = c, by*l.finerDiag[c]
		}
		pad(of[len(taken):], lane, 0)
	}
}
