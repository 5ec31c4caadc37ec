// Package amg solves (L + KᵀWK) x = b by conjugate gradients, preconditioned with a
// multigrid V-cycle for L over a hierarchy that the caller provides.
//
// L is a sparse, symmetric, positive (semi)definite matrix like that of a graph Laplacian;
// KᵀWK couples the unknowns through a few dense rows. The preconditioner works in
// single precision, everything that decides the answer in double precision.
package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// Solver keeps the hierarchy and all scratch memory between solves. It allocates only while
// the system grows. It must be used from one goroutine at a time.
type Solver struct {
	pool    *par.Pool
	level   []*level
	depth   int // levels in use
	direct  bool
	dense   dense
	marker  [][]int32 // per worker
	current *level    // the level of the running loop

	momentum, second float32 // of the running step of smoothAtLength

	krylov
	woodbury woodbury

	doFinest, doCoarsen                      par.Body
	doSmoothFromZero, doRestrict, doProlong  par.Body
	doSmoothFirst, doSmoothSecond, doStep    par.Body
	doResidual, doStart, doProduct, doUpdate par.Body
	doPlace, doCorrect                       par.Body
}

// New makes a solver that runs its loops on pool. Results have the same bits for any
// number of workers.
func New(pool *par.Pool) *Solver {
	s := &Solver{pool: pool, marker: make([][]int32, pool.Workers())}
	s.doFinest = func(_, lo, hi int) { s.current.finestChunk(lo, hi) }
	s.doCoarsen = func(w, lo, hi int) { s.current.coarsenChunk(lo, hi, s.marker[w]) }
	s.doSmoothFromZero = func(_, lo, hi int) { s.current.smoothFromZero(lo, hi) }
	s.doRestrict = func(_, lo, hi int) { s.current.restrict(lo, hi) }
	s.doProlong = func(_, lo, hi int) { s.current.prolong(lo, hi) }
	s.doSmoothFirst = func(_, lo, hi int) { s.current.smoothFirst(lo, hi) }
	s.doSmoothSecond = func(_, lo, hi int) {
		s.current.smoothSecond(lo, hi)
		if s.current.finer != nil {
			s.current.prolong(lo, hi)
		}
	}
	s.doStep = func(_, lo, hi int) { s.current.step(lo, hi, s.momentum, s.second) }
	s.doResidual = func(_, lo, hi int) { s.residualChunk(lo, hi) }
	s.doStart = func(_, lo, hi int) { s.startChunk(lo, hi) }
	s.doProduct = func(_, lo, hi int) { s.productChunk(lo, hi) }
	s.doUpdate = func(_, lo, hi int) { s.updateChunk(lo, hi) }
	s.doPlace = func(_, lo, hi int) { s.placeChunk(lo, hi) }
	s.doCorrect = func(_, lo, hi int) { s.correctChunk(lo, hi) }
	return s
}
