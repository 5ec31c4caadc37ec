package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// maxPoints of one contact: two quadrilaterals share at most eight points, so that a face contact of boxes keeps all.
const maxPoints = 8

// pair is a contact and its sort key: shape, shape, part, part in 24, 24, 8 and 8 bits, the lower shape first.
type pair struct {
	key     uint64
	contact int32
}

func pairKey(shapeA, shapeB int32, partA, partB int) uint64 {
	return uint64(shapeA)<<40 | uint64(shapeB)<<16 | uint64(partA)<<8 | uint64(partB)
}

// A contact is between two parts of shapes of two bodies, and exists while their bounds overlap.
type contact struct {
	key                   uint64
	shapeA, shapeB        int32
	bodyA, bodyB          int32
	partA, partB          uint8
	touching              bool // in the last step
	sensor                bool // one of the shapes is a sensor: the contact has no points
	n                     int
	points                [maxPoints]point
	foundPose             pose // of B against A when the points were found; zero: find them again
	friction, restitution float64
	surfaceVelocity       r3.Vec  // surface velocity of B against A, world, m/s
	rolling               float64 // rolling resistance: largest torque per load, m
	rollingTorque         r3.Vec  // world, N·m
	rollingImpulse        r3.Vec  // in a substep, N·m·s
	loadRatio             float64 // load divided by the weight of the lighter body, smoothed over some steps
	halvings              uint8   // of substeps, at least: see substeps.go
}

// manifoldPoint is one point of contact as the narrow phase finds it.
type manifoldPoint struct {
	pos    r3.Vec  // midway between the surfaces, world
	normal r3.Vec  // unit, from A to B
	sep    float64 // m, negative if overlapping
	id     uint32  // the features that meet

	// roundA and roundB, m: radius of curvature of each surface there, 0 if it is flat or
	// sharp. As such a body turns, the point of contact stays under the centre of curvature.
	roundA, roundB float64
}

// point is a point of contact with the state that persists from step to step.
type point struct {
	manifoldPoint
	anchors
	force    float64 // along normal, ≥ 0, N, in the last substep
	friction r3.Vec  // tangential force, world, N
	peak     float64 // largest impulse along normal of a substep in the step, N·s
	approach float64 // relative velocity along normal when they meet, negative if closing
}

func (w *World) newContact(key uint64) int32 {
	slot := take(&w.contacts, &w.freeContacts)
	c := &w.contacts[slot]
	c.key, c.n, c.touching, c.rollingTorque, c.loadRatio, c.halvings, c.foundPose = key, 0, false, r3.Vec{}, 0, 0, pose{}
	c.shapeA, c.shapeB = int32(key>>40), int32(key>>16&(maxSlots-1))
	c.partA, c.partB = uint8(key>>8), uint8(key)
	c.bodyA, c.bodyB = w.shapes[c.shapeA].body, w.shapes[c.shapeB].body
	c.sensor = w.shapes[c.shapeA].def.Sensor || w.shapes[c.shapeB].def.Sensor
	return slot
}

// dropContacts ends all contacts of a shape that is about to be removed, wakes the other bodies, and stores the
// events for the next step.
func (w *World) dropContacts(slot int32) {
	ours := func(key uint64) bool { return int32(key>>40) == slot || int32(key>>16&(maxSlots-1)) == slot }
	w.pairs = slices.DeleteFunc(w.pairs, func(p pair) bool {
		if !ours(p.key) {
			return false
		}
		c := &w.contacts[p.contact]
		if c.n > 0 {
			w.wake(c.bodyA)
			w.wake(c.bodyB)
		}
		w.freeContacts = append(w.freeContacts, p.contact)
		return true
	})
	w.near = slices.DeleteFunc(w.near, func(n neighbours) bool { return ours(n.key) })
	w.touching = slices.DeleteFunc(w.touching, func(key uint64) bool {
		if !ours(key) {
			return false
		}
		w.noteEvent(key, &w.pending, &w.pendingExits)
		return true
	})
}

// speculation, m, is the speculative distance: points of contact exist from this separation on, before the bodies
// overlap, and do not flicker at rest.
const speculation = 0.02

// narrowPhase finds the points of contact of all pairs with a moving or moved body. Points with the same features keep
// their forces for warm starting; where the surfaces hardly moved against each other the points persist.
func (w *World) narrowPhase(dt float64) {
	for _, p := range w.pairs {
		c := &w.contacts[p.contact]
		if !w.dirty[c.bodyA] && !w.dirty[c.bodyB] {
			continue
		}
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		sa, sb := &w.shapes[c.shapeA], &w.shapes[c.shapeB]
		c.mixMaterials(sa, sb)

		now, motion := poseIn(sa, sb, a.q, b.q), reproducible.Scale(dt, r3.Sub(a.v, b.v))
		if c.unmoved(&now, motion) {
			c.movePoints(sa, sb)
			continue
		}
		q := &w.pairing
		q.solidA, q.solidB, q.manifold.n = sa.solid(c.partA), sb.solid(c.partB), 0
		w.collide(&q.solidA, &q.solidB, motion, &q.manifold)
		if c.sensor {
			c.touching = q.manifold.deepest() <= 0
		} else {
			c.update(&q.manifold)
			c.storeAnchors(sa, sb, &now)
		}
	}
}

// mixMaterials combines the materials of the two shapes.
func (c *contact) mixMaterials(a, b *shape) {
	c.friction = math.Sqrt(a.def.Material.Friction * b.def.Material.Friction)
	c.restitution = max(a.def.Material.Restitution, b.def.Material.Restitution)
	c.rolling = max(a.def.Material.RollingResistance, b.def.Material.RollingResistance)
	c.surfaceVelocity = r3.Vec{}
	if a.def.Material.SurfaceVelocity != (r3.Vec{}) || b.def.Material.SurfaceVelocity != (r3.Vec{}) {
		c.surfaceVelocity = r3.Sub(mulVec(&b.rot, b.def.Material.SurfaceVelocity), mulVec(&a.rot, a.def.Material.SurfaceVelocity))
	}
}

// update replaces the points by those of m.
func (c *contact) update(m *manifold) {
	var old [maxPoints]oldPoint
	n := c.n
	for i := range c.points[:n] {
		p := &c.points[i]
		old[i] = oldPoint{p.id, p.pos, p.normal, p.force, p.friction, false}
	}
	if c.n = m.n; c.n == 0 {
		c.touching, c.loadRatio, c.halvings = false, 0, 0
	}
	radius := 0.0
	for i := range m.points[:m.n] {
		radius = max(radius, m.points[i].roundA, m.points[i].roundB)
	}
	if c.rolling *= radius; c.rolling == 0 {
		c.rollingTorque = r3.Vec{}
	}
	var fresh [maxPoints]bool
	for i := range m.points[:m.n] {
		p := &c.points[i]
		*p, fresh[i] = point{manifoldPoint: m.points[i]}, true
		for k := range old[:n] {
			if o := &old[k]; o.id == p.id && !o.taken {
				p.force, p.friction, o.taken, fresh[i] = o.force, o.friction, true, false
				break
			}
		}
	}
	for i := range c.points[:c.n] {
		if fresh[i] {
			c.points[i].inheritForce(old[:n])
		}
	}
}

// oldPoint is the state of a point before the points were found again.
type oldPoint struct {
	id       uint32
	pos      r3.Vec
	normal   r3.Vec
	force    float64
	friction r3.Vec
	taken    bool
}

// inheritForce gives a new point the force of the nearest old point without a successor. The points are a selection of
// the contact area; when the selection changes, the load must persist, or a body on a slope slips for a step.
func (p *point) inheritForce(old []oldPoint) {
	var from *oldPoint
	least := math.Inf(1)
	for k := range old {
		if o := &old[k]; !o.taken && reproducible.Dot(o.normal, p.normal) > 0.999 {
			if d := reproducible.Norm2(r3.Sub(o.pos, p.pos)); d < least {
				from, least = o, d
			}
		}
	}
	if from != nil {
		p.force, p.friction, from.taken = from.force, from.friction, true
	}
}

// manifold collects the hits of one pair of parts.
type manifold struct {
	n      int
	points [maxPoints]manifoldPoint
}

// deepest is the least separation of the hits, +Inf without any, m.
func (m *manifold) deepest() float64 {
	low := math.Inf(1)
	for i := range m.points[:m.n] {
		low = min(low, m.points[i].sep)
	}
	return low
}

// add keeps the hit, or, when the manifold is full, the deepest maxPoints of all.
func (m *manifold) add(h manifoldPoint) {
	if m.n < maxPoints {
		m.points[m.n] = h
		m.n++
		return
	}
	worst := 0
	for i := range m.points {
		if m.points[i].sep > m.points[worst].sep {
			worst = i
		}
	}
	if h.sep < m.points[worst].sep {
		m.points[worst] = h
	}
}

// reduce keeps at most limit of the points: the deepest, and then repeatedly the one farthest from those kept, in
// position and normal. It reorders hits. Points that do not touch yet have less weight.
func (m *manifold) reduce(hits []manifoldPoint, limit int) {
	// level, m, is how much deeper a point must be to replace an earlier one: the choice at rest must not change with rounding.
	const level = 1e-4
	if len(hits) <= limit {
		m.n = copy(m.points[:], hits)
		return
	}
	first := 0
	for i := range hits {
		if hits[i].sep < hits[first].sep-level {
			first = i
		}
	}
	span := 0.0
	for i := range hits {
		span = max(span, reproducible.Norm2(r3.Sub(hits[i].pos, hits[first].pos)))
	}
	hits[0], hits[first] = hits[first], hits[0]
	for n := 1; n < limit; n++ {
		best, most := n, -1.0
		for i := n; i < len(hits); i++ {
			apart := math.Inf(1)
			for k := range hits[:n] {
				d := reproducible.Norm2(r3.Sub(hits[i].pos, hits[k].pos)) + float64(span*reproducible.Norm2(r3.Sub(hits[i].normal, hits[k].normal)))
				apart = min(apart, d)
			}
			if apart /= 1 + max(hits[i].sep, 0)/speculation; apart > most*(1+1e-6) {
				best, most = i, apart
			}
		}
		hits[n], hits[best] = hits[best], hits[n]
	}
	m.n = copy(m.points[:], hits[:limit])
}
