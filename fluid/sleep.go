package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/internal/wind"
)

// sleeping is the liquid's sleep: where nothing moves, a step costs next to nothing. Whatever acts on the
// liquid ends it: an edit, an emitter, a sink, a field, a moving obstacle, an awake body in the wet.
type sleeping struct {
	sim *simulation
	sleep.State
}

// wake ends the sleep.
func (s *sleeping) wake() { s.State = sleep.State{} }

// dampsBodies counts for how long the liquid has been slow, and tells whether it is for bodies to be damped too.
func (s *sleeping) dampsBodies() bool {
	l := s.sim
	if s.Slow += l.step.dt; l.disc.MaxSpeed() > sleep.SlowSpeedBody {
		s.Slow = 0
	}
	return s.Slow >= sleep.SlowTime && !l.def.Solver.Undamped && l.world.fields.Gravity != (r3.Vec{})
}

// wakeAll wakes the liquid, wherever it is.
func (l *simulation) wakeAll() {
	l.sleep.wake()
	l.parts.KeepAwake()
}

// stays tells whether the liquid may skip this step, and wakes it if something has come up.
func (s *sleeping) stays() bool {
	l := s.sim
	if s.Asleep && (s.disturbed() || l.coupling.Disturb()) {
		s.wake()
	}
	return s.Asleep
}

// fall puts the liquid to sleep, at rest, when it was calm for long enough.
func (s *sleeping) fall() {
	l := s.sim
	stirred := l.step.report.RolledBack || l.def.Solver.Undamped || l.world.fields.Gravity == (r3.Vec{}) || l.world.wind != (wind.Wind{})
	l.parts.Measure(l.step.whole, stirred)
	if l.step.report.RolledBack || l.disc.MaxSpeed() > sleep.CalmSpeed || s.disturbed() || l.coupling.Disturb() || l.spray.Len() > 0 {
		s.Time = 0
		return
	}
	if s.Time += l.step.whole; s.Time < sleep.CalmTime {
		return
	}
	s.Asleep = true
	l.disc.Stop()
}

// disturbed tells whether something acts on the liquid all the time. Sinks and fields that reach none don't.
func (s *sleeping) disturbed() bool {
	l, w := s.sim, &s.sim.world
	if l.flows.Active() || l.controls.Active() || l.parts.FieldsReachLiquid(w.fields.Index()) {
		return true
	}
	return w.obstacles.Moving() || w.wind != (wind.Wind{}) && l.surface.AnyWet()
}

// update puts parts of the liquid to sleep that are calm, before a step of dt seconds, and wakes those that are not any more or that something
// acts on from outside.
func (s *sleeping) update(dt float64) {
	l := s.sim
	if !l.parts.MaySleep() {
		return
	}
	w := &l.world
	w.disturbed = w.obstacles.AppendDisturbed(w.disturbed[:0], dt)
	w.disturbed = l.flows.AppendDisturbed(w.disturbed)
	w.disturbed = l.controls.AppendReached(w.disturbed)
	w.disturbed = l.coupling.AppendReached(w.disturbed, dt)
	l.parts.KeepAwakeIn(w.disturbed)
	l.parts.KeepAwakeByFields(w.fields.Index())
	l.parts.Update()
}
