// Package amg solves (L + KᵀWK) x = b by conjugate gradients, preconditioned with a
// multigrid V-cycle for L over a hierarchy that the caller provides.
//
// L is a sparse, symmetric, positive (semi)definite matrix like that of a graph Laplacian;
// KᵀWK couples the unknowns through a few dense rows. Every other unknown, as on a chequerboard, is
// eliminated. Iterations run in single precision on a correction to the rest of the solution; what it
// has to correct, and what is left of it, is found in double precision.
package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// Solver keeps the hierarchy and all scratch memory between solves. It allocates only while
// the system grows. It must be used from one goroutine at a time.
type Solver struct {
	pool     *par.Pool
	system   System    // the caller's
	m        *Matrix   // its L
	coupling *Coupling // its K
	placed   Coupling  // the same with places for columns
	unit     float64   // brings the largest diagonal entry of L to about one
	perUnit  float64   // its inverse

	fine    finest
	level   []*level // the coarser ones
	depth   int      // of them in use
	direct  bool     // the last one is solved directly
	dense   dense
	self    []int32   // 0, 1, …: parents of unknowns that stay alone
	levels  []Level   // the caller's that are in use
	summing []summing // per worker

	current *level // of the running loop
	coarse  *level // that it prolongs from
	step    step   // of smoothAtLength's running loop

	krylov
	woodbury woodbury

	doLayOut, doCoarsen                                 par.Body
	doSmoothFromZero, doResidual, doRestrict, doProlong par.Body
	doSmoothFirst, doSmoothSecond, doStep               par.Body
	doReduce, doProlongFine, doSmoothBlack, doSolveRed  par.Body
	doTrueResidual, doStart, doProduct, doUpdate        par.Body
	doLift, doFinish, doPlace, doCorrect                par.Body
}

// New makes a solver that runs its loops on pool. Results have the same bits for any
// number of workers, and on processors with and without AVX2.
func New(pool *par.Pool) *Solver {
	s := &Solver{pool: pool, summing: make([]summing, pool.Workers())}
	s.doLayOut = each(func(i int) {
		if i, isLevel := par.Between(i, s.depth, s.fine.zones); isLevel {
			s.level[i].listChildren(&s.levels[i])
		} else {
			s.layOut(i)
		}
	})
	s.doCoarsen = func(w, lo, hi int) { s.coarsenChunk(s.current, lo, hi, &s.summing[w]) }
	s.doSmoothFromZero = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.x, l.b, l.b, fromZero) }
	s.doResidual = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.y, l.x, l.x, residual) }
	s.doRestrict = func(_, lo, hi int) { s.current.restrict(lo, hi) }
	s.doProlong = func(_, lo, hi int) { l := s.current; prolong(l.x[lo:hi], l.x[lo:hi], s.coarse.x, l.parent[lo:hi]) }
	s.doSmoothFirst = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.y, l.x, l.x, firstStep) }
	s.doSmoothSecond = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.x, l.y, l.x, secondStep) }
	s.doStep = func(_, lo, hi int) { l := s.current; l.smooth(lo, hi, l.y, l.x, l.y, s.step) }
	s.doReduce = each(s.fine.reduce)
	s.doProlongFine = each(func(i int) { s.fine.prolong(i, s.level[0].x) })
	s.doSmoothBlack = each(func(i int) { s.fine.smoothBlack(&s.fine.zone[i], s.fine.y, s.fine.x) })
	s.doSolveRed = each(func(i int) { s.fine.solveRed(&s.fine.zone[i], s.fine.y, s.fine.y) })
	s.doTrueResidual = func(_, lo, hi int) { s.residualChunk(lo, hi) }
	s.doStart = each(s.startZone)
	s.doLift = each(s.liftZone)
	s.doProduct = each(s.productZone)
	s.doUpdate = each(s.updateZone)
	s.doFinish = each(s.finishZone)
	s.doPlace = each(s.placeZone)
	s.doCorrect = each(s.correctZone)
	return s
}

// each makes the body of a loop over items, one by one.
func each(run func(i int)) par.Body {
	return func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			run(i)
		}
	}
}
