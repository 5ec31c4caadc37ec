// Package amg solves (L + KᵀWK) x = b by conjugate gradients, preconditioned with a
// multigrid V-cycle for L over a hierarchy that the caller provides.
//
// L is a sparse, symmetric, positive (semi)definite matrix like that of a graph Laplacian;
// KᵀWK couples the unknowns through a few dense rows. Iterations run in single precision on
// a correction to the solution; what it has to correct, and what is left of it, is found in
// double precision.
package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// Solver keeps the hierarchy and all scratch memory between solves. It allocates only while
// the system grows. It must be used from one goroutine at a time.
type Solver struct {
	pool    *par.Pool
	m       Matrix  // the caller's
	unit    float64 // brings its largest diagonal entry to one
	level   []*level
	depth   int // levels in use
	direct  bool
	dense   dense
	summing []summing // per worker
	current *level    // the level of the running loop
	coarse  *level    // the level that it prolongs from
	step    step      // of smoothAtLength's running loop

	krylov
	woodbury woodbury

	doFinest, doCoarsen                                 par.Body
	doSmoothFromZero, doResidual, doRestrict, doProlong par.Body
	doSmoothFirst, doSmoothSecond, doStep               par.Body
	doTrueResidual, doStart, doProduct, doUpdate        par.Body
	doFinish, doPlace, doCorrect                        par.Body
}

// New makes a solver that runs its loops on pool. Results have the same bits for any
// number of workers, and on processors with and without AVX2.
func New(pool *par.Pool) *Solver {
	s := &Solver{pool: pool, summing: make([]summing, pool.Workers())}
	s.doFinest = func(_, lo, hi int) { s.finestChunk(lo, hi) }
	s.doCoarsen = func(w, lo, hi int) { s.current.coarsenChunk(lo, hi, &s.summing[w]) }
	s.doSmoothFromZero = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.x, l.b, l.b, fromZero) }
	s.doResidual = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.y, l.x, l.x, residual) }
	s.doRestrict = func(_, lo, hi int) { s.current.restrict(lo, hi) }
	s.doProlong = func(_, lo, hi int) { l := s.current; prolong(l.x[lo:hi], s.coarse.x, l.parent[lo:hi]) }
	s.doSmoothFirst = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.y, l.x, l.x, firstStep) }
	s.doSmoothSecond = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.x, l.y, l.x, secondStep) }
	s.doStep = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.y, l.x, l.y, s.step) }
	s.doTrueResidual = func(_, lo, hi int) { s.residualChunk(lo, hi) }
	s.doStart = func(_, lo, hi int) { s.startChunk(lo, hi) }
	s.doProduct = func(_, lo, hi int) { s.productChunk(lo, hi) }
	s.doUpdate = func(_, lo, hi int) { s.updateChunk(lo, hi) }
	s.doFinish = func(_, lo, hi int) { s.finishChunk(lo, hi) }
	s.doPlace = func(_, lo, hi int) { s.placeChunk(lo, hi) }
	s.doCorrect = func(_, lo, hi int) { s.correctChunk(lo, hi) }
	return s
}
