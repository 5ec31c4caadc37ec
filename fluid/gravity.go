package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
)

// gravity says whose gravity the liquid has.
type gravity struct {
	own    bool               // the game has given one to the liquid
	shared engine.Gravitating // the coupled bodies whose gravity is the liquid's, or nil
}

// couple shares the gravity of bodies that have one, unless the liquid has its own.
func (g *gravity) couple(b Bodies) {
	if g.shared = nil; g.own {
		return
	}
	if from, can := b.(engine.Gravitating); can && from.Gravity() != (r3.Vec{}) {
		g.shared = from
	}
}

// shareGravity gives the liquid the gravity of the bodies that share theirs. One out of Def's limits is named, and the last one stays.
func (l *simulation) shareGravity() {
	if l.gravity.shared == nil {
		return
	}
	d := l.def
	d.Physics.Gravity = l.gravity.shared.Gravity()
	d.Physics.Weightless = d.Physics.Gravity == r3.Vec{}
	if d.Physics.Gravity == l.def.Physics.Gravity {
		return
	}
	if err := d.Validate(); err != nil {
		l.record.warn("Gravity", fmt.Sprintf("that of the coupled bodies is not taken: %v", err))
		return
	}
	l.def = d
	l.updateGravity()
	l.sleep.wakeAll()
}

// SetGravity changes Def.Physics.Gravity, m/s², from the next step on: zero means none. One call is enough for liquid and bodies: coupled ones whose engine
// is Gravitating, as physics.Coupling is, get the same gravity and wake, and so do all liquids that couple them too. Of another engine the game changes
// it as well. A gravity that is not finite or longer than 1e4 m/s² is an error, and the last one stays.
func (l *Liquid) SetGravity(g r3.Vec) error {
	defer enterGroup(l, &callguard.SetGravity, &callguard.OthersGravity).leave()
	return l.sim.group.setGravity(l.sim.def, g)
}

// setGravity changes the gravity of all members, of which one has the definition d, and of the bodies.
func (g *group) setGravity(d Def, gravity r3.Vec) error {
	d.Physics.Gravity, d.Physics.Weightless = gravity, gravity == r3.Vec{}
	if err := d.Validate(); err != nil {
		return err
	}
	if b, can := g.members[0].sim.around.Coupling.Bodies.(engine.Gravitating); can {
		if err := b.SetGravity(gravity); err != nil {
			return fmt.Errorf("fluid: SetGravity: the coupled bodies: %w", err)
		}
	}
	for _, m := range g.members {
		m.sim.def.Physics.Gravity, m.sim.def.Physics.Weightless = d.Physics.Gravity, d.Physics.Weightless
		m.sim.gravity.own = true
		m.sim.updateGravity()
		m.sim.sleep.wakeAll()
	}
	return nil
}
