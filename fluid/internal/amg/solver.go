// Package amg solves (L + KᵀWK) x = b by conjugate gradients, preconditioned with
// multigrid for L, over a hierarchy that the caller provides or one made from the matrix alone.
//
// L is a sparse, symmetric, positive (semi)definite matrix like that of a graph Laplacian;
// KᵀWK couples the unknowns through a few dense rows. The red unknowns of a chequerboard are
// eliminated. Iterations run in single precision on a correction to the black ones; the
// residuals are computed in double precision.
//
// Methods without a caller's hierarchy, on a ball of 206k graded tetrahedra with pressures at their middles, 47 % of them red: the error's reduction by one
// cycle repeated, operator complexity, iterations to 1e-6, and the times of set-up and solve on one worker, in parts of those of the first row together.
// BenchmarkMethods measures them; times are processor time on a shared machine, within a fifth.
//
//	coarsening       smoother        cycle   factor  complexity  iterations  set-up  solve
//	aggregation      automatic       W       .69     1.40        17          .28     .72
//	                 automatic       V       .71     1.40        18          .28     .73
//	                 automatic       full    .63     1.40        16          .28     .8
//	                 Chebyshev       V       .83     1.32        22          .27     .9
//	                 Chebyshev       W       .71     1.32        17          .27     .87
//	                 Chebyshev       full    .44     1.32        11          .27     1.2
//	                 Gauss-Seidel    V       .82     1.32        22          .26     2.0
//	                 Gauss-Seidel    W       .72     1.32        16          .26     2.1
//	smoothed         Chebyshev       W       .79     1.34        18          1.0     1.2
//	                 Gauss-Seidel    W       .78     1.34        17          1.0     2.4
//	greedy           Chebyshev       W       .54     2.24        12          1.2     1.7
//	                 Gauss-Seidel    V       .89     2.24        22          1.2     3.0
//	                 Gauss-Seidel    W       .55     2.24        11          1.2     3.6
//	                 Gauss-Seidel    full    .49     2.24         9          1.2     5.8
//	MIC(0)                                   none    1.00        368         .05     15
//
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
