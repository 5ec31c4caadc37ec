package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Joints is the number of joints and of the bodies that BodyDef.Lock keeps from moving along
// some axis, which follow on the joints: their rows join them to the world.
func (c *Coupling) Joints() int { return len(c.joints.order) + len(c.locked) }

// Joint is the handle of joint j, 0 ≤ j < Joints(), in order of creation; the zero Joint for
// the locks of a body.
func (c *Coupling) Joint(j int) Joint {
	if j >= len(c.joints.order) {
		return Joint{}
	}
	return (*World)(c).joint(c.joints.order[j])
}

// atLimit, m or rad, is the distance to a limit within which its row counts as active.
const atLimit = 1e-3

// JointRows writes the rows of joint j: (linear a, angular a, linear b, angular b) with
// J·velocity = 0 about the centres of mass, world axes. a and b are the bodies' indices, -1 the
// world; n ≤ 6 is the number of rows, 0 if neither body is awake.
//
// The rows are what the joint holds now: all that is rigid, a limit that bore a load in the last
// step, and a brake (a motor of speed 0) that was strong enough. What yields (springs, motors
// that run or slip) is in PredictedVelocity instead. A limit that the liquid
// opens holds for one step more.
func (c *Coupling) JointRows(j int, out *[6][12]float64) (a, b, n int) {
	w := (*World)(c)
	if k := j - len(w.joints.order); k >= 0 {
		return w.lockRows(w.locked[k], out)
	}
	jt := &w.joints.slots[w.joints.order[j]]
	bodyA, bodyB := w.bodyOrWorld(jt.a), w.bodyOrWorld(jt.b)
	a, b = w.indexOf(jt.a), w.indexOf(jt.b)
	if !bodyA.awake && !bodyB.awake {
		return a, b, 0
	}
	at := jt.relativePose(bodyA, bodyB, pose{bodyA.x, bodyA.q}, pose{bodyB.x, bodyB.q})
	var rows jointRows
	jt.rows(&at, &rows)
	for i := range rows.row[:rows.n] {
		r, in := &rows.row[i], jt.atBound[i] == 0
		holds := r.kind == lockedRow || r.kind == limitRow && in && math.Abs(r.pos) < atLimit ||
			r.kind == motorRow && in && r.motor.Speed == 0
		if holds && n < len(out) {
			l, p, q := r.lin, r.angA, r.angB
			out[n] = [12]float64{-l.X, -l.Y, -l.Z, -p.X, -p.Y, -p.Z, l.X, l.Y, l.Z, q.X, q.Y, q.Z}
			n++
		}
	}
	return a, b, n
}

// indexOf is the index of the body in a slot, -1 of the world.
func (w *World) indexOf(slot int32) int {
	if slot < 0 {
		return -1
	}
	return int(w.bodies[slot].index)
}

// prediction is the velocity of jointed bodies at the end of a step without contacts.
type prediction struct {
	dt     float64  // step that it is for, s; 0: none
	v, w   []r3.Vec // by slot
	slots  []int32  // of the jointed bodies
	bodies []body   // present state, restored afterwards
	joints []joint
}

// predictJointed runs the substeps of PredictedVelocity for all jointed bodies, stores their velocities, and restores
// the state.
func (w *World) predictJointed(dt float64) {
	f := &w.prediction
	if f.dt == dt {
		return
	}
	f.v, f.w = resize(f.v, len(w.bodies)), resize(f.w, len(w.bodies))
	f.slots, f.bodies = f.slots[:0], f.bodies[:0]
	for _, s := range w.order {
		if b := &w.bodies[s]; len(b.joints) > 0 && b.moving() {
			f.slots, f.bodies = append(f.slots, s), append(f.bodies, *b)
			share := b.targetShare(dt)
			b.v, b.w = reproducible.Scale(share, b.v), reproducible.Scale(share, b.w)
		}
	}
	f.joints = append(f.joints[:0], w.joints.slots...)
	h := dt / float64(w.def.Substeps)
	w.prepareJoints()
	for range w.def.Substeps {
		w.predictJoints(w.jointSolver.groups, f.slots, h)
		for _, s := range f.slots {
			if b := &w.bodies[s]; b.kind == Dynamic {
				b.integrateVelocity(w.def.Gravity, b.force, b.torque, h)
			}
		}
		w.solveJoints(w.jointSolver.groups, h, true)
		for _, s := range f.slots {
			w.bodies[s].integratePose(h)
		}
		w.updateJointRows(w.jointSolver.groups)
		w.solveJoints(w.jointSolver.groups, h, false)
	}
	for i, s := range f.slots {
		b := &w.bodies[s]
		f.v[s], f.w[s] = b.v, b.w
		*b = f.bodies[i]
	}
	copy(w.joints.slots, f.joints)
	f.dt = dt
}
