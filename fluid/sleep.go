package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/wind"
)

// sleeping is the liquid's sleep: where nothing moves, a step costs next to nothing. Whatever acts on the
// liquid ends it: an edit, an emitter, a sink, a field, a moving obstacle, an awake body in the wet.
type sleeping struct {
	around    *solver.Surroundings
	can       *solver.Abilities
	solver    solver.Solver
	undamped  bool     // Def.Numerics.Undamped
	disturbed []r3.Box // scratch of update
}

// wake ends the sleep of the liquid as a whole.
func (s *sleeping) wake() { s.around.Sleep = sleep.State{} }

// wakeAll wakes the liquid, wherever it is.
func (s *sleeping) wakeAll() {
	s.wake()
	if s.can.Parts != nil {
		s.can.Parts.KeepAwake()
	}
}

// stays tells whether the liquid may skip this step, and wakes it if something has come up.
func (s *sleeping) stays() bool {
	if s.around.Sleep.Asleep && s.isDisturbed() {
		s.wake()
	}
	return s.around.Sleep.Asleep
}

// fall puts the liquid to sleep, at rest, when it was calm for long enough: not after a step that was rolled back.
func (s *sleeping) fall(rolledBack bool) {
	a, whole := s.around, s.around.Now.Whole
	if s.can.Parts != nil {
		s.can.Parts.Measure(whole, rolledBack || s.undamped || a.Fields.Gravity == (r3.Vec{}) || a.Wind != (wind.Wind{}))
	}
	flying := s.can.Spray != nil && s.can.Spray.Len() > 0
	if rolledBack || s.solver.Demand().Speed > sleep.CalmSpeed || s.isDisturbed() || flying {
		a.Sleep.Time = 0
		return
	}
	if a.Sleep.Time += whole; a.Sleep.Time < sleep.CalmTime {
		return
	}
	a.Sleep.Asleep = true
	s.solver.Stop()
}

// isDisturbed tells whether something acts on the liquid all the time. Sinks and fields that reach none don't.
func (s *sleeping) isDisturbed() bool {
	a := s.around
	return a.Flows.Active() || a.Controls.Active() || s.fieldsReach() || a.Obstacles.Moving() || a.Wind != (wind.Wind{}) && s.solver.WetIn(s.can.Tiles.Whole()) ||
		a.Coupling.KeepsAwake()
}

// fieldsReach tells whether fields reach the liquid, as far as its solver can tell.
func (s *sleeping) fieldsReach() bool {
	fields := s.around.Fields.Index()
	if s.can.Parts == nil {
		return fields.Any()
	}
	return s.can.Parts.FieldsReachLiquid(fields)
}

// update puts parts of the liquid to sleep that are calm, before a step of dt seconds, and wakes those that are not any more or that something
// acts on from outside.
func (s *sleeping) update(dt float64) {
	a, parts := s.around, s.can.Parts
	if parts == nil || !parts.MaySleep() {
		return
	}
	s.disturbed = a.Obstacles.AppendDisturbed(s.disturbed[:0], dt)
	s.disturbed = a.Flows.AppendDisturbed(s.disturbed)
	s.disturbed = a.Controls.AppendReached(s.disturbed)
	s.disturbed = a.Coupling.AppendReached(s.disturbed, dt)
	parts.KeepAwakeIn(s.disturbed)
	parts.KeepAwakeByFields(a.Fields.Index())
	parts.Update()
}
