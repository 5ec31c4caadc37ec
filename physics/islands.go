package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// sleepAfter, s: how long a group must be slow before it sleeps. Half a second outlasts the
// turning points of bodies that bob or swing.
const sleepAfter = 0.5

// islands are the groups of dynamic bodies in contact or joined, as a forest of union-find whose
// roots are the lowest slots.
type islands struct {
	parent []int32
	awake  []bool    // of roots
	slow   []float64 // of roots: least sleepTime, s

	tier     []uint8 // of roots: the highest of their contacts
	contacts []int32 // of roots: how many to solve
}

func (s *islands) reset(n int) {
	s.parent, s.awake, s.slow = resize(s.parent, n), resize(s.awake, n), resize(s.slow, n)
	s.tier, s.contacts = resize(s.tier, n), resize(s.contacts, n)
	for i := range s.parent {
		s.parent[i], s.awake[i], s.slow[i], s.tier[i], s.contacts[i] = int32(i), false, math.Inf(1), 0, 0
	}
}

func (s *islands) root(i int32) int32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

func (s *islands) join(i, j int32) {
	i, j = s.root(i), s.root(j)
	s.parent[max(i, j)] = min(i, j)
}

// findIslands groups the bodies, wakes those that an awake or moving body touches, and lists the
// contacts.
func (w *World) findIslands() {
	g := &w.islands
	g.reset(len(w.bodies))
	for _, p := range w.pairs {
		c := &w.contacts[p.contact]
		if c.n == 0 {
			continue
		}
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		switch {
		case a.kind == Dynamic && b.kind == Dynamic:
			g.join(c.bodyA, c.bodyB)
		case a.kind == Kinematic && a.moving():
			w.wake(c.bodyB)
		case b.kind == Kinematic && b.moving():
			w.wake(c.bodyA)
		}
	}
	w.joinIslands()
	for _, s := range w.order {
		if w.bodies[s].kind == Dynamic && w.bodies[s].awake {
			g.awake[g.root(s)] = true
		}
	}
	for _, s := range w.order {
		if g.awake[g.root(s)] && !w.bodies[s].awake {
			w.wake(s)
		}
	}
	w.listContacts()
}

// listContacts lists the contacts to solve, and what their islands need to know of them.
func (w *World) listContacts() {
	g := &w.islands
	w.active = w.active[:0]
	crowded := w.countContacts()
	for _, p := range w.pairs {
		c := &w.contacts[p.contact]
		if c.n > 0 && (w.solved(c.bodyA) || w.solved(c.bodyB)) {
			if crowded && w.leavesOut(p.key, c) {
				c.lapse()
				continue
			}
			w.active = append(w.active, p.contact)
			r := w.islandOf(c.bodyA, c.bodyB)
			g.tier[r] = max(g.tier[r], c.tier)
			g.contacts[r]++
		}
	}
}

// mostBeside is how many contacts, with bodies that can be moved, a body has before some may be left out of a step. Only bodies made in one
// place, or pressed into each other, have so many.
const mostBeside = 64

// countContacts counts what each body touches that can be moved, and tells whether some body touches too many.
func (w *World) countContacts() (crowded bool) {
	w.crowds = resize(w.crowds, len(w.bodies))
	clear(w.crowds)
	for _, p := range w.pairs {
		if c := &w.contacts[p.contact]; c.n > 0 && w.solved(c.bodyA) && w.solved(c.bodyB) {
			w.crowds[c.bodyA]++
			w.crowds[c.bodyB]++
			crowded = crowded || min(w.crowds[c.bodyA], w.crowds[c.bodyB]) > mostBeside
		}
	}
	return crowded
}

// leavesOut tells whether a step leaves a contact out: some of those of two bodies that both touch more than mostBeside others. Which, is a
// matter of the key: some mostBeside per body, evenly spread over the crowd, and the same ones in each step.
func (w *World) leavesOut(key uint64, c *contact) bool {
	if !w.solved(c.bodyA) || !w.solved(c.bodyB) {
		return false
	}
	n := uint64(min(w.crowds[c.bodyA], w.crowds[c.bodyB]))
	return n > mostBeside && (key*0x9e3779b97f4a7c15)>>32%n >= mostBeside
}

// lapse forgets what a contact has done, since a step leaves it out.
func (c *contact) lapse() {
	c.touching, c.strain, c.tier = false, 0, 0
	for i := range c.points[:c.n] {
		c.points[i].force, c.points[i].friction = 0, r3.Vec{}
	}
	c.brake = r3.Vec{}
}

// islandOf is the root of two bodies of which one, at least, can be moved; -1 is the world.
func (w *World) islandOf(a, b int32) int32 {
	if a < 0 || !w.solved(a) {
		a = b
	}
	return w.islands.root(a)
}

// joinIslands groups the bodies that joints join, and wakes those that a moving kinematic one
// pulls along.
func (w *World) joinIslands() {
	for _, slot := range w.joints.order {
		j := &w.joints.slots[slot]
		a, b := w.end(j.a), w.end(j.b)
		switch {
		case a.kind == Dynamic && b.kind == Dynamic:
			w.islands.join(j.a, j.b)
		case a.kind == Kinematic && a.moving(), b.kind == Kinematic && b.moving():
			w.wakeJoint(j)
		}
	}
}

// solved reports whether contacts can change the body's motion.
func (w *World) solved(slot int32) bool {
	b := &w.bodies[slot]
	return b.kind == Dynamic && b.awake && b.invMass > 0
}

// fallAsleep puts the islands to sleep whose bodies have all been slow for long enough.
func (w *World) fallAsleep(dt float64) {
	if w.def.NoSleep {
		return
	}
	g := &w.islands
	for _, s := range w.order {
		b := &w.bodies[s]
		if b.kind != Dynamic || !b.awake {
			continue
		}
		box := w.Bounds(int(b.index))
		size := box.Size()
		speed := max(reproducible.Norm(b.v), reproducible.Norm(b.w)*max(size.X, size.Y, size.Z)/2)
		if b.noSleep || speed > w.def.SleepSpeed {
			b.sleepTime = 0
		} else {
			b.sleepTime += dt
		}
		r := g.root(s)
		g.slow[r] = min(g.slow[r], b.sleepTime)
	}
	w.keepRunning()
	for _, s := range w.order {
		if b := &w.bodies[s]; b.kind == Dynamic && b.awake && g.slow[g.root(s)] >= sleepAfter {
			b.sleep()
		}
	}
}

// keepRunning keeps the islands awake that a motor drives.
func (w *World) keepRunning() {
	for i := range w.solver.links {
		j := w.solver.links[i].joint
		if j.def.Motor.Max == 0 || j.def.Motor.Speed == 0 {
			continue
		}
		for _, s := range [2]int32{j.a, j.b} {
			if s >= 0 {
				w.islands.slow[w.islands.root(s)] = 0
			}
		}
	}
}

func (b *body) sleep() {
	b.awake, b.sleepTime = false, 0
	b.v, b.w = r3.Vec{}, r3.Vec{}
}

// wake wakes a dynamic body; the next step wakes what it touches.
func (w *World) wake(slot int32) {
	w.forecast.dt = 0
	if b := &w.bodies[slot]; b.kind == Dynamic {
		b.awake, b.sleepTime = true, 0
	}
}

// wakeNear wakes all bodies that shapes of a body that has been put somewhere come near.
func (w *World) wakeNear(slot int32) {
	w.wake(slot)
	for _, s := range w.bodies[slot].shapes {
		w.wakeNearShape(s)
	}
}

// wakeNearShape wakes what a shape may touch.
func (w *World) wakeNearShape(slot int32) {
	box := grow(w.shapes[slot].bounds, speculation)
	w.tree.overlapping(&box, func(other int32) {
		if o := &w.shapes[other]; overlap(&o.bounds, &box) {
			w.wake(o.body)
		}
	})
}
