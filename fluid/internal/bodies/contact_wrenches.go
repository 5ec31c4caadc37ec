package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Liquid may press a light body against something with many times the body's weight, and the contact presses back. The solve has both forces, and their
// difference moves the body with the liquid. The engine gets the liquid's load and finds the contact force itself, but at another place, or with
// friction. For a body of a thousandth of the liquid's density an error of one percent throws the body away. The part of the solve's contact forces
// that exceeds tolerable is therefore applied together with the liquid's load, to both bodies of a contact, and the engine finds the rest.

const (
	// tolerable, m/s, is the change of a body's velocity in a substep by contact forces that the engine is left to find.
	tolerable = 3
	// lightest and light are densities, relative to the liquid's, between which that part fades to zero. Still liquid presses a body of a
	// tenth of its density on something with less than tolerable in 1/60 s.
	lightest, light = .05, .1
)

// findContactWrenches computes the contact wrenches to apply to bodies. Each body gets them from one liquid only.
func (c *Coupling) findContactWrenches(pushes *Pushes) {
	c.pressed = arrays.Resize(c.pressed, len(c.state))
	clear(c.pressed)
	for i := range c.state {
		c.state[i].contactWrench, c.state[i].slidVelocity = [6]float64{}, [6]float64{}
	}
	some := false
	for j := range c.Joints {
		if joint := &c.Joints[j]; joint.Kind == rigid.Unilateral && joint.Impulse[0] > 0 {
			for _, b := range [2]int32{joint.A, joint.B} {
				if c.gives(b) {
					c.pressed[b] += joint.Impulse[0]
					some = some || c.pressed[b]*c.Rigid[b].InverseMass > tolerable
				}
			}
		}
	}
	for j := range c.Joints {
		if joint := &c.Joints[j]; some && joint.Kind != rigid.Bilateral && !pushes.hasContactWrench(joint.A) && !pushes.hasContactWrench(joint.B) {
			c.addContactWrench(joint)
		}
	}
	pushes.contactWrench = arrays.Lengthen(pushes.contactWrench, len(c.state))
	for i := range c.state {
		pushes.contactWrench[i] = pushes.contactWrench[i] || c.state[i].contactWrench != [6]float64{}
	}
}

func (p *Pushes) hasContactWrench(body int32) bool {
	return body >= 0 && int(body) < len(p.contactWrench) && p.contactWrench[body]
}

// addContactWrench adds the part of a contact's impulses that is more than tolerable for one of its bodies to both.
func (c *Coupling) addContactWrench(joint *rigid.Joint) {
	part := 0.
	for _, b := range [2]int32{joint.A, joint.B} {
		if c.gives(b) {
			if gain := c.pressed[b] * c.Rigid[b].InverseMass; gain > tolerable {
				part = max(part, (1-tolerable/gain)*fade(1/(c.Rigid[b].InverseMass*c.now.Density*max(c.Graph.Bodies[b].Whole, 1e-30)), lightest, light))
			}
		}
	}
	for side, b := range [2]int32{joint.A, joint.B} {
		if part == 0 || !c.gives(b) {
			continue
		}
		s, r := &c.state[b], &c.Rigid[b]
		for n := range joint.N {
			impulse, row := part*joint.Impulse[n], (*[6]float64)(joint.Rows[n][6*side:])
			for d, x := range row {
				s.contactWrench[d] += float64(impulse / c.now.Dt * x)
			}
			if joint.Slides {
				for d := range 3 {
					s.slidVelocity[d] += float64(impulse * r.InverseMass * row[d])
					for k := range 3 {
						s.slidVelocity[3+d] += float64(impulse * r.InverseInertia[d][k] * row[3+k])
					}
				}
			}
		}
	}
}

// gives reports whether contacts can move the body with an index, which is negative for the world.
func (c *Coupling) gives(b int32) bool {
	return b >= 0 && int(b) < len(c.state) && c.Rigid[b].InverseMass > 0
}
