package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Islands step in substeps as short as what they carry asks for. A pass over the contacts carries
// a load little further than from one body to the next, and by a share of it that is the ratio
// of their masses: it takes the more substeps to hold a tower, the higher it is, and a heavy body
// on a light one, the heavier it is. Short substeps let contacts be stiffer, too, so that towers
// don't buckle. The measure of both is a contact's strain: its load in weights of the lighter body,
// what is joined to it included.

const (
	// tierCount is one more than how often substeps may be halved.
	tierCount = 3
	// maxSubsteps of a step, halved or not.
	maxSubsteps = 64

	// Substeps are halved from strainUp per substep on, and doubled below strainDown. Ten boxes on
	// each other are a strain of ten at the lowest, which four substeps make sway by centimetres.
	strainUp, strainDown = 1.6, 1.3
	// strainRate, 1/s, is how fast a contact's strain takes on its load, and mostStrain all that
	// counts of it: an impact is over before it halves substeps.
	strainRate, mostStrain = 6, 40
	// mostContacts of an island whose substeps are halved once; half of it, twice. What is deep in a
	// heap is strained as well, but a heap has to fit into a frame.
	mostContacts = 128
)

// A tier is the islands of one length of substeps.
type tier struct {
	substeps int
	h        float64 // s, of each
	bodies   []int32 // slots of those that move, in order; kinematic ones in every tier that has islands
	contacts []int32 // in the order of World.active
	joints   []articulation

	constraints []constraint // the contacts, while they are being solved
}

// fillTiers sorts what moves into tiers, for a step of dt seconds.
func (w *World) fillTiers(dt float64) {
	for k := range w.tiers {
		t := &w.tiers[k]
		t.substeps = min(w.def.Substeps<<k, maxSubsteps)
		t.h = dt / float64(t.substeps)
		// Room for all: islands change their tier when they like.
		t.bodies, t.joints = slices.Grow(t.bodies[:0], len(w.order)), slices.Grow(t.joints[:0], len(w.solver.groups))
		t.contacts, t.constraints = slices.Grow(t.contacts[:0], len(w.active)), slices.Grow(t.constraints[:0], len(w.active))
	}
	points := 0
	for _, i := range w.active {
		c := &w.contacts[i]
		t := w.tierOf(w.islandOf(c.bodyA, c.bodyB))
		t.contacts = append(t.contacts, i)
		points += c.n
	}
	w.lanes = slices.Grow(w.lanes[:0], 2*points) // faces that turn on each other get as many again
	for _, g := range w.solver.groups {
		j := w.solver.links[g.lo].joint
		t := w.tierOf(w.islandOf(j.a, j.b))
		t.joints = append(t.joints, g)
	}
	for _, s := range w.order {
		switch b := &w.bodies[s]; {
		case !b.moving():
		case b.kind == Dynamic:
			t := w.tierOf(w.islands.root(s))
			t.bodies = append(t.bodies, s)
		default:
			for k := range w.tiers {
				if t := &w.tiers[k]; k == 0 || len(t.contacts) > 0 {
					t.bodies = append(t.bodies, s)
				}
			}
		}
	}
}

// tierOf is that of an island.
func (w *World) tierOf(r int32) *tier {
	k := w.islands.tier[r]
	for k > 0 && w.islands.contacts[r]<<(k-1) > mostContacts {
		k--
	}
	return &w.tiers[k]
}

// advance takes the substeps of a tier.
func (w *World) advance(t *tier) {
	if len(t.bodies) == 0 {
		return
	}
	w.rewind(t.bodies)
	w.prepare(t)
	for n := range t.substeps {
		if n > 0 {
			w.follow(t)
		}
		w.foreseeJoints(t.joints, t.bodies, t.h)
		w.accelerate(t.bodies, t.h)
		t.measure()
		t.warmStart()
		w.solveJoints(t.joints, t.h, true)
		w.solveTaut(t, true)
		t.solve(w.def.PushSpeed, true)
		w.move(t.bodies, t.h)
		w.placeJoints(t.joints)
		w.solveJoints(t.joints, t.h, false)
		w.solveTaut(t, false)
		t.solve(w.def.PushSpeed, false)
	}
}

// rewind puts kinematic bodies where they were before another tier moved them.
func (w *World) rewind(bodies []int32) {
	for _, s := range bodies {
		if b := &w.bodies[s]; b.kind == Kinematic {
			b.x, b.q, b.dx, b.dq = b.goodX, b.goodQ, r3.Vec{}, identity
		}
	}
}

// bear lets the strain of a contact follow its load, N, for dt seconds, light being the weight of
// the lighter of its bodies, N, and decides on the tier of their island.
func (c *contact) bear(load, light, dt float64, substeps int) {
	strain := 0.0
	if light > 0 {
		strain = min(load/light, mostStrain)
	}
	c.strain += float64(min(strainRate*dt, 1) * (strain - c.strain))
	for c.tier+1 < tierCount && c.strain > strainUp*float64(substeps<<c.tier) {
		c.tier++
	}
	for c.tier > 0 && c.strain < strainDown*float64(substeps<<(c.tier-1)) {
		c.tier--
	}
}

// lighter is the mass of the lighter body of a contact, kg. What is joined to it counts, too: it
// bears some of the load.
func (w *World) lighter(c *contact) float64 {
	least := math.Inf(1)
	for _, s := range [2]int32{c.bodyA, c.bodyB} {
		if !w.solved(s) {
			continue
		}
		b := &w.bodies[s]
		mass := b.mass.Mass
		for _, j := range b.joints {
			joint := &w.joints.slots[j]
			mass += w.end(joint.a).mass.Mass + w.end(joint.b).mass.Mass - b.mass.Mass
		}
		least = min(least, mass)
	}
	return least
}
