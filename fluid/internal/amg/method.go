package amg

// Method chooses the preconditioner. The zero value chooses by the system: with Levels these, a V-cycle; else Aggregation, a W-cycle; the red unknowns
// are eliminated in both.
type Method struct {
	Coarsening Coarsening
	Smoother   Smoother
	Cycle      Cycle
}

// Coarsening is how a level's unknowns become those of the next.
type Coarsening uint8

// The coarsenings. But for Automatic with Levels, all are made from the matrix alone.
const (
	Automatic Coarsening = iota
	// Aggregation joins neighbours to aggregates, with piecewise constant interpolation and coarse entries divided by the ratio of the aggregates' edges
	// to those of what they are made of (see Solver.setup).
	Aggregation
	// SmoothedAggregation smooths the piecewise constants by a step of Jacobi's iteration (Vaněk, Mandel, Brezina 1996).
	SmoothedAggregation
	// Greedy picks coarse unknowns, and interpolates the others by plain averages (Chentanez, Feldman, Labelle, O'Brien, Shewchuk 2007 §3.5).
	Greedy
	// Incomplete is no hierarchy, but the modified incomplete Cholesky factorisation MIC(0) (Gustafsson 1978). It runs on one worker.
	Incomplete
)

// Smoother is how errors are smoothed on every level.
type Smoother uint8

// The smoothers.
const (
	// AutomaticSmoother is, of Levels and Aggregation, Jacobi's iteration on the finest level without its red unknowns, and Chebyshev on the
	// others; else Chebyshev.
	AutomaticSmoother Smoother = iota
	// Chebyshev is the polynomial of degree 2, before and after the coarse solution.
	Chebyshev
	// GaussSeidel is a forward and a backward sweep, before and after the coarse solution. Between blocks of gaussSeidelRows rows it is Jacobi's.
	GaussSeidel
)

// Cycle is the order in which levels are visited.
type Cycle uint8

// The cycles.
const (
	// AutomaticCycle is VCycle with Levels, else WCycle. Where liquid is all but enclosed any cycle is VCycle (see Solver.chooseCycle).
	AutomaticCycle Cycle = iota
	VCycle
	// WCycle visits every coarser level twice, where that is not the last.
	WCycle
	// FullCycle runs a V-cycle on each level, coarser ones before finer ones (Chentanez et al. 2007 §3.5), and one before that on what the coarser ones then
	// start from: without it the preconditioner would not be symmetric.
	FullCycle
)

// kind is which set-up and cycle a method needs.
type kind uint8

const (
	onLevels  kind = iota // the caller's Levels
	onBlack               // aggregates of black unknowns
	onAll                 // levels of all unknowns
	onFactors             // no levels
)

// kind returns that of a method, with or without Levels.
func (m *Method) kind(levels bool) kind {
	switch {
	case m.Coarsening == Incomplete:
		return onFactors
	case m.Coarsening == SmoothedAggregation || m.Coarsening == Greedy || m.Smoother != AutomaticSmoother:
		return onAll
	case m.Coarsening == Automatic && levels:
		return onLevels
	}
	return onBlack
}

// cycle returns the cycle, in place of the automatic one that of a kind.
func (m *Method) cycle(k kind) Cycle {
	if m.Cycle != AutomaticCycle {
		return m.Cycle
	}
	if k == onLevels {
		return VCycle
	}
	return WCycle
}

// check panics unless the values are named ones.
func (m *Method) check() {
	if m.Coarsening > Incomplete || m.Smoother > GaussSeidel || m.Cycle > FullCycle {
		panic("amg: unknown method")
	}
}
