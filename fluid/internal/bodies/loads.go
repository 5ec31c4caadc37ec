package bodies

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Load is what the liquid did to a body in a step.
type Load struct {
	Submerged     float64 // volume under the surface, m³
	Fraction      float64 // of the body's volume
	Wetted        float64 // area, m²
	Force, Torque r3.Vec  // N, and N·m about the centre of mass, averaged over the step
}

// Loads adds up what the liquid does to the bodies, and hands it over.
type Loads struct {
	c    *Coupling
	body []Load
}

// Pushes counts, per body, how many of the liquids that couple the same bodies push it in a substep. They share one.
type Pushes struct {
	count  []int32
	spared []bool // a liquid has handed the body what contacts do to it
}

// Begin forgets what was counted, and has room for n bodies.
func (p *Pushes) Begin(n int) {
	p.count = arrays.Resize(p.count, n)
	clear(p.count)
	p.spared = arrays.Resize(p.spared, n)
	clear(p.spared)
}

func (p *Pushes) add(body int) {
	p.count = arrays.Lengthen(p.count, body+1)
	p.count[body]++
}

// Apply hands the liquid's impulses over as forces through the substep, when the pressure has been solved for.
func (l *Loads) Apply(pushes *Pushes) {
	c := l.c
	dt := c.now.Dt
	c.spare(pushes)
	for i := range c.state {
		s, r, w := &c.state[i], &c.Rigid[i], &c.Graph.Bodies[i]
		a := &s.unsolvedWrench
		f := r3.Vec{X: r.Impulse[0]/dt + a[0], Y: r.Impulse[1]/dt + a[1], Z: r.Impulse[2]/dt + a[2]}
		t := r3.Vec{X: r.Impulse[3]/dt + a[3], Y: r.Impulse[4]/dt + a[4], Z: r.Impulse[5]/dt + a[5]}
		wet := c.submergedFraction(i)
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
			// The liquid pressed on it as on what can't move. It begins to move with the next solve, which knows its inertia and that of the liquid.
			l.addWrench(i, s.restLoad, s.restTurn, pushes)
			c.Bodies.Wake(i)
		} else {
			// One that sleeps needs it too: what wakes it, here or in the engine, mustn't drop it for a step.
			z = &s.spared
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

// leastSealed is the part of a body's wet area that must lead to air for liquid to hold the body down by much.
const leastSealed = .02

// warnHeldDown tells once of a body that its liquid, of a volume under its surface, would lift if that came in under it as well.
func (c *Coupling) warnHeldDown(i int, under float64) {
	s, r, w := &c.state[i], &c.Rigid[i], &c.Graph.Bodies[i]
	if r.InverseMass == 0 {
		return // it sleeps, and goes on as it did
	}
	held := w.Sealed > leastSealed*w.Area && c.now.Density*under*r.InverseMass > 1 && reproducible.Norm2(r3.Vec{X: r.V[0], Y: r.V[1], Z: r.V[2]}) < maxHeldSpeed*maxHeldSpeed
	if held && !s.heldDown {
		c.Warn("Bodies", fmt.Sprintf("%s is lighter than the liquid around it, which holds it down: it stands over air, which no liquid gets to", c.Called(i)))
	}
	s.heldDown = held
}

// maxHeldSpeed, m/s, is what a body that is held down moves with at most.
const maxHeldSpeed = .05

// addWrench adds a wrench of the liquid to those that act on body i through the substep.
func (l *Loads) addWrench(i int, force, torque r3.Vec, pushes *Pushes) {
	s := &l.c.state[i]
	s.pushes = force != r3.Vec{} || torque != r3.Vec{}
	if s.pushes {
		pushes.add(i)
	}
	l.c.Bodies.AddWrench(i, force, torque)
}

// CarryAsleep has liquid that sleeps go on carrying what lies in it: what wakes in the bodies' step mustn't be dropped.
func (l *Loads) CarryAsleep(pushes *Pushes) {
	c := l.c
	for i := range c.state {
		if s := &c.state[i]; s.ok && s.wet && c.stillThere(i) && c.Bodies.Kind(i) == engine.Dynamic {
			l.addWrench(i, l.body[i].Force, l.body[i].Torque, pushes)
		}
	}
}

// ReadContactVelocities finds what velocity bodies got in the last step beside what the solve gave them: by contacts, and by liquids that the
// solve does not know of.
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
				s.contact[d] = now[d] - (s.solved[d] - assumed[d] + s.slid[d] - s.clipped[d])
			}
			if !others {
				c.limitContact(i)
			}
		}
	}
}

// limitContact has no more be expected of contacts that the solve knows than the engine is left to find for them: more was an impact, which does not last.
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

// pushedByOthers tells whether another liquid pushed body i in this substep.
func (c *Coupling) pushedByOthers(i int, pushes *Pushes) bool {
	own := int32(0)
	if c.state[i].pushes {
		own = 1
	}
	return i < len(pushes.count) && pushes.count[i] > own
}

// submergedFraction is how much of body i is under the surface. Of one thinner than a cell the grid knows which part that is, and the engine, perhaps,
// of how much.
func (c *Coupling) submergedFraction(i int) submersion {
	if c.state[i].subgrid {
		return c.state[i].submersion
	}
	w := &c.Graph.Bodies[i]
	wet := submersion{w.Volume, w.Whole, w.Area}
	if c.Solids[i].Sheet && wet.whole == 0 && wet.area > 0 { // too thin for the grid to fill any cell with it
		wet.under, wet.whole = partUnder(c, i), 1
	}
	if from, can := c.Bodies.(engine.Measured); can && c.Solids[i].Sheet && wet.whole > 0 {
		box, d := c.Solids[i].Bounds, c.Domain
		if volume, _, _ := from.Dimensions(i); volume > 0 && finite(volume) && boxes.Contains(d, box.Min) && boxes.Contains(d, box.Max) {
			wet.under, wet.whole = wet.under*volume/wet.whole, volume
		}
	}
	return wet
}

// partUnder is how much of body i is under a level surface.
func partUnder(c *Coupling, i int) float64 {
	at, distance := [1]r3.Vec{c.Solids[i].Centre}, [1]float32{}
	c.Liquid.Distance(distance[:], at[:])
	up, size := c.now.up(), c.Solids[i].Bounds.Size()
	height := float64(size.X*math.Abs(up.X)) + float64(size.Y*math.Abs(up.Y)) + float64(size.Z*math.Abs(up.Z))
	return submergedPart(float64(distance[0]), max(height, 1e-9))
}

// Clear has no body loaded, for a step to add up what it does.
func (l *Loads) Clear() { clear(l.body) }

// At is the load of the body that has an index of the engine now; zero for one that was not there, and for an index that is none.
func (l *Loads) At(body int) Load {
	c := l.c
	if body < 0 || body >= c.Count() {
		return Load{}
	}
	id := c.Bodies.ID(body)
	if body < len(l.body) && c.state[body].id == id {
		return l.body[body]
	}
	return l.Of(id) // bodies came or went
}

// Of is the load of the body with an identity, even if it is gone since; zero for one that was not there.
func (l *Loads) Of(id uint64) Load {
	if i, known := l.c.indices()[id]; known && int(i) < len(l.body) {
		return l.body[i]
	}
	return Load{}
}

// wakesUnder tells whether a load, N, wakes a body that sleeps. When it has just fallen asleep the load differs somewhat, as
// the liquid about it can't move it any more.
func (s *bodyState) wakesUnder(load r3.Vec) bool {
	part := .02
	if s.justAsleep {
		part = .1
	}
	return reproducible.Norm(r3.Sub(load, s.restLoad)) > float64(part*reproducible.Norm(s.restLoad))+1e-6
}

// touching tells whether contacts may have moved body i in the last step. Joints turn with their bodies
// while the solve takes them as they were: taken for a contact, and told to the next solve, that would
// drive light bodies in heavy liquid.
func (c *Coupling) touching(i int) bool {
	t, can := c.Bodies.(engine.Touching)
	return !c.constraints.joined[i] || !can || t.Touching(i)
}
