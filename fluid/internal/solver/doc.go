// Package solver declares what a liquid asks of whatever moves it: finite volumes on cells, or the surface alone. Package fluid has the public calls, the
// budget, the report and the file format, and asks a Solver; a Solver has the state of the liquid and moves it. What crosses the seam is here: the
// interfaces, one per asker, and plain data both ways. Lengths are in m, times in s, velocities in m/s, volumes in m³, pressures in Pa, litres in Ledger.
//
// A step goes through a Solver so: Demand, from which the plan follows; BeginStep; for each substep Advance, Push and Settle, the bodies' engine stepping
// between the last two; then Surface and Report. A substep that goes wrong is taken back by Revert and Remeasure.
package solver

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Solver is all that a liquid needs. What only some solvers can do is in their Abilities.
type Solver interface {
	Stepper
	Editor
	Reader
	Coder
}

// Stepper is what the frame asks.
type Stepper interface {
	// Demand tells what the next step would cost without a budget, and how short its substeps must be.
	Demand() Demand
	// BeginStep begins a step that follows a plan; Report counts from there.
	BeginStep(Plan)
	// Advance takes a substep, Surroundings.Now, up to what the liquid does to the bodies. After an error Revert must follow.
	Advance() error
	// SolveAgain repeats the end of Advance for what other liquids do to the same bodies meanwhile.
	SolveAgain() error
	// Push ends Advance when no liquid has to solve again: it adds the loads on the bodies to those of their engine.
	Push()
	// Settle makes the state after the substep the settled one. The bodies are where they are by then.
	Settle()
	// Stop takes all motion from the settled state.
	Stop()
	// Revert takes back what a substep or an edit has changed, and if atRest all motion. It asks no shape and no body. Remeasure does the rest when they
	// can be asked: anew, if what they said before is not to be relied on.
	Revert(atRest bool)
	Remeasure(anew bool)
	// Report is what the step has done so far. It is valid until the next call.
	Report() *Report
}

// Editor is what calls between steps ask.
type Editor interface {
	// Edit changes the settled state. It returns by how many litres the liquid has grown, or what the Edit says.
	Edit(Edit) (float64, error)
	// Update brings up to date what the solver keeps of what has changed around it.
	Update(Change)
}

// Reader is what queries ask. All answer from the settled state, at the time that it is shown for.
type Reader interface {
	// Sample writes what there is at points, acceleration being what gravity and the fields give a place.
	Sample(dst []query.Sample, at []r3.Vec, acceleration func(x r3.Vec) r3.Vec)
	// Cast writes the first hit of each ray.
	Cast([]query.Ray, []query.Hit)
	// VolumeIn is how much liquid is in a shape, and how much of the shape solids leave open.
	VolumeIn(s shapes.SDF, solids []query.Solid) (liquid, open float64)
	// WetIn tells whether there may be liquid in a box.
	WetIn(r3.Box) bool
	// Surface is the surface's triangles, valid until the next call: new ones, or if ahead > 0 the last ones moved on by as much time.
	Surface(ahead float32) query.Triangles
}

// Coder is what the saved state asks.
type Coder interface {
	// Code goes along the state. When it has read one, all that is not written is made anew.
	Code(*codec.Codec)
	// CodeMeasured goes along what steps measure and carry on, and measuring anew between steps would change.
	CodeMeasured(*codec.Codec)
	// Most is more bytes than both take.
	Most() int
}
