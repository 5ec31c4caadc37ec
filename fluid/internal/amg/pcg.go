package amg

import (
	"errors"
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Options are the stopping criteria of a solve. The zero value means Tol 1e-6, MaxIter 100.
type Options struct {
	Tol     float64 // largest ‖b - A x‖ over Norm
	Norm    float64 // reference norm, in the unit of b; 0: ‖b‖ after its projection
	MaxIter int     // most iterations

	// Component is the connected component of each unknown. Singular lists the components whose
	// constants are in A's null space: there b loses its mean and x is returned
	// with mean zero. Component may be nil if Singular is empty.
	Component []int32
	Singular  []int32
	Leaky     bool // search for leaky components (see nullSpace) even if the coarsest level shows none

	// Method chooses the preconditioner. With System.Again it is the one of the last solve.
	Method Method

	Deadline func() bool // called before each iteration; true ends the solve. May be nil.

	// Useful is the largest residual, over Norm, at which MaxIter or Deadline may end the solve; with a larger one
	// it goes on for up to Last iterations. 0 means any residual.
	Useful float64
	Last   int
}

// mustGoOn reports whether a solve goes on past MaxIter or Deadline, by its residual over Norm and its iterations so far.
func (o *Options) mustGoOn(residual float64, iterations int) bool {
	return o.Useful > 0 && residual > o.Useful && iterations < o.Last
}

// Report is the result of a solve.
type Report struct {
	Iterations int
	Residual   float64 // true ‖b - A x‖ / Norm at the end, b projected
	Levels     int     // levels of the hierarchy
	Converged  bool
	Woodbury   int // coupling groups in the preconditioner
}

// The errors of Solve, which returns them with a report and leaves the last finite iterate in x.
var (
	ErrNotConverged = errors.New("amg: not converged") // MaxIter, Deadline or the limit of precision
	ErrNotFinite    = errors.New("amg: matrix or right-hand side is not finite")
	ErrIndefinite   = errors.New("amg: matrix is not positive semidefinite")
)

// krylov is the state of the conjugate gradients.
//
// They compute the black part e of the correction of x, in single precision, for the residual over
// D as right-hand side. A step takes one product: with z = B r and w = S z, the direction p = z + β p and
// its image s = w + β s follow by recurrence, so that the sweep that forms w also gives both dot products
// (Chronopoulos, Gear 1989). r is b of the finest level and z is y.
type krylov struct {
	x, rhs      []float64 // the caller's
	residual    []float64 // b - A x
	e, w, p, s  []float32 // by place, zero outside of the black ones; w and s over D
	ref         float64   // reference norm
	scale       float64   // brings the residual to the order of one before single precision
	alpha, beta float32
	partial     []sums    // per chunk
	kz, wkz     []float64 // K z, W K z
	nullSpace   nullSpace
}

// leastDrop is the largest reduction of the residual by the recurrence before it restarts from the true
// residual. In single precision the two differ by some 4e-6 of the first residual, which adds 2 % to
// one reduced so far.
const leastDrop = 2e-5

// stageDrop returns the reduction of the residual before the next restart: the wanted drop, or
// the first of several equal stages to it.
func stageDrop(drop float64) float64 {
	if stages := math.Ceil(reproducible.Log2(drop) / reproducible.Log2(leastDrop)); stages > 1 {
		return reproducible.Exp2(reproducible.Log2(drop) / stages)
	}
	return drop
}

// Solve improves x until ‖b - A x‖ ≤ Tol · Norm.
//
// x, b: len n; x is the initial guess in, the solution out.
// Solve panics if lengths do not fit or a column or parent is out of range. It returns ErrNotConverged
// with the best iterate if the tolerance is out of reach, and ErrNotFinite or ErrIndefinite with the
// last finite iterate.
func (s *Solver) Solve(system System, x, b []float64, opt Options) (Report, error) {
	s.begin(system, x, b, &opt)
	defer s.release()
	s.resizeCoupled()
	s.setup()
	s.resizeVectors()
	rep := Report{Levels: s.depth + 1}
	norm, ofRhs := s.firstResidual()
	if !geom.Finite(norm) {
		return rep, s.failNotFinite(&rep)
	}
	if s.ref = opt.Norm; s.ref <= 0 {
		s.ref = ofRhs
	}
	if s.ref == 0 {
		clear(x)
		rep.Converged = true
		return rep, nil
	}
	if opt.Leaky || s.mayLeak() {
		s.nullSpace.findLeaks(s)
		norm = s.solveConstants(norm)
	}
	rep.Residual = norm / s.ref
	var err error
	for rep.Residual > opt.Tol && err == nil {
		if rep.Iterations == 0 && s.coupling.groups() > 0 {
			s.woodbury.prepare(s, reproducible.Log10(rep.Residual/opt.Tol))
			rep.Woodbury = s.woodbury.rank / 6
		}
		before := rep.Residual
		err = s.iterate(norm, opt.Tol, &rep, &opt)
		norm = s.solveConstants(s.trueResidual())
		rep.Residual = norm / s.ref
		if !geom.Finite(norm) {
			return rep, s.failNotFinite(&rep)
		}
		if err == nil && rep.Residual > opt.Tol && rep.Residual > before/2 {
			err = ErrNotConverged
		}
	}
	rep.Converged = rep.Residual <= opt.Tol
	if rep.Converged {
		err = nil
	}
	s.nullSpace.project(x)
	return rep, err
}

// mayLeak reports whether there may be leaky components.
func (s *Solver) mayLeak() bool {
	if !s.direct {
		return s.kind != onLevels
	}
	return s.dense.leaky
}

// iterate runs conjugate gradients from the true residual, of the given norm, until the
// recurrence has finished a stage on the way to tol, or breaks down. It adds the correction to x.
func (s *Solver) iterate(norm, tol float64, rep *Report, opt *Options) error {
	f := &s.fine
	s.scale = math.Sqrt(float64(f.n)) / norm
	wanted := stageDrop(tol*s.ref/norm) * norm * s.scale
	s.overZones((*Solver).startZone)
	s.overZones((*Solver).liftZone)
	if s.norm() <= wanted {
		s.overZones((*Solver).finishZone)
		return nil
	}
	gamma, now := 0.0, norm/s.ref
	s.beta, s.alpha = 0, 1
	for {
		late := rep.Iterations >= opt.MaxIter || opt.Deadline != nil && opt.Deadline()
		if late && !opt.mustGoOn(now, rep.Iterations) {
			s.overZones((*Solver).finishZone)
			return ErrNotConverged
		}
		s.nullSpace.balance(f)
		s.precondition()
		s.nullSpace.centre(f)
		s.overZones((*Solver).productZone)
		rz, zaz := s.sum(0, f.zones), s.sum(1, f.zones)+s.couple()
		if !geom.Finite(rz) || !geom.Finite(zaz) {
			return ErrNotFinite
		}
		beta := 0.0
		if gamma > 0 {
			beta = rz / gamma
		}
		pap := zaz
		if gamma > 0 {
			pap -= beta * rz / float64(s.alpha)
		}
		if rz <= 0 || pap <= 0 {
			if gamma > 0 { // perhaps the recurrence's rounding: restart
				s.overZones((*Solver).finishZone)
				return nil
			}
			return ErrIndefinite
		}
		gamma, s.alpha, s.beta = rz, float32(rz/pap), float32(beta)
		s.overZones((*Solver).updateZone)
		rep.Iterations++
		left := s.norm()
		if !geom.Finite(left) {
			return ErrNotFinite
		}
		if left <= wanted {
			s.overZones((*Solver).finishZone)
			return nil
		}
		now = left / (s.scale * s.ref)
	}
}

// begin checks the arguments and stores them.
func (s *Solver) begin(system System, x, b []float64, opt *Options) {
	system.check()
	n := len(system.L.Diag)
	if len(x) != n || len(b) != n {
		panic(fmt.Sprintf("amg: solution of %d and right-hand side of %d for %d unknowns", len(x), len(b), n))
	}
	if system.Again && n != s.fine.n {
		panic(fmt.Sprintf("amg: %d unknowns, %d in the last solve", n, s.fine.n))
	}
	if opt.Tol <= 0 {
		opt.Tol = 1e-6
	}
	if opt.MaxIter <= 0 {
		opt.MaxIter = 100
	}
	opt.Method.check()
	if !system.Again {
		s.method, s.kind = opt.Method, opt.Method.kind(len(system.Levels) > 0)
	}
	s.system, s.m, s.coupling, s.x, s.rhs = system, system.L, system.K, x, b
	s.residual, s.partial = arrays.Resize(s.residual, n), arrays.Resize(s.partial, par.Chunks(n, grain))
	s.nullSpace.reset(n, opt)
	if s.nullSpace.any() {
		s.nullSpace.rhs = arrays.Resize(s.nullSpace.rhs, n)
		s.rhs = s.nullSpace.rhs
		copy(s.rhs, b)
		s.nullSpace.project(s.rhs)
	}
}

// resizeVectors makes room for the iteration.
func (s *Solver) resizeVectors() {
	n := len(s.fine.row)
	s.e, s.w, s.p, s.s = arrays.Resize(s.e, n), arrays.Resize(s.w, n), arrays.Resize(s.p, n), arrays.Resize(s.s, n)
	s.woodbury.rank = 0
}

// resizeCoupled makes room for K x and W K x.
func (s *Solver) resizeCoupled() {
	groups := s.coupling.groups()
	s.kz, s.wkz = arrays.Resize(s.kz, 6*groups), arrays.Resize(s.wkz, 6*groups)
}

// release drops the caller's slices.
func (s *Solver) release() {
	clear(s.levels)
	clear(s.copied)
	s.system, s.m, s.coupling, s.x, s.rhs, s.nullSpace.component = System{}, nil, nil, nil, nil, nil
}

// failNotFinite ends a solve whose residual is not finite. It clears x if that is not finite either.
func (s *Solver) failNotFinite(rep *Report) error {
	rep.Residual = math.NaN()
	for _, v := range s.x {
		if !geom.Finite(v) {
			clear(s.x)
			break
		}
	}
	return ErrNotFinite
}

// firstResidual returns the norms of the residual before any iteration and of the right-hand side. The set-up, if there was one, has
// computed both on its way.
func (s *Solver) firstResidual() (norm, ofRhs float64) {
	if s.system.Again {
		return s.trueResidual(), norm2(s.rhs)
	}
	return s.finishResidual(s.begunChunks), math.Sqrt(s.sum(1, s.begunChunks))
}

// trueResidual sets residual = b - A x, projected, and returns its norm.
func (s *Solver) trueResidual() float64 {
	par.For(s.pool, s.fine.n, zoneRows, s, (*Solver).findResidual)
	return s.finishResidual(par.Chunks(s.fine.n, zoneRows))
}

// finishResidual completes trueResidual where residual is b - L x and the chunks have summed its square.
func (s *Solver) finishResidual(chunks int) float64 {
	k := s.coupling
	if k.groups() == 0 && !s.nullSpace.any() {
		return math.Sqrt(s.sum(0, chunks))
	}
	if k.groups() > 0 {
		gather(k, s.kz, s.x)
		k.Apply(s.wkz, s.kz)
		k.scatter(s.residual, s.wkz, -1)
	}
	s.nullSpace.project(s.residual)
	return norm2(s.residual)
}

// solveConstants solves for the constants of the leaky components, and returns the norm of the residual.
func (s *Solver) solveConstants(norm float64) float64 {
	if !s.nullSpace.leaky() {
		return norm
	}
	s.nullSpace.level(s.x, s.residual)
	return s.trueResidual()
}

// couple adds KᵀWK z to w and returns z·KᵀWK z, both scaled as the finest level.
func (s *Solver) couple() float64 {
	k, f := &s.placed, &s.fine
	if k.groups() == 0 {
		return 0
	}
	gather(k, s.kz, f.y)
	k.Apply(s.wkz, s.kz)
	sum := 0.0
	for g := range k.groups() {
		var u [6]float64
		for c := range u {
			u[c] = s.wkz[6*g+c] * s.unit
			sum += float64(s.kz[6*g+c] * u[c])
		}
		val := k.Val[k.Ptr[g]:k.Ptr[g+1]]
		for e, j := range k.Col[k.Ptr[g]:k.Ptr[g+1]] {
			s.w[j] += float32(float32(dot6(&u, &val[e])) * f.inv[j])
		}
	}
	return sum
}

// findResidual sets residual = b - L x and sums its square.
func (s *Solver) findResidual(_, lo, hi int) {
	m, x := s.m, s.x
	rows := &m.Part[lo/PartRows]
	end := rows.Ptr[1:]
	diag, b, left, own := m.Diag[lo:hi][:len(end)], s.rhs[lo:hi][:len(end)], s.residual[lo:hi][:len(end)], x[lo:hi][:len(end)]
	sum := 0.0
	p := int32(0)
	for i, q := range end {
		r := b[i] - float64(diag[i]*own[i]) - rows.times(p, q, x)
		p = q
		left[i] = r
		sum += float64(r * r)
	}
	s.partial[lo/zoneRows] = sums{{sum}}
}

// startZone copies a zone's residual to the iteration and clears correction and directions.
func (s *Solver) startZone(_ int, number int32) {
	f := &s.fine
	z := &f.zone[number]
	lo, hi := z.begin, z.begin+zonePlaces
	clear(s.e[lo:hi])
	clear(s.p[lo:hi])
	clear(s.s[lo:hi])
	s.setScaled(f.b, z.begin, z.black)
	s.setScaled(f.lift, z.red, z.end)
}

// setScaled sets the places from lo up to hi of a vector to the residual over D.
func (s *Solver) setScaled(to []float32, lo, hi int) {
	out, inv := to[lo:hi], s.fine.inv[lo:hi]
	inv = inv[:len(out)]
	for i, r := range s.fine.row[lo:hi][:len(out)] {
		out[i] = float32(s.residual[r]*s.scale) * inv[i]
	}
}

// liftZone subtracts the red part of the solution for black zeros from the right-hand side, and sums r².
func (s *Solver) liftZone(_ int, number int32) {
	f := &s.fine
	z := &f.zone[number]
	f.smoothBlack(z, f.b, f.lift)
	lo, hi := z.begin, z.red
	p, image := s.p[lo:hi], s.s[lo:hi] // zeros: a step of length zero
	update(p, image, s.e[lo:hi], f.b[lo:hi], p, image, f.diag[lo:hi], 0, 0, &s.partial[number])
}

// norm returns the norm of the residual over the black unknowns, as last summed.
func (s *Solver) norm() float64 { return math.Sqrt(s.sum(0, s.fine.zones)) }

// productZone sets w = S z and sums r·z and z·w.
func (s *Solver) productZone(_ int, number int32) {
	f := &s.fine
	z := &f.zone[number]
	lo, hi := z.begin, z.red
	product(s.w[lo:hi], f.y[lo:hi], f.b[lo:hi], f.diag[lo:hi], f.y, z.slices(lo, hi), z.matrix.entry, &s.partial[number])
}

// updateZone advances p, s, e and r, and sums r².
func (s *Solver) updateZone(_ int, number int32) {
	f := &s.fine
	lo, hi := f.zone[number].begin, f.zone[number].red
	update(s.p[lo:hi], s.s[lo:hi], s.e[lo:hi], f.b[lo:hi], f.y[lo:hi], s.w[lo:hi], f.diag[lo:hi], s.alpha, s.beta, &s.partial[number])
}

// finishZone adds the correction to the solution.
func (s *Solver) finishZone(_ int, number int32) {
	f := &s.fine
	z := &f.zone[number]
	f.solveRed(z, f.y, s.e)
	x, back := s.x, s.unit/s.scale
	for p := z.begin; p < z.black; p++ {
		x[f.row[p]] += float64(float64(s.e[p]) * back)
	}
	for p := z.red; p < z.end; p++ {
		x[f.row[p]] += float64(float64(f.y[p]+f.lift[p]) * back)
	}
}

// sum adds sum k of chunks or zones in order.
func (s *Solver) sum(k, chunks int) float64 {
	total := 0.0
	for i := range chunks {
		v := &s.partial[i][k]
		total += ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]))
	}
	return total
}

func norm2(v []float64) float64 { return math.Sqrt(dot(v, v)) }

// dot returns the product of v and the same number of elements of w, in four independent sums.
func dot(v, w []float64) float64 {
	var a, b, c, d float64
	w = w[:len(v)]
	for ; len(v) >= 4 && len(w) >= 4; v, w = v[4:], w[4:] {
		a += float64(v[0] * w[0])
		b += float64(v[1] * w[1])
		c += float64(v[2] * w[2])
		d += float64(v[3] * w[3])
	}
	for i, x := range v {
		a += float64(x * w[i])
	}
	return (a + b) + (c + d)
}
