package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// The load on an island's contacts decides the length of its substeps. One pass over the contacts transmits a load
// from a body to its neighbours only, by a share that is the ratio of their masses. High towers, and heavy bodies on
// light ones, therefore need more passes. Shorter substeps also allow stiffer contacts, so that towers do not buckle.
// The measure is a contact's load ratio: its load divided by the weight of the lighter body with what is joined to it.

const (
	// substepGroupCount is one more than the number of times that substeps may be halved.
	substepGroupCount = 3
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
	points := 0
	for _, i := range w.active {
		c := &w.contacts[i]
		t := w.substepGroupOf(w.islandOf(c.bodyA, c.bodyB))
		t.contacts = append(t.contacts, i)
		points += c.n
	}
	w.constraintPoints = slices.Grow(w.constraintPoints[:0], 2*points) // refreshed contacts may need as many again
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
	k := w.islands.halvings[r]
	for k > 0 && w.islands.contacts[r]<<(k-1) > maxHalvedContacts {
		k--
	}
	return &w.substepGroups[k]
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
	for c.halvings+1 < substepGroupCount && c.loadRatio > halveAbove*float64(substeps<<c.halvings) {
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
