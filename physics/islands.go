package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// sleepAfter, s: how long an island must be slow before it sleeps. Half a second is longer than the slow part of a
// bobbing or swinging body's motion.
const sleepAfter = 0.5

// islands are the groups of dynamic bodies in contact or joined, as a forest of union-find whose
// roots are the lowest slots.
type islands struct {
	parent         []int32
	awake          []bool    // of roots
	leastSleepTime []float64 // of roots: least sleepTime, s

	halvings []uint8 // of roots: the highest of their contacts
	contacts []int32 // of roots: how many to solve

	tautHalvings []uint8   // of roots: how often their taut links halve substeps
	mass         []float64 // of roots: of their bodies, kg; empty until massOfIsland is asked
}

func (s *islands) reset(n int) {
	s.parent, s.awake, s.leastSleepTime = resize(s.parent, n), resize(s.awake, n), resize(s.leastSleepTime, n)
	s.halvings, s.contacts, s.tautHalvings = resize(s.halvings, n), resize(s.contacts, n), resize(s.tautHalvings, n)
	s.mass = s.mass[:0]
	for i := range s.parent {
		s.parent[i], s.awake[i], s.leastSleepTime[i], s.halvings[i], s.contacts[i], s.tautHalvings[i] = int32(i), false, math.Inf(1), 0, 0, 0
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

// findIslands builds the islands, wakes those that an awake or moving body touches, and lists the contacts to solve.
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

// listContacts lists the contacts to solve, and counts them by island.
func (w *World) listContacts() {
	g := &w.islands
	w.active = w.active[:0]
	for _, p := range w.pairs {
		c := &w.contacts[p.contact]
		if c.n > 0 && (w.canMove(c.bodyA) || w.canMove(c.bodyB)) {
			w.active = append(w.active, p.contact)
			r := w.islandOf(c.bodyA, c.bodyB)
			g.halvings[r] = max(g.halvings[r], c.halvings)
			g.contacts[r]++
		}
	}
}

// islandOf is the root of the island of two bodies, at least one of which is movable; -1 is the world.
func (w *World) islandOf(a, b int32) int32 {
	if a < 0 || !w.canMove(a) {
		a = b
	}
	return w.islands.root(a)
}

// joinIslands joins the islands of jointed bodies, and wakes those that a moving kinematic body drags.
func (w *World) joinIslands() {
	for _, slot := range w.joints.order {
		j := &w.joints.slots[slot]
		a, b := w.bodyOrWorld(j.a), w.bodyOrWorld(j.b)
		switch {
		case a.kind == Dynamic && b.kind == Dynamic:
			w.islands.join(j.a, j.b)
		case a.kind == Kinematic && a.moving(), b.kind == Kinematic && b.moving():
			w.wakeJoint(j)
		}
	}
}

// canMove reports whether the solver can change the body's motion: it is dynamic, awake and has a mass.
func (w *World) canMove(slot int32) bool {
	b := &w.bodies[slot]
	return b.kind == Dynamic && b.awake && b.invMass > 0
}

// fallAsleep puts islands to sleep whose bodies have all been slow for sleepAfter.
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
		box := w.Coupling().Bounds(int(b.index))
		size := box.Size()
		speed := max(reproducible.Norm(b.v), reproducible.Norm(b.w)*max(size.X, size.Y, size.Z)/2)
		if b.noSleep || speed > w.def.SleepSpeed {
			b.sleepTime = 0
		} else {
			b.sleepTime += dt
		}
		r := g.root(s)
		g.leastSleepTime[r] = min(g.leastSleepTime[r], b.sleepTime)
	}
	w.keepMotorsAwake()
	for _, s := range w.order {
		if b := &w.bodies[s]; b.kind == Dynamic && b.awake && g.leastSleepTime[g.root(s)] >= sleepAfter {
			b.sleep()
		}
	}
}

// keepMotorsAwake keeps islands with a running motor awake.
func (w *World) keepMotorsAwake() {
	for i := range w.jointSolver.constraints {
		j := w.jointSolver.constraints[i].joint
		if j.def.Motor.Max == 0 || j.def.Motor.Speed == 0 {
			continue
		}
		for _, s := range [2]int32{j.a, j.b} {
			if s >= 0 {
				w.islands.leastSleepTime[w.islands.root(s)] = 0
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
	w.prediction.dt = 0
	if b := &w.bodies[slot]; b.kind == Dynamic {
		b.awake, b.sleepTime = true, 0
	}
}

// wakeNear wakes the body and all bodies near its shapes.
func (w *World) wakeNear(slot int32) {
	w.wake(slot)
	for _, s := range w.bodies[slot].shapes {
		w.wakeNearShape(s)
	}
}

// wakeNearShape wakes the bodies whose shapes are within the speculative distance of the shape.
func (w *World) wakeNearShape(slot int32) {
	box := grow(w.shapes[slot].bounds, speculation)
	w.tree.overlapping(&box, func(other int32) {
		if o := &w.shapes[other]; overlap(&o.bounds, &box) {
			w.wake(o.body)
		}
	})
}
