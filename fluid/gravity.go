package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/calls"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Gravitating is what Bodies may have besides: a gravity that can be changed. physics.World has it.
type Gravitating interface {
	// SetGravity changes the bodies' gravity, m/s².
	SetGravity(g r3.Vec) error
}

// SetGravity changes Def.Gravity, m/s², from the next step on: zero means none. One call is enough for liquid and bodies: coupled ones whose
// engine is Gravitating, as physics.World is, get the same gravity and wake, and so do all liquids that couple them too. Of another
// engine the game changes it as well.
// A gravity that is not finite or longer than 1e4 m/s² is an error, and the last one stays.
func (l *Liquid) SetGravity(g r3.Vec) error {
	defer l.enterGroup(&calls.SetGravity, &calls.OthersGravity).leave()
	return l.group.setGravity(l.def, g)
}

// setGravity changes the gravity of all members, of which one has the definition d, and of the bodies.
func (g *group) setGravity(d Def, gravity r3.Vec) error {
	d.Gravity, d.Weightless = gravity, gravity == r3.Vec{}
	if err := d.Validate(); err != nil {
		return err
	}
	if b, can := g.members[0].coupling.Bodies.(Gravitating); can {
		if err := b.SetGravity(gravity); err != nil {
			return fmt.Errorf("fluid: SetGravity: the coupled bodies: %w", err)
		}
	}
	for _, m := range g.members {
		m.def.Gravity, m.def.Weightless = d.Gravity, d.Weightless
		m.accelerations.update()
		m.wakeAll()
	}
	return nil
}

// update brings up to date what is kept of gravity and of the fields.
func (a *accelerations) update() {
	l := a.sim
	w, gravity := &l.world, l.def.Gravity
	w.fieldsIn.Invalidate()
	for _, f := range w.fields {
		if f.Even() {
			gravity = r3.Add(gravity, reproducible.Scale(f.Strength, f.Axis))
		}
	}
	l.gravity = gravity
	l.disc.SetGravity(gravity)
}

// accelerations are what gravity and the fields accelerate liquid by.
type accelerations struct{ sim *simulation }

// accelerationAt is what gravity and the fields accelerate liquid by at a place, m/s².
func (l *simulation) accelerationAt(x r3.Vec) r3.Vec {
	l.placeFields()
	a := l.gravity
	l.world.fieldsIn.Each(x, func(more r3.Vec) { a = r3.Add(a, more) })
	return a
}

// at writes accelerationAt for some places.
func (a *accelerations) at(dst, at []r3.Vec) {
	l := a.sim
	for i, x := range at {
		dst[i] = l.accelerationAt(x)
	}
}

// accelerateSpray adds what the fields that differ from place to place change the spray's velocities by in dt seconds.
func (a *accelerations) accelerateSpray(dt float64) {
	l := a.sim
	l.placeFields()
	d := l.spray
	for i := range d.Len() {
		p, v := d.Position[3*i:][:3], d.Velocity[3*i:][:3]
		x := r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
		l.world.fieldsIn.Each(x, func(more r3.Vec) {
			for k, a := range reproducible.Array(more) {
				v[k] += float32(dt * a)
			}
		})
	}
}

// up is where the liquid's surface faces, if nothing but gravity and the fields that are the same everywhere acts on it.
func (l *simulation) up() r3.Vec { return query.Up(l.gravity) }
