package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// step is a step of an iteration on D⁻¹L x = b: alpha·x + beta·(the previous x) + gamma·(residual).
type step struct{ alpha, beta, gamma float32 }

const (
	// lambdaMax bounds the eigenvalues of every level's D⁻¹L.
	lambdaMax = 2.0
	// eigenRatio is λmax over the lowest eigenvalue that the smoother damps. From 4 to 8 the iteration
	// counts differ by one at most; 2 and 12 cost a third more. One smoothing step in place of
	// two halves the work and takes 2.5 times the iterations.
	eigenRatio = 5.0
)

// The degree-2 Chebyshev smoother on [λmax/spread, λmax] of D⁻¹L. Its error polynomial stays inside
// (-1, 1) on (0, λmax], so it is positive definite.
// Source: Adams, Brezina, Hu, Tuminaro 2003; recurrence of Saad 2003, alg. 12.1.
const (
	theta, delta = lambdaMax * (1 + 1/eigenRatio) / 2, lambdaMax * (1 - 1/eigenRatio) / 2
	rho          = 1 / (2*theta/delta - delta/theta)
	momentum     = rho * delta / theta
	gain         = 2 * rho / delta
)

var (
	firstStep  = step{1, 0, 1 / theta}
	secondStep = step{1 + momentum, -momentum, gain}
	// fromZero is both steps from zero in one, applied to b in place of x and with the residual
	// b - D⁻¹L b.
	fromZero = step{(1+momentum)/theta + gain - gain/theta, 0, gain / theta}
	// residual is the step that returns the residual alone.
	residual = step{0, 0, 1}
)

// smoothFromZero sets x of the rows lo ≤ i < hi to both smoothing steps from zero.
func (l *level) smoothFromZero(_, lo, hi int) { l.smooth(lo, hi, l.x, l.b, l.b, fromZero) }

// findResidual sets y to the residual over D.
func (l *level) findResidual(_, lo, hi int) { l.smooth(lo, hi, l.y, l.x, l.x, residual) }

// smoothFirst sets y to the first smoothing step from x.
func (l *level) smoothFirst(_, lo, hi int) { l.smooth(lo, hi, l.y, l.x, l.x, firstStep) }

// smoothSecond sets x to the second smoothing step from y.
func (l *level) smoothSecond(_, lo, hi int) { l.smooth(lo, hi, l.x, l.y, l.x, secondStep) }

// smoothLong sets y to the next step of smoothAtLength from x.
func (l *level) smoothLong(_, lo, hi int) { l.smooth(lo, hi, l.y, l.x, l.y, l.step) }

// prolong adds the coarser level's solution to x.
func (l *level) prolong(_, lo, hi int) {
	c := l.coarser
	if l.parent == nil {
		for ; lo < hi; lo += grain {
			a, end := &c.transfer.prolong[lo/grain], padded(min(hi, lo+grain))
			accumulate(l.x[lo:end], l.x[lo:end], c.x, a.first, a.entry)
		}
		return
	}
	prolong(l.x[lo:hi], l.x[lo:hi], c.x, l.parent[lo:hi])
}

// smooth runs one step on the rows lo ≤ i < hi of x into out. before is the previous x.
func (l *level) smooth(lo, hi int, out, x, before []float32, c step) {
	for ; lo < hi; lo += grain {
		a, end := &l.part[lo/grain].matrix, padded(min(hi, lo+grain))
		sweep(out[lo:end], x[lo:end], before[lo:end], l.b[lo:end], x, a.first, a.entry, c.alpha, c.beta, c.gamma)
	}
}

// restrict sets the right-hand sides lo ≤ i < hi of l to the sums of its children's residuals.
func (l *level) restrict(_, lo, hi int) {
	for ; lo < hi; lo += grain {
		a := &l.part[lo/grain].restrict
		multiply(l.b[lo:padded(min(hi, lo+grain))], l.finerResidual, a.first, a.entry)
	}
}

const (
	// coarsestDegree and coarsestSpread smooth a last level too large to solve directly: the
	// error polynomial is below 0.08 down to λmax/100.
	coarsestDegree = 16
	coarsestSpread = 100.0
)

// smoothAtLength sets x of the last level to the result of a Chebyshev iteration from zero.
func (s *Solver) smoothAtLength(l *level) {
	const theta, delta = lambdaMax * (1 + 1/coarsestSpread) / 2, lambdaMax * (1 - 1/coarsestSpread) / 2
	clear(l.y)
	for i, b := range l.b {
		l.x[i] = b / theta
	}
	rho := delta / theta
	for range coarsestDegree - 1 {
		next := 1 / (2*theta/delta - rho)
		l.step = step{float32(1 + float64(next*rho)), float32(-next * rho), float32(2 * next / delta)}
		rho = next
		s.overRows(l, (*level).smoothLong)
		l.x, l.y = l.y, l.x
	}
}

// precondition sets y of the finest level from the residual in b. It is a fixed, symmetric,
// positive definite linear map of the black unknowns, up to single-precision rounding: smoothers before
// and after the coarse solution are each other's transpose, on coarser levels the same polynomial in
// D⁻¹L, and coarse matrices are semidefinite. The red part of y follows from the black part.
func (s *Solver) precondition() {
	s.vcycle()
	if s.woodbury.rank > 0 {
		s.woodbury.correct(s)
	}
	s.overZones((*Solver).solveRedZone)
}

// vcycle sets the black part of y from b, which is the result of smoothing zero: only red and dirty
// unknowns have a residual then.
func (s *Solver) vcycle() {
	switch s.kind {
	case onBlack:
		s.cycleReduced()
		return
	case onAll:
		s.cycleAll()
		return
	case onFactors:
		s.applyFactors()
		return
	}
	s.overZones((*Solver).reduceZone)
	s.overRows(s.level[0], (*level).restrict)
	s.coarseCycle()
	s.overZones((*Solver).prolongZone)
	s.overZones((*Solver).smoothBlackZone)
}

// overRows runs body over the rows of l, on the caller alone if they are few.
func (s *Solver) overRows(l *level, body func(l *level, worker, lo, hi int)) {
	if l.n <= serialRows {
		body(l, 0, 0, l.n)
		return
	}
	par.For(s.pool, l.n, grain, l, body)
}

// overZones runs body for each zone of the finest level, on the caller alone if they are few.
func (s *Solver) overZones(body func(s *Solver, worker int, zone int32)) {
	if s.fine.zones <= serialZones {
		for zone := range s.fine.zones {
			body(s, 0, int32(zone))
		}
		return
	}
	par.Each(s.pool, s.fine.zones, 1, s, body)
}
