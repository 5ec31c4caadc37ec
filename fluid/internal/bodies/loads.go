package bodies

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Load is the liquid's load on a body in a step.
type Load struct {
	Submerged     float64 // volume under the surface, m³
	Fraction      float64 // of the body's volume
	Wetted        float64 // area, m²
	Force, Torque r3.Vec  // N, and N·m about the centre of mass, averaged over the step
}

// Loads sums the liquid's loads and applies them to the bodies.
type Loads struct {
	c    *Coupling
	body []Load
}

// Pushes counts, per body, the liquids that exert something on it in a substep. It is shared by the liquids that couple the same bodies.
type Pushes struct {
	count         []int32
	contactWrench []bool // a liquid has applied a contact wrench to the body
}

// Begin clears the counts, and makes room for n bodies.
func (p *Pushes) Begin(n int) {
	p.count = arrays.Resize(p.count, n)
	clear(p.count)
	p.contactWrench = arrays.Resize(p.contactWrench, n)
	clear(p.contactWrench)
}

func (p *Pushes) add(body int) {
	p.count = arrays.Lengthen(p.count, body+1)
	p.count[body]++
}

// Apply applies the solve's impulses to the bodies, as wrenches through the substep.
func (l *Loads) Apply(pushes *Pushes) {
	c := l.c
	dt := c.now.Dt
	c.findContactWrenches(pushes)
	for i := range c.state {
		s, r, w := &c.state[i], &c.Rigid[i], &c.Graph.Bodies[i]
		a := &s.unsolvedWrench
		f := r3.Vec{X: r.Impulse[0]/dt + a[0], Y: r.Impulse[1]/dt + a[1], Z: r.Impulse[2]/dt + a[2]}
		t := r3.Vec{X: r.Impulse[3]/dt + a[3], Y: r.Impulse[4]/dt + a[4], Z: r.Impulse[5]/dt + a[5]}
		wet := c.submergedFraction(i)
		if s.held {
			f, t = s.restLoad, s.restTurn
		} else if !s.awake {
			if s.submersion = wet; s.kind == engine.Kinematic {
				s.restLoad, s.restTurn = f, t
			}
		}
		c.addEvents(i, wet.area > 0, f, w.Row)
		c.warnHeldDown(i, wet.under)
		share := dt / c.now.Whole
		load := &l.body[i]
		z := &s.damping
		all, turn := r3.Add(f, r3.Vec{X: z[0], Y: z[1], Z: z[2]}), r3.Add(t, r3.Vec{X: z[3], Y: z[4], Z: z[5]})
		load.Force = r3.Add(load.Force, reproducible.Scale(share, all))
		load.Torque = r3.Add(load.Torque, reproducible.Scale(share, turn))
		load.Submerged, load.Wetted = wet.under, wet.area
		if wet.whole > 0 {
			load.Fraction = wet.under / wet.whole
		}
		if s.pushes = false; !s.ok || s.kind != engine.Dynamic || !c.stillThere(i) {
			continue
		}
		s.solved = r.V
		if wakes := !s.awake && s.wakesUnder(f); wakes && !s.justAsleep {
			// The liquid was solved with the body at rest. The body starts to move in the next solve, which has its inertia.
			l.addWrench(i, s.restLoad, s.restTurn, pushes)
			c.Bodies.Wake(i)
		} else {
			// A sleeping body gets its load too: it may wake in the engine, and must not fall for a step.
			z = &s.contactWrench
			l.addWrench(i, r3.Add(all, r3.Vec{X: z[0], Y: z[1], Z: z[2]}), r3.Add(turn, r3.Vec{X: z[3], Y: z[4], Z: z[5]}), pushes)
			if wakes {
				c.Bodies.Wake(i)
			}
		}
		s.damping = [6]float64{}
		if s.awake || s.justAsleep {
			s.restLoad, s.restTurn = f, t
		}
	}
}

// leastSealed is the least part of a body's wet area at air that counts as held down.
const leastSealed = .02

// warnHeldDown warns once of a body that stands over air and would float if liquid came under it. under is its submerged volume, m³.
func (c *Coupling) warnHeldDown(i int, under float64) {
	s, r, w := &c.state[i], &c.Rigid[i], &c.Graph.Bodies[i]
	if r.InverseMass == 0 {
		return // asleep: unchanged
	}
	held := w.Sealed > leastSealed*w.Area && c.now.Density*under*r.InverseMass > 1 && reproducible.Norm2(r3.Vec{X: r.V[0], Y: r.V[1], Z: r.V[2]}) < maxHeldSpeed*maxHeldSpeed
	if held && !s.heldDown {
		c.Warn("Bodies", fmt.Sprintf("%s is lighter than the liquid around it, which holds it down: it stands over air, which no liquid gets to", c.Called(i)))
	}
	s.heldDown = held
}

// maxHeldSpeed, m/s, is the greatest speed of a body that counts as held down.
const maxHeldSpeed = .05

// addWrench applies a wrench to body i through the substep.
func (l *Loads) addWrench(i int, force, torque r3.Vec, pushes *Pushes) {
	s := &l.c.state[i]
	s.pushes = force != r3.Vec{} || torque != r3.Vec{}
	if s.pushes {
		pushes.add(i)
	}
	l.c.Bodies.AddWrench(i, force, torque)
}

// ApplyAsleep applies the last loads of sleeping liquid to the bodies in it: one that wakes in the engine's step must not fall.
func (l *Loads) ApplyAsleep(pushes *Pushes) {
	c := l.c
	for i := range c.state {
		if s := &c.state[i]; s.ok && s.wet && c.stillThere(i) && c.Bodies.Kind(i) == engine.Dynamic {
			l.addWrench(i, l.body[i].Force, l.body[i].Torque, pushes)
		}
	}
}

// ReadContactVelocities computes the change of bodies' velocities in the last step beyond that of the solve: by contacts, and by liquids
// outside of the solve.
func (c *Coupling) ReadContactVelocities(pushes *Pushes) {
	for i := range c.state {
		s := &c.state[i]
		assumed := c.Rigid[i].Contact
		s.contact = [6]float64{}
		others := c.pushedByOthers(i, pushes) && c.solves.of(i) == nil
		if s.ok && s.awake && s.kind == engine.Dynamic && c.stillThere(i) && (c.touching(i) || others) {
			v, w := c.Bodies.Velocity(i)
			now := rigid.Twist(v, w)
			for d := range now {
				s.contact[d] = now[d] - (s.solved[d] - assumed[d] + s.slidVelocity[d] - s.clipped[d])
			}
			if !others {
				c.limitContact(i)
			}
		}
	}
}

// limitContact bounds the contact velocity to what the engine is left to find if contacts are part of the solve: more was an impact, which does not last.
func (c *Coupling) limitContact(i int) {
	s := &c.state[i]
	if _, knows := c.Bodies.(engine.Contacting); !knows {
		return
	}
	v, w := reproducible.Vector([3]float64(s.contact[:3])), reproducible.Vector([3]float64(s.contact[3:]))
	size := reproducible.Norm(r3.Sub(s.bounds.Max, s.bounds.Min)) / 2
	if speed := max(reproducible.Norm(v), size*reproducible.Norm(w)); speed > tolerable {
		s.contact = rigid.Twist(reproducible.Scale(tolerable/speed, v), reproducible.Scale(tolerable/speed, w))
	}
}

// pushedByOthers reports whether another liquid exerted something on body i in this substep.
func (c *Coupling) pushedByOthers(i int, pushes *Pushes) bool {
	own := int32(0)
	if c.state[i].pushes {
		own = 1
	}
	return i < len(pushes.count) && pushes.count[i] > own
}

// submergedFraction returns the submersion of body i. For a body thinner than a cell the grid gives the submerged part, and the engine, if it can,
// the volume.
func (c *Coupling) submergedFraction(i int) submersion {
	if c.state[i].subgrid || c.state[i].held {
		return c.state[i].submersion
	}
	w := &c.Graph.Bodies[i]
	wet := submersion{w.Volume, w.Whole, w.Area}
	if c.Solids[i].Sheet && wet.whole == 0 && wet.area > 0 { // too thin to fill any cell
		wet.under, wet.whole = partUnder(c, i), 1
	}
	if from, can := c.Bodies.(engine.Measured); can && c.Solids[i].Sheet && wet.whole > 0 {
		box, d := c.Solids[i].Bounds, c.Domain
		if volume, _, _ := from.Dimensions(i); volume > 0 && geom.Finite(volume) && boxes.Contains(d, box.Min) && boxes.Contains(d, box.Max) {
			wet.under, wet.whole = wet.under*volume/wet.whole, volume
		}
	}
	return wet
}

// partUnder returns the part of body i below a level surface.
func partUnder(c *Coupling, i int) float64 {
	at, distance := [1]r3.Vec{c.Solids[i].Centre}, [1]float32{}
	c.Liquid.Distance(distance[:], at[:])
	up, size := c.now.up(), c.Solids[i].Bounds.Size()
	height := float64(size.X*math.Abs(up.X)) + float64(size.Y*math.Abs(up.Y)) + float64(size.Z*math.Abs(up.Z))
	return submergedPart(float64(distance[0]), max(height, 1e-9))
}

// Clear sets the loads to zero before a step.
func (l *Loads) Clear() { clear(l.body) }

// At returns the load of the body with a current index of the engine; zero for a new body or an invalid index.
func (l *Loads) At(body int) Load {
	c := l.c
	if body < 0 || body >= c.Count() {
		return Load{}
	}
	id := c.Bodies.ID(body)
	if body < len(l.body) && c.state[body].id == id {
		return l.body[body]
	}
	return l.Of(id) // bodies were added or removed
}

// Of returns the load of the body with an ID, even if it has been removed since; zero for an unknown one.
func (l *Loads) Of(id uint64) Load {
	if i, known := l.c.indices()[id]; known && int(i) < len(l.body) {
		return l.body[i]
	}
	return Load{}
}

// wakesUnder reports whether a load, N, wakes a sleeping body. The load changes somewhat when a body falls asleep, since
// the liquid can't move it any more.
func (s *bodyState) wakesUnder(load r3.Vec) bool {
	part := .02
	if s.justAsleep {
		part = .1
	}
	return reproducible.Norm(r3.Sub(load, s.restLoad)) > float64(part*reproducible.Norm(s.restLoad))+1e-6
}

// touching reports whether contacts may have changed the velocity of body i in the last step. Joints turn with their bodies,
// but the solve takes them as fixed. If that difference counted as a contact in the next solve, it would
// drive light bodies in heavy liquid.
func (c *Coupling) touching(i int) bool {
	t, can := c.Bodies.(engine.Touching)
	return !c.constraints.joined[i] || !can || t.Touching(i)
}
