package fluid

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/budget"
)

// deadline is when the step's pressure solves must end.
type deadline = budget.Deadline

// setDeadline leaves the pressure solve the time that the budget has for it beside the stages and substeps that follow.
func (s *schedule) setDeadline() {
	l, st := s.sim, &s.sim.step
	at := time.Time{}
	if b := l.def.Budget.Step; b > 0 {
		more := st.substeps - st.report.Substeps - 1
		at = st.report.Started.Add(st.idle + b - s.planner.After(int(StageSolve), l.graph.Rows, more, st.report.Plan.Tolerance))
	}
	st.deadline.Begin(at)
}

// outOfTime is asked before each iteration of a pressure solve whether it must do with what it has. Liquid and bodies take the same pressure, however
// far it is from the solution: no momentum is lost, and the volume comes back with the next steps.
func (s *schedule) outOfTime() bool {
	return s.sim.step.deadline.Passed(&s.sim.step.report.Plan.CutAfter)
}

// lacksTime tells whether the step would be late if it extracted its mesh.
func (s *schedule) lacksTime() bool {
	l := s.sim
	st, b := &l.step, l.def.Budget.Step
	return b > 0 && time.Since(st.report.Started)-st.idle+s.planner.After(int(StagePublish), l.graph.Rows, 0, st.report.Plan.Tolerance) > b
}
