package fluid

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/budget"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// longestStep, s, is as much time as one call of Step makes up for: beyond it a game that fell behind would fall further behind.
const longestStep = 0.1

// shortestStep, s, is the least time that a step can divide by.
const shortestStep = 1e-9

// stepState is the step under way, or the last one.
type stepState struct {
	asleep   bool      // all of the liquid is left alone in this step
	ahead    float64   // by how much others of the group have advanced it further than it was asked to, s
	passive  bool      // others of the group alone are stepped
	paused   time.Time // when its share of the step was interrupted for another of the group; zero: not yet
	deadline deadline
	told     *solver.Report // at the step's end
	report   Report
	err      error
}

// Step advances liquid and coupled bodies by dt seconds and reports how it went; with other liquids that couple the same bodies see Couple.
//
// A dt that is not finite, or less than a nanosecond, is refused: the report says so and nothing changes. A dt above 0.1 s is cut to 0.1 s with a
// warning. A step that goes wrong numerically is rolled back, reported, and the next one starts from the last good state at rest. If one goes wrong
// again soon, it does without what it goes wrong with, which a warning names. The report is the liquid's own, valid until the next step.
func (l *Liquid) Step(dt float64) *Report {
	defer enterGroup(l, &callguard.Step, &callguard.OthersStep).leave()
	return l.sim.group.step(l, dt)
}

// beginStep plans a step of dt seconds, and tells how many substeps the liquid wants. One that sleeps asks for none.
func (l *simulation) beginStep(dt float64) (substeps int) {
	a, st := &l.around, &l.step
	a.Now.Whole, st.err = dt, nil
	l.vacated.Forget(a.Obstacles)
	l.out.beginBodyEvents()
	l.shareGravity()
	l.reviewShapes()
	a.Controls.BeginStep()
	if st.asleep = l.sleep.stays(); st.asleep {
		return 0
	}
	a.Coupling.Loads.Clear() // liquid that is asleep goes on carrying what lies in it
	l.leaveOut(l.attempts.Choice)
	l.sleep.update(dt)
	l.findFastWalls(dt)
	l.plan(dt)
	return l.countSubsteps(dt)
}

// stability is what decides how short a substep must be.
func (l *simulation) stability(d *solver.Demand) budget.Stability {
	return budget.Stability{
		Edge: l.def.CellSize, Speed: d.Speed, Acceleration: l.around.Fields.Strongest(), CFL: l.def.Numerics.CFL,
		Capillary: d.LongestStep, Afloat: l.around.Coupling.Count() > 0, Walls: l.fastWalls.Substeps, Most: l.def.Numerics.MaxSubsteps,
	}
}

// countSubsteps is how often dt must be split, up to what the plan and the definition allow.
func (l *simulation) countSubsteps(dt float64) int {
	demand := l.solver.Demand()
	wanted := l.stability(&demand)
	if why, n := wanted.Shortfall(dt); why != "" {
		l.record.warnOfSubsteps(why, n, dt)
	}
	n := min(wanted.Substeps(dt), l.def.Numerics.MaxSubsteps, max(1, l.step.report.Plan.Substeps))
	if walls := l.fastWalls.Substeps; float64(n) < walls {
		knob := "Numerics.MaxSubsteps"
		if n < l.def.Numerics.MaxSubsteps {
			knob = "Budget"
		}
		l.warnOfFastWalls(knob)
	}
	return n
}

// advance takes a substep of dt seconds, one of n, up to what the liquid does to the bodies, and tells whether the liquid lets them move on: it does
// not after a step that went wrong.
func (l *simulation) advance(dt float64, n int) bool {
	st := &l.step
	switch {
	case st.asleep:
		l.carryBodies(dt)
		return true
	case st.err != nil:
		return false
	}
	now := &l.around.Now
	now.Step, now.Of, st.deadline.more = l.out.steps, n, n-st.report.Substeps-1
	st.err = l.attempt(dt)
	return st.err == nil
}

// moves tells whether the liquid has moved in the substep under way.
func (l *simulation) moves() bool {
	return !l.step.asleep && l.attempts.Kind != remedies.Motion && l.step.err == nil
}

// solveAgain has the liquid solve once more in the substep, and tells whether that went well: otherwise it is rolled back.
func (l *simulation) solveAgain() bool {
	err := l.solver.SolveAgain()
	if l.step.err = err; err != nil {
		l.rollBack(false, err)
	}
	return err == nil
}

// push hands the bodies what the liquid does to them.
func (l *simulation) push() {
	if l.moves() {
		l.solver.Push()
		l.out.publishBodyEvents()
	}
}

// settle ends a substep when the bodies have moved.
func (l *simulation) settle() {
	if l.moves() {
		l.solver.Settle()
		l.out.detail.note(&l.around, l.can.Spray)
		l.step.report.Substeps++
	}
}

// endStep reports a step of dt seconds.
func (l *simulation) endStep(dt float64) {
	st := &l.step
	if !st.asleep {
		l.sleep.fall(st.report.Err != nil)
	}
	st.told = l.solver.Report()
	if st.asleep {
		l.passAsleep(dt)
	} else {
		l.publish(dt)
	}
	l.advanceWhiteWater(dt)
	st.report.Controls = l.around.Controls.EndStep(dt)
	if l.can.Sounds != nil {
		l.out.ev.Sounds = l.can.Sounds.EndStep(dt, l.around.Up(), st.asleep, l.around.Coupling.Bodies)
	}
	l.finish(dt)
}

// passAsleep reports a step in which the liquid sleeps: foam and waves fade on it.
func (l *simulation) passAsleep(dt float64) {
	told, r := l.step.told, &l.step.report
	r.Substeps, r.AsleepBlocks = 1, told.Wet
	r.Surface.Vertices, r.Surface.Triangles = told.Vertices, told.Triangles
	if foam := l.can.Foam; foam != nil && foam.HasFoam() {
		l.record.begin(StagePublish)
		foam.FadeFoam(dt)
		l.record.lap(0)
		l.makeMesh(dt)
	} else if l.out.detail != nil {
		l.fadeWaves(dt)
	}
}
