package amg

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// interpolation is the scratch of levels whose unknowns are interpolated from several coarse ones.
type interpolation struct {
	copied []Level // the levels of setupAll
	greedy greedy
	maker  aggregator // of the aggregates that are smoothed
	next   []int32    // per coarse unknown: where its next entry goes
}

// transfer is the interpolation P from a level to the next finer one, and its transpose. Rows of P sum to one, or are empty: those of unknowns that
// only smoothing corrects.
type transfer struct {
	part    []rows   // P by parts of grain finer unknowns
	prolong []sliced // the same
	end     []int32  // Pᵀ: coarse unknown i has the entries end[i] to end[i+1]
	row     []int32
	val     []float32
}

// interpolate builds level k+1 from level k and the interpolation that fill makes; fill returns the number of coarse unknowns. It returns false if
// they are not much fewer.
func (s *Solver) interpolate(k int, fill func(l *level, t *transfer) int) bool {
	f, l := s.level[k], s.grow(k+1)
	t := &l.transfer
	for parts := par.Chunks(f.n, grain); len(t.part) < parts; {
		t.part, t.prolong = append(t.part, rows{}), append(t.prolong, sliced{})
	}
	n := fill(f, t)
	if float64(n) > (1-leastCoarsening)*float64(f.n) {
		return false
	}
	l.resize(n)
	l.parent, l.size, f.parent = nil, nil, nil
	l.unit = arrays.Resize(l.unit, n)
	l.finer, l.coarser, l.finerResidual, l.finerDiag, f.coarser = f, nil, f.y, f.diag, l
	s.depth++
	s.transpose(f.n, n, t)
	for w := range s.accumulators {
		s.accumulators[w].reset(n)
	}
	par.For(s.pool, f.n, grain, l, (*level).setProlongation)
	par.For(s.pool, n, grain, l, (*level).projectRows)
	return true
}

// transpose lists the entries of Pᵀ.
func (s *Solver) transpose(fine, coarse int, t *transfer) {
	t.end, s.next = arrays.Resize(t.end, coarse+1), arrays.Resize(s.next, coarse)
	clear(t.end)
	parts := t.part[:par.Chunks(fine, grain)]
	for p := range parts {
		for _, c := range parts[p].col {
			t.end[c+1]++
		}
	}
	for i := range coarse {
		s.next[i] = t.end[i]
		t.end[i+1] += t.end[i]
	}
	entries := int(t.end[coarse])
	t.row, t.val = arrays.Resize(t.row, entries), arrays.Resize(t.val, entries)
	for i := range fine {
		col, val := parts[i/grain].row(i % grain)
		for k, c := range col {
			at := s.next[c]
			t.row[at], t.val[at] = int32(i), val[k]
			s.next[c]++
		}
	}
}

// setProlongation fills the slices of P of the finer unknowns lo ≤ i < hi.
func (l *level) setProlongation(_, lo, hi int) {
	t := &l.transfer
	p, a := &t.part[lo/grain], &t.prolong[lo/grain]
	a.reset()
	for ; lo < hi; lo += lanes {
		width, end := int32(0), min(hi, lo+lanes)
		for i := lo % grain; i < lo%grain+end-lo; i++ {
			width = max(width, p.end[i+1]-p.end[i])
		}
		of := a.grow(int(width))
		for lane := range lanes {
			at := 0
			if lo+lane < hi {
				col, val := p.row((lo + lane) % grain)
				for k, c := range col {
					of[k].col[lane], of[k].val[lane] = c, val[k]
				}
				at = len(col)
			}
			pad(of[at:], lane, 0)
		}
	}
}

// projectRows fills the rows lo ≤ i < hi of PᵀLP, with their D, and of the restriction.
func (l *level) projectRows(worker, lo, hi int) {
	u, p := &l.s.accumulators[worker], &l.part[lo/grain]
	p.reset()
	p.matrix.reset()
	p.restrict.reset()
	for ; lo < hi; lo += lanes {
		end := min(hi, lo+lanes)
		for i := lo; i < end; i++ {
			l.projectRow(int32(i), u)
			u.keep(&p.rows)
			l.boundDiagonal(i, p)
		}
		l.setSlice(p, lo, end)
		l.addUnits(p, lo, end)
		l.setProjection(p, lo, end)
	}
}

// projectRow sums row i of PᵀLP in u, and sets the row sum.
func (l *level) projectRow(i int32, u *rowAccumulator) {
	f, t := l.finer, &l.transfer
	dir := float32(0)
	for e := t.end[i]; e < t.end[i+1]; e++ {
		c, w := t.row[e], t.val[e]
		dir += float32(w * f.dir[c])
		own := f.dir[c]
		col, val := f.part[c/grain].row(int(c) % grain)
		for k, j := range col {
			own -= val[k]
			if v := float32(w * val[k]); !u.addInterpolated(i, t, j, v) {
				dir -= v
			}
		}
		u.addInterpolated(i, t, c, float32(w*own))
	}
	l.dir[i] = dir
}

// addInterpolated adds v times row j of P to the current row i, but for its diagonal. It returns false if row j is empty.
func (u *rowAccumulator) addInterpolated(i int32, t *transfer, j int32, v float32) bool {
	col, val := t.part[j/grain].row(int(j) % grain)
	for k, c := range col {
		if c != i {
			u.add(c, float32(v*val[k]))
		}
	}
	return len(col) > 0
}

// keep appends the current row to r.
func (u *rowAccumulator) keep(r *rows) {
	r.col, r.val = append(r.col, u.col...), append(r.val, u.val...)
	r.end = append(r.end, int32(len(r.col)))
	u.serial += uint32(len(u.col))
	u.col, u.val = u.col[:0], u.val[:0]
}

// boundDiagonal sets D of row i to its diagonal entry or, if that is more, to half the sum of all: eigenvalues of D⁻¹L are then at most 2, and sweeps by blocks
// never amplify an error.
func (l *level) boundDiagonal(i int, p *part) {
	_, val := p.row(i % grain)
	own, sum := l.dir[i], float32(0)
	for _, v := range val {
		own -= v
		sum += max(v, -v)
	}
	l.diag[i], l.unit[i] = 0, 1
	if d := max(own, (own+sum)/2); d > 0 {
		l.diag[i], l.unit[i] = d, own/d
	}
}

// addUnits corrects the slice of D⁻¹L of the rows lo ≤ i < hi for diagonals that are not 1.
func (l *level) addUnits(p *part, lo, hi int) {
	any := false
	for _, v := range l.unit[lo:hi] {
		any = any || v != 1
	}
	if !any {
		return
	}
	a := &p.matrix
	last := len(a.first) - 1
	if n := len(a.entry); n == cap(a.entry) {
		a.entry = append(a.entry, entry{})
	} else {
		a.entry = a.entry[:n+1]
	}
	a.first[last]++
	e := &a.entry[a.first[last]-1]
	for lane := range lanes {
		e.col[lane], e.val[lane] = int32(lo), 0
		if i := lo + lane; i < hi {
			e.col[lane], e.val[lane] = int32(i), l.unit[i]-1
		}
	}
}

// setProjection fills the slice of the restriction to the rows lo ≤ i < hi.
func (l *level) setProjection(p *part, lo, hi int) {
	t, width := &l.transfer, int32(0)
	for i := lo; i < hi; i++ {
		width = max(width, t.end[i+1]-t.end[i])
	}
	of := p.restrict.grow(int(width))
	for lane := range lanes {
		at := 0
		if i := lo + lane; i < hi {
			inv := l.inverse(i)
			for e := t.end[i]; e < t.end[i+1]; e++ {
				c := t.row[e]
				of[at].col[lane], of[at].val[lane] = c, float32(t.val[e]*inv)*l.finerDiag[c]
				at++
			}
		}
		pad(of[at:], lane, 0)
	}
}
