package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
)

// Publish makes the state of the substep that ends the settled one, from which the next begins and which queries are about.
func (m *Blocks) Publish() { m.PublishIn(m.Spreader.Reached) }

// PublishIn is Publish where the velocity on the layout's faces is 0 but in some base cells; nil: in none.
func (m *Blocks) PublishIn(moving []bool) {
	m.Grid.Settle()
	m.Vel.GatherIn(m.Pool, &m.Faces, moving)
	m.Surface.publish()
	m.Foam.Publish()
	m.Survey.Update()
	mustHold(func() error { return checkSettled(m) })
}

// Revert takes back what a substep or an edit has changed so far. moved tells whether the surface was. At rest, velocity and pressure are 0
// afterwards; else they were not changed yet. It asks no solids: what they leave open is to be measured, and the layout to be settled, next.
func (m *Blocks) Revert(moved, atRest bool) {
	m.Grid.Revert()
	m.Surface.revert(moved)
	m.Foam.Restore()
	if atRest {
		for a := range m.Faces {
			clear(m.Faces[a])
		}
		clear(m.Press)
		m.Survey.MaxSpeed = 0
	}
	m.Solids.Forget()
}

// ForgetSolids has what solids leave open measured anew, wherever that is, when they are measured next.
func (m *Blocks) ForgetSolids() { m.Solids.Forget() }

// MaxSpeed is the liquid's greatest speed, m/s.
func (m *Blocks) MaxSpeed() float64 { return m.Survey.MaxSpeed }

// Demand is what the last plan of the cells' sizes asked for.
func (m *Blocks) Demand() sizing.Outcome { return m.Survey.Demand }
