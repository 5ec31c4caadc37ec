// Package amg solves (L + KᵀWK) x = b by conjugate gradients, preconditioned with a
// multigrid V-cycle for L over a hierarchy that the caller provides.
//
// L is a sparse, symmetric, positive (semi)definite matrix like that of a graph Laplacian;
// KᵀWK couples the unknowns through a few dense rows. The red unknowns of a chequerboard are
// eliminated. Iterations run in single precision on a correction to the black ones; the
// residuals are computed in double precision.
package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

// Solver keeps the hierarchy and all scratch memory between solves. It allocates only while
// the system grows. It must be used from one goroutine at a time.
type Solver struct {
	pool     *par.Pool
	system   System    // the caller's
	m        *Matrix   // its L
	coupling *Coupling // its K
	placed   Coupling  // the same, with places for columns
	unit     float64   // scales the largest diagonal entry of L to about one
	perUnit  float64   // its inverse

	fine         finest
	coupledOnly  coupledOnly
	level        []*level // the coarser ones
	depth        int      // coarser levels in use
	direct       bool     // the last one is solved directly
	dense        dense
	self         []int32          // 0, 1, …: parents of unknowns that are not aggregated
	levels       []Level          // the caller's, as far as they are used
	accumulators []rowAccumulator // per worker

	method      Method
	kind        kind
	cycle       Cycle // VCycle, WCycle or FullCycle
	begunChunks int   // chunks of the first residual's sums, which the set-up forms
	aggregates  aggregates
	interpolation
	incomplete incomplete

	krylov
	woodbury woodbury
}

// New makes a solver that runs its loops on pool. Results have the same bits for any
// number of workers, and on processors with and without AVX2.
func New(pool *par.Pool) *Solver {
	return &Solver{pool: pool, accumulators: make([]rowAccumulator, pool.Workers())}
}
