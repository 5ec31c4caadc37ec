package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Liquid that presses a light body on something presses with many times its weight, and so does what it is pressed on. The solve knows of both, and what is
// left moves the body with the liquid. The engine, which is handed the one and finds the other by itself, finds it at another place, or with friction: a
// hundredth of what presses on a body of a thousandth of the liquid's density throws it away. What is more than tolerable of what the solve knows of contacts is
// therefore handed to the engine with the liquid's load, to both bodies of a contact, and the engine finds the rest.

const (
	// tolerable, m/s, is the change of a body's velocity in a substep that the engine is left to find for contacts.
	tolerable = 3
	// lightest and light are densities, in parts of the liquid's, between which it comes to be left to find all. Still liquid presses a body of a
	// tenth of its density on something with less than tolerable in 1/60 s.
	lightest, light = .05, .1
)

// spare finds what of the contacts' impulses bodies are handed. What one of several liquids hands on no other does.
func (c *Coupling) spare(pushes *Pushes) {
	c.pressed = arrays.Resize(c.pressed, len(c.state))
	clear(c.pressed)
	for i := range c.state {
		c.state[i].spared, c.state[i].slid = [6]float64{}, [6]float64{}
	}
	some := false
	for j := range c.Joints {
		if joint := &c.Joints[j]; joint.Kind == rigid.Unilateral && joint.Taken[0] > 0 {
			for _, b := range [2]int32{joint.A, joint.B} {
				if c.gives(b) {
					c.pressed[b] += joint.Taken[0]
					some = some || c.pressed[b]*c.Rigid[b].InverseMass > tolerable
				}
			}
		}
	}
	for j := range c.Joints {
		if joint := &c.Joints[j]; some && joint.Kind != rigid.Bilateral && !pushes.hasSpared(joint.A) && !pushes.hasSpared(joint.B) {
			c.spareJoint(joint)
		}
	}
	pushes.spared = arrays.Lengthen(pushes.spared, len(c.state))
	for i := range c.state {
		pushes.spared[i] = pushes.spared[i] || c.state[i].spared != [6]float64{}
	}
}

func (p *Pushes) hasSpared(body int32) bool {
	return body >= 0 && int(body) < len(p.spared) && p.spared[body]
}

// spareJoint hands both bodies of a contact what is more than tolerable for one of them.
func (c *Coupling) spareJoint(joint *rigid.Joint) {
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
			impulse, row := part*joint.Taken[n], (*[6]float64)(joint.Rows[n][6*side:])
			for d, x := range row {
				s.spared[d] += float64(impulse / c.now.Dt * x)
			}
			if joint.Slides {
				for d := range 3 {
					s.slid[d] += float64(impulse * r.InverseMass * row[d])
					for k := range 3 {
						s.slid[3+d] += float64(impulse * r.InverseInertia[d][k] * row[3+k])
					}
				}
			}
		}
	}
}

// gives tells whether contacts can move a body, by its index, which is negative for the world.
func (c *Coupling) gives(b int32) bool {
	return b >= 0 && int(b) < len(c.state) && c.Rigid[b].InverseMass > 0
}
