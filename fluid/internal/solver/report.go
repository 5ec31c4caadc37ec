package solver

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// Demand is what the next step would cost without a budget, in unknowns, and how short its substeps must be.
type Demand struct {
	Full, Seen, Least int // see budget.Demand
	Changed           int // parts whose resolution the last step has changed, as many of the smallest as make up for them

	Speed       float64 // the liquid's greatest, m/s
	LongestStep float64 // that tension allows, s
}

// Plan is what a step may cost. See fluid.Plan for the units.
type Plan struct {
	TargetUnknowns int
	ViewGain       float64
	InvisibleLevel int
	Changes        int
	Tolerance      float64
	MaxIterations  int
	DetailInterval int
}

// Report is what a step has done so far.
type Report struct {
	Iterations int     // of the pressure solves
	Residual   float64 // the worst, relative
	Nonzeros   int     // of the last matrix
	Rows       int     // unknowns of the last solve

	Cells, Unknowns     []int // per level, the finest first; valid until the next call
	Tetrahedra          int   // with liquid in them
	Wet, Asleep         int   // parts that hold liquid, and those of them that sleep
	MaxSpeed            float64
	Vertices, Triangles int     // of the surface as it is, if it has some of its own
	Delay               float64 // by how much the settled state is behind the time that it is shown for, s
	Closed              []bool  // per component of the last solve: no air touches it
	// InvisibleCoarser tells that the target does not hold Plan.InvisibleLevel.
	InvisibleCoarser bool
	Surface          query.SurfaceReport
	Momentum         Momentum
}

// Momentum is what passed between the liquid and what is around it, N·s, as fluid.Momentum has it.
type Momentum struct{ Liquid, Gravity, Air, Control, Walls, Bodies r3.Vec }
