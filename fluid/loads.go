package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// applyWrenches hands the liquid's impulses over as forces through the step.
func (l *Liquid) applyWrenches() {
	l.begin(StageBodies)
	c := &l.coupling
	dt := l.m.Dt
	for i := range c.state {
		s, r, w := &c.state[i], &c.rigid[i], &l.graph.Bodies[i]
		a := &s.beside
		f := r3.Vec{X: r.Impulse[0]/dt + a[0], Y: r.Impulse[1]/dt + a[1], Z: r.Impulse[2]/dt + a[2]}
		t := r3.Vec{X: r.Impulse[3]/dt + a[3], Y: r.Impulse[4]/dt + a[4], Z: r.Impulse[5]/dt + a[5]}
		wet := l.submergedFraction(i)
		c.note(l.out.events(), i, wet.area > 0, f, w.Row, l)
		share := dt / l.step.whole
		load := &c.loads[i]
		z := &s.damping
		all, turn := r3.Add(f, r3.Vec{X: z[0], Y: z[1], Z: z[2]}), r3.Add(t, r3.Vec{X: z[3], Y: z[4], Z: z[5]})
		load.Force = r3.Add(load.Force, reproducible.Scale(share, all))
		load.Torque = r3.Add(load.Torque, reproducible.Scale(share, turn))
		load.Submerged, load.Wetted = wet.under, wet.area
		if wet.whole > 0 {
			load.Fraction = wet.under / wet.whole
		}
		if s.pushes = false; !s.ok || s.kind != DynamicBody || !c.there(i) {
			continue
		}
		s.solved = r.V
		// One that sleeps needs it too: what wakes it, here or in the engine, mustn't drop it for a step.
		l.addWrench(i, all, turn)
		s.damping = [6]float64{}
		if !s.awake && s.wakesUnder(f) {
			c.bodies.Wake(i)
		}
		if s.awake || s.justAsleep {
			s.rest = f
		}
	}
	l.lap(0)
}

// addWrench adds a wrench of the liquid to those that act on body i through the substep.
func (l *Liquid) addWrench(i int, force, torque r3.Vec) {
	s := &l.coupling.state[i]
	s.pushes = force != r3.Vec{} || torque != r3.Vec{}
	if s.pushes {
		g := l.group
		g.pushed = arrays.Lengthen(g.pushed, i+1)
		g.pushed[i]++
	}
	l.coupling.bodies.AddWrench(i, force, torque)
}

// carryAsleep has liquid that sleeps go on carrying what lies in it: what wakes in the bodies' step mustn't be dropped.
func (l *Liquid) carryAsleep() {
	c := &l.coupling
	for i := range c.state {
		if s := &c.state[i]; s.ok && s.wet && c.there(i) && c.bodies.Kind(i) == DynamicBody {
			l.addWrench(i, c.loads[i].Force, c.loads[i].Torque)
		}
	}
}

// readContactVelocities finds what velocity bodies got in the last step beside what the solve gave them: by contacts, and by other liquids.
func (l *Liquid) readContactVelocities() {
	c := &l.coupling
	for i := range c.state {
		s := &c.state[i]
		assumed := c.rigid[i].Contact
		s.contact = [6]float64{}
		if s.ok && s.awake && s.kind == DynamicBody && c.there(i) && (c.touching(i) || l.shares(i)) {
			v, w := c.bodies.Velocity(i)
			now := twist(v, w)
			for d := range now {
				s.contact[d] = now[d] - (s.solved[d] - assumed[d] - s.cut[d])
			}
		}
	}
}

// shares tells whether another liquid pushed body i in this substep.
func (l *Liquid) shares(i int) bool {
	own := int32(0)
	if l.coupling.state[i].pushes {
		own = 1
	}
	return i < len(l.group.pushed) && l.group.pushed[i] > own
}

// submergedFraction is how much of body i is under the surface. Of one thinner than a cell the grid knows which part that is, and the engine, perhaps,
// of how much.
func (l *Liquid) submergedFraction(i int) submersion {
	c := &l.coupling
	if c.state[i].subgrid {
		return c.state[i].submersion
	}
	w := &l.graph.Bodies[i]
	wet := submersion{w.Volume, w.Whole, w.Area}
	if from, can := c.bodies.(Measured); can && c.solid[i].Sheet && wet.whole > 0 {
		box, d := c.solid[i].Bounds, l.def.Domain
		if volume, _, _ := from.Extents(i); volume > 0 && finite(volume) && boxes.Contains(d, box.Min) && boxes.Contains(d, box.Max) {
			wet.under, wet.whole = wet.under*volume/wet.whole, volume
		}
	}
	return wet
}

// exertBeside gives body i what the liquid does to it beside the solve and its own weight, and soothes it if so.
func (l *Liquid) exertBeside(i int, soothe bool) {
	s := &l.coupling.state[i]
	drag := l.dragOnBody(i)
	for a, x := range l.exert(i, &drag) {
		s.aside[a] += x
		s.beside[a] += x
	}
	if s.damping = [6]float64{}; !soothe {
		return
	}
	s.damping = l.dampingWrench(i)
	for a, x := range l.exert(i, &s.damping) {
		s.aside[a] += x - s.damping[a]
		s.beside[a] += x - s.damping[a]
	}
}

// pressBeside readies what presses on a body beside the rows' pressure. One that sleeps is pressed on as it was when it fell asleep.
func (l *Liquid) pressBeside(i int) {
	s, w := &l.coupling.state[i], &l.graph.Bodies[i]
	weight := l.def.Density * reproducible.Norm(l.accelerationAt(l.coupling.solid[i].Centre))
	s.beside = s.aside
	switch {
	case !s.ok || s.kind != DynamicBody:
		s.aside, s.beside = [6]float64{}, [6]float64{}
	case s.subgrid:
	case !s.awake:
		s.beside = [6]float64{}
		if wrench := s.aside; weight > 0 {
			for a := range wrench {
				wrench[a] /= weight
			}
			w.Steps = l.m.Solids.WeightInertia(wrench)
		}
	default:
		for a := range s.aside {
			for d, up := range reproducible.Array(l.up()) {
				s.aside[a] -= float64(weight * w.Steps[a][d] * up)
			}
		}
	}
}

// Load is what the liquid did in the last step to the body that has an index of Bodies now; zero for a static body, which
// nothing moves, for one that was not there then, and for an index that is none.
func (l *Liquid) Load(body int) BodyLoad {
	defer l.enter(&inLoad).leave()
	c := &l.coupling
	if body < 0 || body >= c.count() {
		return BodyLoad{}
	}
	id := c.bodies.ID(body)
	if body < len(c.loads) && c.state[body].id == id {
		return c.loads[body]
	}
	return c.loadOf(id) // bodies came or went
}

// LoadOf is what the liquid did in the last step to the body with an ID, even if it is gone since; zero for one that was not there.
func (l *Liquid) LoadOf(id uint64) BodyLoad {
	defer l.enter(&inLoadOf).leave()
	return l.coupling.loadOf(id)
}

func (c *coupling) loadOf(id uint64) BodyLoad {
	if i, known := c.indices()[id]; known && int(i) < len(c.loads) {
		return c.loads[i]
	}
	return BodyLoad{}
}
