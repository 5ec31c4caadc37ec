package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// chebyshev holds the coefficients of the degree-2 Chebyshev smoother on
// [λmax/spread, λmax] of D⁻¹L. Its error polynomial stays inside (-1, 1) on (0, λmax], so
// with λmax a true bound the smoother is positive definite.
// Source: Adams, Brezina, Hu, Tuminaro 2003; recurrence of Saad 2003, alg. 12.1.
type chebyshev struct {
	first    float32 // step 1: x + first·r
	momentum float32 // step 2: y + momentum·(y-x) + second·r
	second   float32
	b, ab    float32 // both steps from zero: b·b̂ + ab·Âb̂
}

// spread is λmax over the lowest eigenvalue the smoother aims at. From 4 to 8 the iteration
// counts differ by one at most; 2 and 12 cost a third more. One step in place of
// two halves the work and takes 2.5 times the iterations.
const spread = 6.0

func (c *chebyshev) set(lambda float64) {
	theta, delta := lambda*(1+1/spread)/2, lambda*(1-1/spread)/2
	rho0 := delta / theta
	rho1 := 1 / (2/rho0 - rho0)
	first, momentum, second := 1/theta, rho1*rho0, 2*rho1/delta
	c.first, c.momentum, c.second = float32(first), float32(momentum), float32(second)
	c.b, c.ab = float32(first*(1+momentum)+second), float32(-second*first)
}

// times is the off-diagonals of a row of D⁻¹L of at most six entries, times x.
func (r *row) times(x []float32) float32 {
	return (r.val[0]*x[r.col[0]] + r.val[1]*x[r.col[1]]) +
		(r.val[2]*x[r.col[2]] + r.val[3]*x[r.col[3]]) +
		(r.val[4]*x[r.col[4]] + r.val[5]*x[r.col[5]])
}

// timesLong is times for row i, of more than six entries.
func (l *level) timesLong(i int, x []float32) float32 {
	p, q := l.m.Ptr[i], l.end[i]
	c, v := l.m.Col[p:q], l.long[p:q]
	v = v[:len(c)]
	even, odd := float32(0), float32(0)
	k := 0
	for ; k+1 < len(c); k += 2 {
		even += v[k] * x[c[k]]
		odd += v[k+1] * x[c[k+1]]
	}
	if k < len(c) {
		even += v[k] * x[c[k]]
	}
	return even + odd
}

// smoothFromZero sets x to two steps from zero, which need one product.
func (l *level) smoothFromZero(lo, hi int) {
	b, rows := l.b, l.row[lo:hi]
	x, own := l.x[lo:hi][:len(rows)], b[lo:hi][:len(rows)]
	cb, cab := l.cheb.b, l.cheb.ab
	for i := range rows {
		r, sum := &rows[i], own[i]
		if r.col[5] >= 0 {
			sum += r.times(b)
		} else {
			sum += l.timesLong(lo+i, b)
		}
		x[i] = cb*own[i] + cab*sum
	}
}

// restrict sets the right-hand sides lo ≤ i < hi of l to the sums of its children's
// residuals.
func (l *level) restrict(lo, hi int) {
	f := l.finer
	b, x, diag, rows := f.b, f.x, f.diag, f.row
	begin, child := l.begin[lo:hi+1], l.child
	out, inv := l.b[lo:hi][:len(begin)-1], l.inv[lo:hi][:len(begin)-1]
	for i := range out {
		total := float32(0)
		for _, c := range child[begin[i]:begin[i+1]] {
			r, sum := &rows[c], b[c]-x[c]
			if r.col[5] >= 0 {
				sum -= r.times(x)
			} else {
				sum -= f.timesLong(int(c), x)
			}
			total += diag[c] * sum
		}
		out[i] = total * inv[i]
	}
}

// smoothFirst is step 1 after the coarse correction, from x into y.
func (l *level) smoothFirst(lo, hi int) {
	x, rows := l.x, l.row[lo:hi]
	b, y, own := l.b[lo:hi][:len(rows)], l.y[lo:hi][:len(rows)], x[lo:hi][:len(rows)]
	first := l.cheb.first
	for i := range rows {
		r, sum := &rows[i], b[i]-own[i]
		if r.col[5] >= 0 {
			sum -= r.times(x)
		} else {
			sum -= l.timesLong(lo+i, x)
		}
		y[i] = own[i] + first*sum
	}
}

// smoothSecond is step 2, from y into x.
func (l *level) smoothSecond(lo, hi int) {
	y, rows := l.y, l.row[lo:hi]
	b, x, own := l.b[lo:hi][:len(rows)], l.x[lo:hi][:len(rows)], y[lo:hi][:len(rows)]
	momentum, second := l.cheb.momentum, l.cheb.second
	for i := range rows {
		r, sum := &rows[i], b[i]-own[i]
		if r.col[5] >= 0 {
			sum -= r.times(y)
		} else {
			sum -= l.timesLong(lo+i, y)
		}
		x[i] = own[i] + momentum*(own[i]-x[i]) + second*sum
	}
}

// prolong adds x to the solutions of the children.
func (l *level) prolong(lo, hi int) {
	fx := l.finer.x
	for i := lo; i < hi; i++ {
		e := l.x[i]
		for _, c := range l.child[l.begin[i]:l.begin[i+1]] {
			fx[c] += e
		}
	}
}

const (
	// coarsestDegree and coarsestSpread smooth a last level too large to solve directly: the
	// error polynomial is below 0.08 down to λmax/100.
	coarsestDegree = 16
	coarsestSpread = 100
)

// smoothAtLength sets x of the last level to a Chebyshev iteration from zero; y holds the step.
func (s *Solver) smoothAtLength(l *level) {
	theta, delta := l.lambda*(1+1.0/coarsestSpread)/2, l.lambda*(1-1.0/coarsestSpread)/2
	rho := delta / theta
	for i, b := range l.b {
		l.y[i] = b / float32(theta)
		l.x[i] = l.y[i]
	}
	for range coarsestDegree - 1 {
		next := 1 / (2*theta/delta - rho)
		s.momentum, s.second = float32(next*rho), float32(2*next/delta)
		rho = next
		s.overChunks(l, s.doStep)
		for i, d := range l.y {
			l.x[i] += d
		}
	}
}

// step makes the next Chebyshev step in y.
func (l *level) step(lo, hi int, momentum, second float32) {
	for i := lo; i < hi; i++ {
		r, sum := &l.row[i], l.b[i]-l.x[i]
		if r.col[5] >= 0 {
			sum -= r.times(l.x)
		} else {
			sum -= l.timesLong(i, l.x)
		}
		l.y[i] = momentum*l.y[i] + second*sum
	}
}

// vcycle is the preconditioner: x of level 0 from b of level 0. It is a fixed, symmetric,
// positive definite linear map (up to single-precision rounding): pre- and
// post-smoother are the same polynomial in D⁻¹L, coarse matrices are semidefinite.
func (s *Solver) vcycle() {
	last := s.depth - 1
	for k := range last {
		l, coarse := s.level[k], s.level[k+1]
		s.overChunks(l, s.doSmoothFromZero)
		s.current = coarse
		s.pool.For(len(coarse.row), restrictGrain, s.doRestrict)
	}
	l := s.level[last]
	if s.direct {
		s.dense.solve(l)
	} else {
		s.smoothAtLength(l)
	}
	for k := last - 1; k >= 0; k-- {
		if k+1 == last {
			s.overChunks(s.level[last], s.doProlong)
		}
		l := s.level[k]
		s.overChunks(l, s.doSmoothFirst)
		s.overChunks(l, s.doSmoothSecond) // and prolongs
	}
}

// overChunks runs body over the rows of l.
func (s *Solver) overChunks(l *level, body par.Body) {
	s.current = l
	s.pool.For(len(l.row), grain, body)
}
