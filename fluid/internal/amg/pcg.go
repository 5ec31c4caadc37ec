package amg

import (
	"errors"
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Options say when a solve is good enough. The zero value means Tol 1e-6, MaxIter 100.
type Options struct {
	Tol     float64 // wanted ‖b - A x‖ over Norm
	Norm    float64 // reference, in the unit of b; 0: ‖b‖ after its projection
	MaxIter int     // iterations at most

	// Component is the connected component of each unknown, Singular the components on
	// which A has the constants for null space. On those, b loses its mean and x is returned
	// with mean zero. Component may be nil if Singular is empty.
	Component []int32
	Singular  []int32

	Deadline func() bool // asked before each iteration; true ends the solve. May be nil.
}

// Report says how a solve went.
type Report struct {
	Iterations int
	Residual   float64 // true ‖b - A x‖ / Norm at the end, b projected
	Levels     int     // levels of the hierarchy
	Converged  bool
	Woodbury   int // groups of the coupling that the preconditioner included
}

// What Solve returns beside the report, with the last finite iterate in x.
var (
	ErrNotConverged = errors.New("amg: not converged") // MaxIter, Deadline or the limit of precision
	ErrNotFinite    = errors.New("amg: matrix or right-hand side is not finite")
	ErrIndefinite   = errors.New("amg: matrix is not positive semidefinite")
)

// krylov is the state of the conjugate gradients.
//
// One product a step: with z = B r and w = A z, the direction p = z + β p and its image
// s = w + β s follow by recurrence, so that both dot products come out of the sweep that
// forms w (Chronopoulos, Gear 1989). The recurrence lets r drift from b - A x by rounding;
// Solve restarts from the true residual when they disagree.
type krylov struct {
	x, rhs      []float64 // the caller's
	r, w, p, s  []float64
	ref         float64 // reference norm
	scale       float64 // brings r to the order of one before single precision
	alpha, beta float64
	partial     [][8]float64 // per chunk, a cache line each
	coupling    *Coupling
	kz, wkz     []float64 // K z, W K z
	null        null
}

// Solve improves x until ‖b - A x‖ ≤ Tol · Norm, A = L + KᵀWK.
//
// x, b: len n; x is the initial guess in, the solution out. k may be nil.
// Solve panics if a length is wrong. It returns ErrNotConverged with the best iterate if the
// tolerance is out of reach, and ErrNotFinite or ErrIndefinite with the last finite iterate.
func (s *Solver) Solve(x, b []float64, k *Coupling, opt Options) (Report, error) {
	s.begin(x, b, k, &opt)
	defer s.release()
	rep := Report{Levels: s.depth}
	norm := s.trueResidual()
	if !finite(norm) {
		return rep, s.rescue(&rep)
	}
	if s.ref == 0 {
		clear(x)
		rep.Converged = true
		return rep, nil
	}
	rep.Residual = norm / s.ref
	var err error
	for rep.Residual > opt.Tol && err == nil {
		if rep.Iterations == 0 && k.groups() > 0 {
			s.woodbury.prepare(s, math.Log10(rep.Residual/opt.Tol))
			rep.Woodbury = s.woodbury.rank / 6
		}
		before := rep.Residual
		err = s.iterate(norm, opt.Tol, &rep, &opt)
		norm = s.trueResidual()
		rep.Residual = norm / s.ref
		if !finite(norm) {
			return rep, s.rescue(&rep)
		}
		if err == nil && rep.Residual > opt.Tol && rep.Residual > before/2 {
			err = ErrNotConverged
		}
	}
	rep.Converged = rep.Residual <= opt.Tol
	if rep.Converged {
		err = nil
	}
	s.null.project(x)
	return rep, err
}

// iterate runs conjugate gradients from the true residual r, of the given norm, until the
// recurrence falls below tol or breaks down.
func (s *Solver) iterate(norm, tol float64, rep *Report, opt *Options) error {
	top := s.level[0]
	n := len(top.row)
	s.scale = math.Sqrt(float64(n)) / norm
	s.overChunks(top, s.doStart)
	gamma := 0.0
	s.beta, s.alpha = 0, 1
	for {
		if rep.Iterations >= opt.MaxIter || opt.Deadline != nil && opt.Deadline() {
			return ErrNotConverged
		}
		s.precondition()
		s.overChunks(top, s.doProduct)
		rz, zaz := s.sum(0), s.sum(1)+s.couple()
		if !finite(rz) || !finite(zaz) {
			return ErrNotFinite
		}
		s.beta = 0
		if gamma > 0 {
			s.beta = rz / gamma
		}
		pap := zaz
		if gamma > 0 {
			pap -= s.beta * rz / s.alpha
		}
		if rz <= 0 || pap <= 0 {
			if gamma > 0 { // perhaps only the recurrence's rounding: start anew
				return nil
			}
			return ErrIndefinite
		}
		gamma, s.alpha = rz, rz/pap
		s.overChunks(top, s.doUpdate)
		rep.Iterations++
		if norm := math.Sqrt(s.sum(0)); norm <= tol*s.ref {
			return nil
		} else if !finite(norm) {
			return ErrNotFinite
		}
	}
}

// precondition sets z, in x of level 0, from r, which b of level 0 holds over the diagonal.
func (s *Solver) precondition() {
	s.vcycle()
	if s.woodbury.rank > 0 {
		s.woodbury.correct(s)
	}
}

func (s *Solver) begin(x, b []float64, k *Coupling, opt *Options) {
	if s.depth == 0 {
		panic("amg: Solve before Setup")
	}
	n := len(s.level[0].row)
	if len(x) != n || len(b) != n {
		panic(fmt.Sprintf("amg: solution of %d and right-hand side of %d for %d unknowns", len(x), len(b), n))
	}
	k.check()
	if opt.Tol <= 0 {
		opt.Tol = 1e-6
	}
	if opt.MaxIter <= 0 {
		opt.MaxIter = 100
	}
	s.x, s.coupling = x, k
	s.r, s.w, s.p, s.s = resize(s.r, n), resize(s.w, n), resize(s.p, n), resize(s.s, n)
	s.partial = resize(s.partial, par.Chunks(n, grain))
	s.kz, s.wkz = resize(s.kz, 6*k.groups()), resize(s.wkz, 6*k.groups())
	s.woodbury.rank = 0
	s.null.set(n, opt)
	s.rhs = b
	if s.null.any() {
		s.null.rhs = resize(s.null.rhs, n)
		s.rhs = s.null.rhs
		copy(s.rhs, b)
		s.null.project(s.rhs)
	}
	s.ref = opt.Norm
	if s.ref <= 0 {
		s.ref = norm2(s.rhs)
	}
}

// release drops the caller's slices.
func (s *Solver) release() { s.x, s.rhs, s.coupling, s.null.component = nil, nil, nil, nil }

// rescue is for a residual that is not finite: x is cleared if it is the culprit.
func (s *Solver) rescue(rep *Report) error {
	rep.Residual = math.NaN()
	for _, v := range s.x {
		if !finite(v) {
			clear(s.x)
			break
		}
	}
	return ErrNotFinite
}

// trueResidual sets r = b - A x, projected, and returns its norm.
func (s *Solver) trueResidual() float64 {
	s.overChunks(s.level[0], s.doResidual)
	k := s.coupling
	if k.groups() == 0 && !s.null.any() {
		return math.Sqrt(s.sum(0))
	}
	if k.groups() > 0 {
		gather(k, s.kz, s.x)
		k.Apply(s.wkz, s.kz)
		k.scatter(s.r, s.wkz, -1)
	}
	s.null.project(s.r)
	return norm2(s.r)
}

// couple adds KᵀWK z to w and returns z·KᵀWK z.
func (s *Solver) couple() float64 {
	k := s.coupling
	if k.groups() == 0 {
		return 0
	}
	gather(k, s.kz, s.level[0].x)
	k.Apply(s.wkz, s.kz)
	k.scatter(s.w, s.wkz, 1)
	sum := 0.0
	for i, v := range s.kz {
		sum += v * s.wkz[i]
	}
	return sum
}

// residualChunk sets r = b - L x and sums its square.
func (s *Solver) residualChunk(lo, hi int) {
	m, x := &s.level[0].m, s.x
	end := m.Ptr[lo+1 : hi+1]
	diag, b, r, own := m.Diag[lo:hi][:len(end)], s.rhs[lo:hi][:len(end)], s.r[lo:hi][:len(end)], x[lo:hi][:len(end)]
	sum := 0.0
	p := m.Ptr[lo]
	for i, q := range end {
		ri := b[i] - diag[i]*own[i] - m.rowTimes(p, q, x)
		p = q
		r[i] = ri
		sum += ri * ri
	}
	s.partial[lo/grain][0] = sum
}

// startChunk hands r to the preconditioner and clears the directions.
func (s *Solver) startChunk(lo, hi int) {
	l := s.level[0]
	scale := s.scale
	for i := lo; i < hi; i++ {
		l.b[i] = float32(s.r[i]*scale) * l.inv[i]
		s.p[i], s.s[i] = 0, 0
	}
}

// productChunk sets w = L z and sums r·z and z·w.
func (s *Solver) productChunk(lo, hi int) {
	m, z := &s.level[0].m, s.level[0].x
	col, val, end := m.Col, m.Val, m.Ptr[lo+1:hi+1]
	diag, w, r, own := m.Diag[lo:hi][:len(end)], s.w[lo:hi][:len(end)], s.r[lo:hi][:len(end)], z[lo:hi][:len(end)]
	rz, zaz := 0.0, 0.0
	p := m.Ptr[lo]
	for i, q := range end {
		zi := float64(own[i])
		wi := diag[i] * zi
		if q-p == 6 { // the usual row, unrolled in place
			c, v := (*[6]int32)(col[p:]), (*[6]float64)(val[p:])
			wi += (v[0]*float64(z[c[0]]) + v[1]*float64(z[c[1]])) +
				(v[2]*float64(z[c[2]]) + v[3]*float64(z[c[3]])) +
				(v[4]*float64(z[c[4]]) + v[5]*float64(z[c[5]]))
		} else {
			wi += m.rowTimes32(p, q, z)
		}
		p = q
		w[i] = wi
		rz += r[i] * zi
		zaz += zi * wi
	}
	s.partial[lo/grain][0], s.partial[lo/grain][1] = rz, zaz
}

// updateChunk advances p, s, x and r and hands r to the preconditioner.
func (s *Solver) updateChunk(lo, hi int) {
	l := s.level[0]
	p := s.p[lo:hi]
	n := len(p)
	z, w, sp := l.x[lo:hi][:n], s.w[lo:hi][:n], s.s[lo:hi][:n]
	x, r, b, inv := s.x[lo:hi][:n], s.r[lo:hi][:n], l.b[lo:hi][:n], l.inv[lo:hi][:n]
	alpha, beta, scale := s.alpha, s.beta, s.scale
	sum := 0.0
	for i := range p {
		pi := float64(z[i]) + beta*p[i]
		si := w[i] + beta*sp[i]
		p[i], sp[i] = pi, si
		x[i] += alpha * pi
		ri := r[i] - alpha*si
		r[i] = ri
		b[i] = float32(ri*scale) * inv[i]
		sum += ri * ri
	}
	s.partial[lo/grain][0] = sum
}

// sum adds slot k of the chunks in order.
func (s *Solver) sum(k int) float64 {
	total := 0.0
	for i := range s.partial {
		total += s.partial[i][k]
	}
	return total
}

func norm2(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

func finite(v float64) bool { return v-v == 0 }
