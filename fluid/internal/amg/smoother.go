package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// step is a step of an iteration on D⁻¹L x = b: alpha·x + beta·(the x before) + gamma·(residual).
type step struct{ alpha, beta, gamma float32 }

const (
	// lambdaMax bounds the eigenvalues of every level's D⁻¹L.
	lambdaMax = 2.0
	// spread is λmax over the lowest eigenvalue the smoother aims at. From 4 to 8 the iteration
	// counts differ by one at most; 2 and 12 cost a third more. One step in place of
	// two halves the work and takes 2.5 times the iterations.
	spread = 5.0
)

// The degree-2 Chebyshev smoother on [λmax/spread, λmax] of D⁻¹L. Its error polynomial stays inside
// (-1, 1) on (0, λmax], so it is positive definite.
// Source: Adams, Brezina, Hu, Tuminaro 2003; recurrence of Saad 2003, alg. 12.1.
const (
	theta, delta = lambdaMax * (1 + 1/spread) / 2, lambdaMax * (1 - 1/spread) / 2
	rho          = 1 / (2*theta/delta - delta/theta)
	momentum     = rho * delta / theta
	push         = 2 * rho / delta
)

var (
	firstStep  = step{1, 0, 1 / theta}
	secondStep = step{1 + momentum, -momentum, push}
	// fromZero is both steps from zero in one, applied to b in place of x and with the residual
	// b - D⁻¹L b.
	fromZero = step{(1+momentum)/theta + push - push/theta, 0, push / theta}
	// residual leaves nothing but that.
	residual = step{0, 0, 1}
)

// smooth runs one step on the rows lo ≤ i < hi from x, with the one before, into out.
func (l *level) smooth(lo, hi int, out, x, before []float32, c step) {
	for ; lo < hi; lo += grain {
		a, end := &l.part[lo/grain].matrix, padded(min(hi, lo+grain))
		sweep(out[lo:end], x[lo:end], before[lo:end], l.b[lo:end], x, a.first, a.entry, c.alpha, c.beta, c.gamma)
	}
}

// restrict sets the right-hand sides lo ≤ i < hi of l to the sums of its children's residuals.
func (l *level) restrict(lo, hi int) {
	for ; lo < hi; lo += grain {
		a := &l.part[lo/grain].restrict
		multiply(l.b[lo:padded(min(hi, lo+grain))], l.left, a.first, a.entry)
	}
}

const (
	// coarsestDegree and coarsestSpread smooth a last level too large to solve directly: the
	// error polynomial is below 0.08 down to λmax/100.
	coarsestDegree = 16
	coarsestSpread = 100.0
)

// smoothAtLength sets x of the last level to a Chebyshev iteration from zero.
func (s *Solver) smoothAtLength(l *level) {
	const theta, delta = lambdaMax * (1 + 1/coarsestSpread) / 2, lambdaMax * (1 - 1/coarsestSpread) / 2
	clear(l.y)
	for i, b := range l.b {
		l.x[i] = b / theta
	}
	rho := delta / theta
	for range coarsestDegree - 1 {
		next := 1 / (2*theta/delta - rho)
		s.step = step{float32(1 + float64(next*rho)), float32(-next * rho), float32(2 * next / delta)}
		rho = next
		s.overChunks(l, s.doStep)
		l.x, l.y = l.y, l.x
	}
}

// precondition sets y of the finest level from the residual in b. It is a fixed, symmetric,
// positive definite linear map of the black unknowns (up to single-precision rounding): smoothers before
// and after the coarse solution are each other's transpose, on coarser levels the same polynomial in
// D⁻¹L, and coarse matrices are semidefinite. The red part of y is what the black one makes it.
func (s *Solver) precondition() {
	s.vcycle()
	if s.woodbury.rank > 0 {
		s.woodbury.correct(s)
	}
	s.overZones(s.doSolveRed)
}

// vcycle sets the black part of y from b, which is what smoothing makes of zero: the residual left
// is that of the red unknowns, and of the dirty ones.
func (s *Solver) vcycle() {
	s.overZones(s.doReduce)
	s.overChunks(s.level[0], s.doRestrict)
	s.coarseCycle()
	s.overZones(s.doProlongFine)
	s.overZones(s.doSmoothBlack)
}

// coarseCycle sets x of the first coarser level from its b, by a V-cycle.
func (s *Solver) coarseCycle() {
	last := s.depth - 1
	for k := range last {
		s.overChunks(s.level[k], s.doSmoothFromZero)
		s.overChunks(s.level[k], s.doResidual)
		s.overChunks(s.level[k+1], s.doRestrict)
	}
	l := s.level[last]
	if s.direct {
		s.dense.solve(l)
	} else {
		s.smoothAtLength(l)
	}
	for k := last - 1; k >= 0; k-- {
		s.coarse = s.level[k+1]
		s.overChunks(s.level[k], s.doProlong)
		s.overChunks(s.level[k], s.doSmoothFirst)
		s.overChunks(s.level[k], s.doSmoothSecond)
	}
}

// overChunks runs body over the rows of l.
func (s *Solver) overChunks(l *level, body par.Body) {
	s.current = l
	s.over(l.n, grain, serialRows, body)
}

// overZones runs body over the zones of the finest level.
func (s *Solver) overZones(body par.Body) { s.over(s.fine.zones, 1, serialZones, body) }

// over runs body over n items, grain at a time, or serially if those are no more than serial.
func (s *Solver) over(n, grain, serial int, body par.Body) {
	if n <= serial {
		body(0, 0, n)
		return
	}
	s.pool.For(n, grain, body)
}
