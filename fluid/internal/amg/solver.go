// Package amg solves (L + KᵀWK) x = b by conjugate gradients, preconditioned with
// multigrid for L, over a hierarchy that the caller provides or one made from the matrix alone.
//
// L is a sparse, symmetric, positive (semi)definite matrix like that of a graph Laplacian;
// KᵀWK couples the unknowns through a few dense rows. The red unknowns of a chequerboard are
// eliminated. Iterations run in single precision on a correction to the black ones; the
// residuals are computed in double precision.
//
// Methods without a caller's hierarchy, on a ball of 206k graded tetrahedra with pressures at their middles, 47 % of them red: the error's reduction by one
// cycle repeated, operator complexity, iterations to 1e-6, and the times of set-up and solve in parts of those of the first row together. BenchmarkMethods
// measures all of these. The times here are the least processor time of a few solves on one worker of a shared machine, and good to a fifth; set-up finds the aggregates of
// the solve before, without which it is .08 more.
//
//	coarsening       smoother        cycle   factor  complexity  iterations  set-up  solve
//	aggregation      automatic       W       .69     1.40        17          .29     .71
//	                 automatic       V       .71     1.40        18          .28     .63
//	                 automatic       full    .63     1.40        16          .28     .70
//	                 Chebyshev       V       .83     1.32        22          .32     1.4
//	                 Chebyshev       W       .71     1.32        17          .31     1.1
//	                 Chebyshev       full    .44     1.32        11          .32     1.4
//	                 Gauss-Seidel    V       .82     1.32        22          .31     2.9
//	                 Gauss-Seidel    W       .72     1.32        16          .31     2.6
//	smoothed         Chebyshev       W       .79     1.34        18          1.2     1.3
//	                 Gauss-Seidel    W       .78     1.34        17          1.2     2.9
//	greedy           Chebyshev       W       .54     2.24        12          1.5     1.7
//	                 Gauss-Seidel    V       .89     2.24        22          1.5     4.8
//	                 Gauss-Seidel    W       .55     2.24        11          1.5     4.3
//	                 Gauss-Seidel    full    .49     2.24         9          1.6     7.0
//	MIC(0)                                   -       1.00        368         .07     14
//
// To 1e-4 the first row takes 14 iterations, and 2.8 times the time per unknown of a box of cubes with the caller's levels to 1e-3.
// With pressures at the 34k vertices of the same lattice, all black: aggregation, W: 12 iterations; smoothed, Chebyshev, W: 10; greedy, Chebyshev, W: 12;
// MIC(0): 233. MIC(0) is slower than aggregation from some 3k unknowns on: 1.15 times with 3k cubes, 5 times with 2k tetrahedra and 10 times with 26k.
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
