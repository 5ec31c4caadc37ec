package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/internal/wind"
)

// Where nothing moves, a step costs next to nothing: the liquid sleeps. Whatever acts on the
// liquid ends it: an edit, an emitter, a sink, a field, a moving obstacle, an awake body in the wet.

// wake ends the sleep of the liquid as a whole.
func (l *simulation) wake() { l.around.Sleep = sleep.State{} }

// wakeAll wakes the liquid, wherever it is.
func (l *simulation) wakeAll() {
	l.wake()
	if l.can.Parts != nil {
		l.can.Parts.KeepAwake()
	}
}

// staysAsleep tells whether the liquid may skip this step, and wakes it if something has come up.
func (l *simulation) staysAsleep() bool {
	if l.around.Sleep.Asleep && (l.isDisturbed() || l.around.Coupling.Disturb()) {
		l.wake()
	}
	return l.around.Sleep.Asleep
}

// fallAsleep puts the liquid to sleep, at rest, when it was calm for long enough.
func (l *simulation) fallAsleep() {
	a, rolledBack, whole := &l.around, l.step.report.RolledBack, l.around.Now.Whole
	stirred := rolledBack || l.def.Solver.Undamped || a.Fields.Gravity == (r3.Vec{}) || a.Wind != (wind.Wind{})
	if l.can.Parts != nil {
		l.can.Parts.Measure(whole, stirred)
	}
	flying := l.can.Spray != nil && l.can.Spray.Len() > 0
	if rolledBack || l.solver.Demand().Speed > sleep.CalmSpeed || l.isDisturbed() || a.Coupling.Disturb() || flying {
		a.Sleep.Time = 0
		return
	}
	if a.Sleep.Time += whole; a.Sleep.Time < sleep.CalmTime {
		return
	}
	a.Sleep.Asleep = true
	l.solver.Stop()
}

// isDisturbed tells whether something acts on the liquid all the time. Sinks and fields that reach none don't.
func (l *simulation) isDisturbed() bool {
	a := &l.around
	if a.Flows.Active() || a.Controls.Active() || l.fieldsReach() {
		return true
	}
	return a.Obstacles.Moving() || a.Wind != (wind.Wind{}) && l.solver.WetIn(l.can.Tiles.Whole())
}

// fieldsReach tells whether fields reach the liquid, as far as its solver can tell.
func (l *simulation) fieldsReach() bool {
	fields := l.around.Fields.Index()
	if l.can.Parts == nil {
		return fields.Any()
	}
	return l.can.Parts.FieldsReachLiquid(fields)
}

// updateSleep puts parts of the liquid to sleep that are calm, before a step of dt seconds, and wakes those that are not any more or that something
// acts on from outside.
func (l *simulation) updateSleep(dt float64) {
	a, parts := &l.around, l.can.Parts
	if parts == nil || !parts.MaySleep() {
		return
	}
	l.disturbed = a.Obstacles.AppendDisturbed(l.disturbed[:0], dt)
	l.disturbed = a.Flows.AppendDisturbed(l.disturbed)
	l.disturbed = a.Controls.AppendReached(l.disturbed)
	l.disturbed = a.Coupling.AppendReached(l.disturbed, dt)
	parts.KeepAwakeIn(l.disturbed)
	parts.KeepAwakeByFields(a.Fields.Index())
	parts.Update()
}
