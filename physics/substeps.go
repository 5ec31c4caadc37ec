package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The load on an island's contacts decides the length of its substeps. One pass over the contacts transmits a load
// from a body to its neighbours only, by a share that is the ratio of their masses. High towers, and heavy bodies on
// light ones, therefore need more passes. Shorter substeps also allow stiffer contacts, so that towers do not buckle.
// The measure is a contact's load ratio: its load divided by the weight of the lighter body with what is joined to it.

const (
	// substepGroupCount is one more than the number of times that substeps may be halved, and loadHalvings how often load ratios halve them.
	substepGroupCount = 5
	loadHalvings      = 2
	// maxSubsteps of a step, halved or not.
	maxSubsteps = 64

	// Substeps are halved from a load ratio of halveAbove per substep on, and doubled below doubleBelow. In a stack of ten
	// boxes the lowest contact has a load ratio of ten; with four substeps the stack sways by centimetres.
	halveAbove, doubleBelow = 1.6, 1.3
	// loadRatioRate, 1/s, is the rate at which a contact's load ratio follows its load, and maxLoadRatio bounds it. An
	// impact ends before it halves substeps.
	loadRatioRate, maxLoadRatio = 6, 40
	// maxHalvedContacts is the largest number of contacts of an island whose substeps are halved once; for twice it is
	// half of that. Large heaps have high load ratios too, but their cost must fit into a frame.
	maxHalvedContacts = 128

	// tautTurn, rad, is the most that the rate of a taut link times a substep may be: .1 of a period.
	tautTurn = .6
	// maxTautContacts is maxHalvedContacts for substeps that taut links halve.
	maxTautContacts = 256
)

// A substepGroup holds the islands that share one length of substeps.
type substepGroup struct {
	substeps int
	h        float64 // s, of each
	bodies   []int32 // slots of those that move, in order; kinematic ones in every group that has islands
	contacts []int32 // in the order of World.active
	joints   []articulation

	constraints []contactConstraint // the contacts, while they are being solved
}

// fillSubstepGroups assigns moving bodies, contacts and articulations to substep groups, for a step of dt seconds.
func (w *World) fillSubstepGroups(dt float64) {
	for k := range w.substepGroups {
		t := &w.substepGroups[k]
		t.substeps = min(w.def.Substeps<<k, maxSubsteps)
		t.h = dt / float64(t.substeps)
		// Room for all: an island may change its group in any step.
		t.bodies, t.joints = slices.Grow(t.bodies[:0], len(w.order)), slices.Grow(t.joints[:0], len(w.jointSolver.groups))
		t.contacts, t.constraints = slices.Grow(t.contacts[:0], len(w.active)), slices.Grow(t.constraints[:0], len(w.active))
	}
	w.findTautHalvings(dt)
	points := 0
	for _, i := range w.active {
		c := &w.contacts[i]
		t := w.substepGroupOf(w.islandOf(c.bodyA, c.bodyB))
		t.contacts = append(t.contacts, i)
		points += c.n
	}
	w.constraintPoints = slices.Grow(w.constraintPoints[:0], points)
	for _, g := range w.jointSolver.groups {
		j := w.jointSolver.constraints[g.lo].joint
		t := w.substepGroupOf(w.islandOf(j.a, j.b))
		t.joints = append(t.joints, g)
	}
	for _, s := range w.order {
		switch b := &w.bodies[s]; {
		case !b.moving():
		case b.kind == Dynamic:
			t := w.substepGroupOf(w.islands.root(s))
			t.bodies = append(t.bodies, s)
		default:
			for k := range w.substepGroups {
				if t := &w.substepGroups[k]; k == 0 || len(t.contacts) > 0 {
					t.bodies = append(t.bodies, s)
				}
			}
		}
	}
}

// substepGroupOf is the group of the island with root r.
func (w *World) substepGroupOf(r int32) *substepGroup {
	k, taut := w.islands.halvings[r], w.islands.tautHalvings[r]
	for k > 0 && w.islands.contacts[r]<<(k-1) > maxHalvedContacts {
		k--
	}
	for taut > 0 && w.islands.contacts[r]<<(taut-1) > maxTautContacts {
		taut--
	}
	return &w.substepGroups[max(k, taut)]
}

// A link of a chain that is pulled at its ends and lies on something turns on that like a spring: the stiffer, the harder the pull and the smaller the
// link's inertia. Substeps that are long against the period of that turn it away from its support, and the chain tears.

// findTautHalvings finds how often each island's substeps, in a step of dt seconds, must be halved for the links that are pulled hard.
func (w *World) findTautHalvings(dt float64) {
	h, gravity := dt/float64(w.def.Substeps), reproducible.Norm(w.def.Gravity)
	for _, i := range w.active {
		c := &w.contacts[i]
		for _, s := range [2]int32{c.bodyA, c.bodyB} {
			if !w.canMove(s) || len(w.bodies[s].joints) == 0 {
				continue
			}
			rate := math.Sqrt(w.tautStiffness(s, gravity))
			r := w.islands.root(s)
			k := &w.islands.tautHalvings[r]
			for int(*k) < substepGroupCount-1 && rate*h > tautTurn*float64(int(1)<<*k) {
				*k++
			}
		}
	}
}

// massOfIsland is the mass of the bodies of the island with root r, kg.
func (w *World) massOfIsland(r int32) float64 {
	g := &w.islands
	if len(g.mass) == 0 {
		g.mass = resize(g.mass, len(w.bodies))
		clear(g.mass)
		for _, s := range w.order {
			if w.canMove(s) {
				g.mass[g.root(s)] += w.bodies[s].mass.Mass
			}
		}
	}
	return g.mass[r]
}

// tautStiffness is the greatest square, 1/s², of the rate at which a joint that pulls hard turns the body in a slot.
func (w *World) tautStiffness(slot int32, gravity float64) (most float64) {
	b := &w.bodies[slot]
	for _, s := range b.joints {
		j := &w.joints.slots[s]
		pull := reproducible.Norm(j.force)
		if j.force == (r3.Vec{}) && (j.def.Kind == FixedJoint || j.def.Kind == HingeJoint || j.def.Kind == BallJoint) { // it is new: what hangs from it may pull at it
			pull = gravity * w.massOfIsland(w.islands.root(slot))
		}
		if pull <= tautLoad*gravity*b.mass.Mass {
			continue
		}
		anchor := j.anchorA
		if j.b == slot {
			anchor = j.anchorB
		}
		arm := rotate(b.q, r3.Sub(anchor, b.mass.Centre))
		length := reproducible.Norm(arm)
		if length == 0 {
			continue
		}
		along := reproducible.Scale(1/length, arm)
		across := b.invI[0][0] + b.invI[1][1] + b.invI[2][2] - reproducible.Dot(along, mulVec(&b.invI, along))
		most = max(most, float64(pull*length*across/2))
	}
	return most
}

// solveSubsteps advances a group through its substeps.
func (w *World) solveSubsteps(t *substepGroup) {
	if len(t.bodies) == 0 {
		return
	}
	w.rewindKinematic(t.bodies)
	w.prepare(t)
	for n := range t.substeps {
		if n > 0 {
			w.refreshJointContacts(t)
		}
		w.predictJoints(t.joints, t.bodies, t.h)
		w.integrateVelocities(t.bodies, t.h)
		t.recordApproach()
		t.warmStart()
		w.solveJoints(t.joints, t.h, true)
		w.solveJointContacts(t, true)
		t.solve(w.def.PushSpeed, true)
		w.integratePoses(t.bodies, t.h)
		w.updateJointRows(t.joints)
		w.solveJoints(t.joints, t.h, false)
		w.solveJointContacts(t, false)
		t.solve(w.def.PushSpeed, false)
	}
}

// rewindKinematic restores the poses that kinematic bodies had at the start of the step: every group moves them anew.
func (w *World) rewindKinematic(bodies []int32) {
	for _, s := range bodies {
		if b := &w.bodies[s]; b.kind == Kinematic {
			b.x, b.q, b.dx, b.dq = b.startX, b.startQ, r3.Vec{}, identity
		}
	}
}

// updateLoadRatio makes the load ratio follow the load, N, for dt seconds, and updates how often the contact wants
// substeps halved. light: the weight of the lighter body, N.
func (c *contact) updateLoadRatio(load, light, dt float64, substeps int) {
	strain := 0.0
	if light > 0 {
		strain = min(load/light, maxLoadRatio)
	}
	c.loadRatio += float64(min(loadRatioRate*dt, 1) * (strain - c.loadRatio))
	for c.halvings < loadHalvings && c.loadRatio > halveAbove*float64(substeps<<c.halvings) {
		c.halvings++
	}
	for c.halvings > 0 && c.loadRatio < doubleBelow*float64(substeps<<(c.halvings-1)) {
		c.halvings--
	}
}

// lighterMass is the mass of the lighter body of a contact, kg, with the bodies that joints connect to it: they carry
// part of the load.
func (w *World) lighterMass(c *contact) float64 {
	least := math.Inf(1)
	for _, s := range [2]int32{c.bodyA, c.bodyB} {
		if !w.canMove(s) {
			continue
		}
		b := &w.bodies[s]
		mass := b.mass.Mass
		for _, j := range b.joints {
			joint := &w.joints.slots[j]
			mass += w.bodyOrWorld(joint.a).mass.Mass + w.bodyOrWorld(joint.b).mass.Mass - b.mass.Mass
		}
		least = min(least, mass)
	}
	return least
}
