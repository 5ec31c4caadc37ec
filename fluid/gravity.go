package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
)

// Gravitating is what Bodies may have besides: a gravity that can be changed. physics.Coupling has it.
type Gravitating interface {
	// SetGravity changes the bodies' gravity, m/s².
	SetGravity(g r3.Vec) error
}

// SetGravity changes Def.Gravity, m/s², from the next step on: zero means none. One call is enough for liquid and bodies: coupled ones whose engine
// is Gravitating, as physics.Coupling is, get the same gravity and wake, and so do all liquids that couple them too. Of another engine the game changes
// it as well. A gravity that is not finite or longer than 1e4 m/s² is an error, and the last one stays.
func (l *Liquid) SetGravity(g r3.Vec) error {
	defer enterGroup(l, &callguard.SetGravity, &callguard.OthersGravity).leave()
	return l.sim.group.setGravity(l.sim.def, g)
}

// setGravity changes the gravity of all members, of which one has the definition d, and of the bodies.
func (g *group) setGravity(d Def, gravity r3.Vec) error {
	d.Gravity, d.Weightless = gravity, gravity == r3.Vec{}
	if err := d.Validate(); err != nil {
		return err
	}
	if b, can := g.members[0].sim.around.Coupling.Bodies.(Gravitating); can {
		if err := b.SetGravity(gravity); err != nil {
			return fmt.Errorf("fluid: SetGravity: the coupled bodies: %w", err)
		}
	}
	for _, m := range g.members {
		m.sim.def.Gravity, m.sim.def.Weightless = d.Gravity, d.Weightless
		m.sim.updateGravity()
		m.sim.wakeAll()
	}
	return nil
}
