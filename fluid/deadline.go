package fluid

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/budget"
)

// deadline is when the step's pressure solves must end, and how far they have come.
type deadline struct {
	at    time.Time // of the solve under way; zero: none
	turns int       // iterations of the step so far
	own   int       // of them, the substep's
	told  bool      // the plan is another run's, and so is the deadline
}

// setDeadline leaves the pressure solve the time that the budget has for it beside the stages and substeps that follow.
func (s *schedule) setDeadline() {
	l, st := s.sim, &s.sim.step
	d, b := &st.deadline, l.def.Budget.Step
	d.at, d.own = time.Time{}, 0
	if b > 0 && !d.told {
		more := st.substeps - st.report.Substeps - 1
		d.at = st.report.Started.Add(st.idle + b - s.planner.After(int(StageSolve), l.graph.Rows, more, st.report.Plan.Tolerance))
	}
}

// outOfTime is asked before each iteration of a pressure solve whether it must do with what it has.
// Liquid and bodies take the same pressure, however far it is from the solution: no momentum is lost, and the volume comes
// back with the next steps.
func (s *schedule) outOfTime() bool {
	l := s.sim
	d, p := &l.step.deadline, &l.step.report.Plan
	if d.own >= budget.LeastIterations {
		if p.CutAfter == 0 && !d.at.IsZero() && time.Now().After(d.at) {
			p.CutAfter = d.turns
		}
		if p.CutAfter > 0 && d.turns >= p.CutAfter {
			return true
		}
	}
	d.own++
	d.turns++
	return false
}

// lacksTime tells whether the step would be late if it extracted its mesh.
func (s *schedule) lacksTime() bool {
	l := s.sim
	st, b := &l.step, l.def.Budget.Step
	return b > 0 && time.Since(st.report.Started)-st.idle+s.planner.After(int(StagePublish), l.graph.Rows, 0, st.report.Plan.Tolerance) > b
}
