package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SetVelocity gives the liquid in a shape, from the next step on, the velocity that a field, m/s, has there: a gust, a blow, the first
// moment of a flow that is known. What of it the liquid can't follow, because it can't be compressed, the step's pressure takes away again.
// A velocity that is not finite or faster than 1e4 m/s is an error, and nothing changes.
func (l *Liquid) SetVelocity(s SDF, velocity func(x r3.Vec) r3.Vec) error {
	defer l.enter(&callguard.SetVelocity).leave()
	if err := CheckSDF(s); err != nil {
		return fmt.Errorf("fluid: SetVelocity: %w", err)
	}
	if velocity == nil {
		return fmt.Errorf("fluid: SetVelocity: velocity is nil")
	}
	s = guarded(s)
	defer l.sim.record.warnOfShape("SetVelocity", s)
	_, err := l.sim.solver.Edit(solver.SetVelocity{Shape: s, Velocity: func(x r3.Vec) (r3.Vec, error) {
		u := velocity(x)
		if !(reproducible.Norm(u) <= maxMotion) {
			return u, fmt.Errorf("fluid: SetVelocity: %v m/s at %v; must be finite and at most %g long", u, x, maxMotion)
		}
		return u, nil
	}})
	if err != nil {
		return err
	}
	l.sim.velocityChanged()
	return nil
}

// velocityChanged ends a call that has changed the velocity.
func (l *simulation) velocityChanged() {
	l.vacated.Forget(l.around.Obstacles)
	l.sleep.wake()
}
