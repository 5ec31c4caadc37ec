package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// gaussSeidelRows is the number of rows in which a sweep uses what it has just found. Between such blocks the sweep is Jacobi's, so that they run on any
// worker with the same bits. D bounds the rows' sums, so that a forward and a backward sweep never amplify an error (Baker, Falgout, Kolev, Yang 2011).
const gaussSeidelRows = 4 * grain

// sweepBoth runs a forward and a backward sweep on x.
func (s *Solver) sweepBoth(l *level) {
	s.overBlocks(l, (*level).keepOld)
	s.overBlocks(l, (*level).sweepForward)
	s.overBlocks(l, (*level).keepOld)
	s.overBlocks(l, (*level).sweepBackward)
}

// overBlocks runs body over blocks of rows.
func (s *Solver) overBlocks(l *level, body func(l *level, worker, lo, hi int)) {
	if l.n <= serialRows {
		body(l, 0, 0, l.n)
		return
	}
	par.For(s.pool, l.n, gaussSeidelRows, l, body)
}

// keepOld copies x to y, where the blocks' sweeps read each other's rows.
func (l *level) keepOld(_, lo, hi int) { copy(l.y[lo:hi], l.x[lo:hi]) }

func (l *level) sweepForward(_, lo, hi int) {
	for i := lo; i < hi; i++ {
		l.relax(i, lo, hi)
	}
}

func (l *level) sweepBackward(_, lo, hi int) {
	for i := hi - 1; i >= lo; i-- {
		l.relax(i, lo, hi)
	}
}

// relax solves row i for its unknown, those out of the block as they were before the sweep.
func (l *level) relax(i, lo, hi int) {
	d := l.diag[i]
	if d <= 0 {
		return
	}
	col, val := l.part[i/grain].row(i % grain)
	val = val[:len(col)]
	sum := float32(0)
	for k, j := range col {
		if int(j) >= lo && int(j) < hi {
			sum += float32(val[k] * l.x[j])
		} else {
			sum += float32(val[k] * l.y[j])
		}
	}
	left := l.b[i] - sum/d
	if len(l.unit) > 0 {
		left += float32((1 - l.unit[i]) * l.x[i])
	}
	l.x[i] = left
}
