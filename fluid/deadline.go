package fluid

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/budget"
)

// deadline is when the step's pressure solves must end: a solver.Deadline.
type deadline struct {
	budget.Deadline
	planner   *budget.Model
	limit     time.Duration // of the step; 0: none
	started   time.Time     // the step was
	idle      time.Duration // of the step: others' time
	more      int           // substeps that follow
	tolerance float64       // of the solve
	cutAfter  *int          // Plan.CutAfter
}

// BeginSolve leaves the pressure solve of so many unknowns the time that the budget has for it beside the stages and substeps that follow.
func (d *deadline) BeginSolve(unknowns int) {
	at := time.Time{}
	if d.limit > 0 {
		at = d.started.Add(d.idle + d.limit - d.planner.After(int(StageSolve), unknowns, d.more, d.tolerance))
	}
	d.Begin(at)
}

// Late is asked before each iteration of a pressure solve whether it must do with what it has. Liquid and bodies take the same pressure, however
// far it is from the solution: no momentum is lost, and the volume comes back with the next steps.
func (d *deadline) Late() bool { return d.Passed(d.cutAfter) }

// lacksTime tells whether the step, of so many unknowns, would be late if it extracted its mesh.
func (d *deadline) lacksTime(unknowns int) bool {
	return d.limit > 0 && time.Since(d.started)-d.idle+d.planner.After(int(StagePublish), unknowns, 0, d.tolerance) > d.limit
}
