package fluid

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// attempt takes a substep of dt seconds, again and again with something left out if it goes wrong and others have not long before. It returns an error if
// the substep was rolled back for good.
func (l *simulation) attempt(dt float64) error {
	a := &l.attempts
	var why error
	for a.Begin(); ; {
		if l.leaveOut(a.Choice); a.Kind == remedies.Motion {
			l.stand(dt)
			break
		}
		err := l.substep(dt)
		if err == nil {
			break
		}
		again := a.Failed(l.acting(nil))
		if l.rollBack(again, err); !again {
			return err
		}
		why = err
	}
	if a.Passed() {
		l.record.warn("Step", a.Choice.Text(why))
	}
	return nil
}

// leaveOut has what a choice leaves out not act.
func (l *simulation) leaveOut(c remedies.Choice) {
	a := &l.around
	a.Out = c
	a.Flows.LeaveOut(c)
	a.Controls.Out, a.Coupling.Out = c.Of(remedies.Controls), c.Of(remedies.Bodies)
	if a.Fields.LeaveOut(c.Of(remedies.Fields)) {
		l.updateGravity()
	}
}

// acting lists what a substep may have gone wrong with.
func (l *simulation) acting(dst []remedies.Choice) []remedies.Choice {
	a := &l.around
	dst = a.Flows.AppendActing(a.Coupling.AppendActing(dst, true))
	dst = a.Fields.AppendActing(a.Controls.AppendActing(dst))
	dst = append(dst, remedies.Choice{Kind: remedies.Forces}, remedies.Choice{Kind: remedies.Volume})
	return a.Coupling.AppendActing(dst, false)
}

// substep takes a substep of dt seconds.
func (l *simulation) substep(dt float64) error {
	now := &l.around.Now
	now.Dt, now.Drift, now.Number = dt, (now.Dt+dt)/2, l.step.report.Substeps
	l.around.Before = l.around.Ledger
	err := l.solver.Advance()
	l.out.publishBlocked()
	return err
}

// stand lets a substep pass in which the liquid stands still.
func (l *simulation) stand(dt float64) {
	l.solver.Stop()
	l.carryBodies(dt)
	l.around.Obstacles.Advance(dt)
	l.step.report.Substeps++
}

// carryBodies has liquid that does not move go on carrying what lies in it.
func (l *simulation) carryBodies(dt float64) {
	l.around.Coupling.Loads.ApplyAsleep(&l.group.pushes)
	l.around.Controls.Pass(dt)
}

// rollBack returns to the state before the substep: for another attempt, or else at rest.
func (l *simulation) rollBack(again bool, err error) {
	if r := &l.step.report; !again {
		r.Err = fmt.Errorf("fluid: step rolled back: %w", err)
	}
	l.solver.Revert(!again)
	l.solver.Remeasure(false)
	l.around.Ledger = l.around.Before
}

// undo returns to the state before the substep or edit that a panic has ended, as far as that can be without asking shapes and bodies.
func (l *simulation) undo() {
	l.record.times.Marks.End()
	l.vacated.Forget(l.around.Obstacles)
	l.solver.Revert(false)
	l.sleep.wakeAll()
	l.around.Ledger = l.around.Before
}

// remeasure does what undo has left for when shapes and bodies can be asked again.
func (l *simulation) remeasure() {
	ledger := l.around.Ledger
	l.solver.Remeasure(true)
	l.around.Ledger = ledger
	l.out.stale = true
}

// updateGravity brings up to date what is kept of gravity and of the fields.
func (l *simulation) updateGravity() {
	l.around.Fields.SetGravity(l.def.Physics.Gravity)
	l.solver.Update(solver.Gravity)
}
