package physics

import (
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Step advances the world by dt seconds, 0 to 1; 1/60 is usual. Zero changes nothing. Another dt
// is refused, and Events says so. Step does not allocate once the world has held as much.
//
// If a function of SDF panics, so does Step. The bodies then have the poses and velocities from before the step, and the
// forces for the step are lost.
func (w *World) Step(dt float64) {
	w.enter(&inStep)
	done := false
	defer func() {
		if !done {
			w.restoreStart()
		}
		w.leave()
	}()
	w.step(dt)
	done = true
}

// step is Step without its guard.
func (w *World) step(dt float64) {
	w.clearEvents()
	if !within(dt, 0, 1) {
		w.events.Failures = append(w.events.Failures, FailureEvent{Err: ErrTimeStep})
		return
	}
	if dt == 0 {
		return
	}
	t0 := time.Now()
	w.prediction.dt = 0
	w.beginStep(dt)
	w.broadPhase(dt)
	t1 := time.Now()
	w.narrowPhase(dt)
	w.findIslands()
	t2 := time.Now()
	w.prepareJoints()
	w.fillSubstepGroups(dt)
	for k := substepGroupCount - 1; k >= 0; k-- { // the first comes last: it holds all kinematic bodies, whose final poses it sets
		w.solveSubsteps(&w.substepGroups[k])
	}
	for k := range w.substepGroups {
		w.substepGroups[k].applyRestitution(w.def.BounceSpeed)
	}
	w.finishJoints(dt)
	t3 := time.Now()
	for k := range w.substepGroups {
		w.storeForces(&w.substepGroups[k])
	}
	w.markTouching()
	w.centreFreeMotion()
	w.finish(dt)
	w.reportContacts()
	w.reportBodies()
	w.count(t1.Sub(t0), t2.Sub(t1), t3.Sub(t2), time.Since(t3))
}

// beginStep stores the poses and velocities at the start, drops loads that are not finite, and slows kinematic bodies
// that reach their target within the step.
func (w *World) beginStep(dt float64) {
	for _, s := range w.order {
		b := &w.bodies[s]
		b.startX, b.startQ, b.startV, b.startW = b.x, b.q, b.v, b.w
		b.dx, b.dq = r3.Vec{}, identity
		b.push, b.pushTorque = r3.Add(b.force, b.load), r3.Add(b.torque, b.loadTorque)
		if !finiteVec(b.push) || !finiteVec(b.pushTorque) {
			b.clearLoads()
			w.fail(s, ErrNotFinite)
		}
		if b.kind == Kinematic {
			f := b.targetShare(dt)
			b.v, b.w = reproducible.Scale(f, b.v), reproducible.Scale(f, b.w)
		}
	}
}

func (w *World) integrateVelocities(bodies []int32, h float64) {
	for _, s := range bodies {
		b := &w.bodies[s]
		b.integrateVelocity(w.def.Gravity, b.push, b.pushTorque, h)
	}
}

func (w *World) integratePoses(bodies []int32, h float64) {
	for _, s := range bodies {
		w.bodies[s].integratePose(h)
	}
}

// markTouching marks the bodies that touch another, themselves or through their joints.
func (w *World) markTouching() {
	for _, s := range w.order {
		w.bodies[s].touching = false
	}
	for _, i := range w.active {
		if c := &w.contacts[i]; c.touching {
			w.bodies[c.bodyA].touching, w.bodies[c.bodyB].touching = true, true
		}
	}
	for _, g := range w.jointSolver.groups {
		links, touching := w.jointSolver.constraints[g.lo:g.hi], false
		for i := range links {
			l := &links[i]
			touching = touching || l.freeA && l.a.touching || l.freeB && l.b.touching
		}
		for i := range links {
			l := &links[i]
			l.a.touching = l.a.touching || l.freeA && touching
			l.b.touching = l.b.touching || l.freeB && touching
		}
	}
}

// finish restores failed bodies, completes kinematic targets, clears loads that are not held, updates shapes, and puts slow islands to
// sleep.
func (w *World) finish(dt float64) {
	for _, s := range w.order {
		b := &w.bodies[s]
		b.load, b.loadTorque = r3.Vec{}, r3.Vec{}
		if !w.holding {
			b.clearLoads()
		}
		moved := b.moving()
		if b.kind == Kinematic && b.targetTime > 0 && !math.IsInf(b.targetTime, 1) {
			b.approachTarget(dt)
		}
		if !moved {
			continue
		}
		if !b.finiteState() {
			b.x, b.q, b.v, b.w = b.startX, b.startQ, r3.Vec{}, r3.Vec{}
			w.fail(s, ErrNotFinite)
		}
		w.updateShapes(s)
	}
	w.solveContinuous()
	w.fallAsleep(dt)
}

// finiteState reports whether the state is finite and within 1e8 m and 1e6 m/s or rad/s, beyond which rounding
// dominates.
func (b *body) finiteState() bool {
	return finiteQuat(b.q) && reproducible.Norm(b.x) <= 1e8 && reproducible.Norm(b.v) <= 1e6 && reproducible.Norm(b.w) <= 1e6
}

// approachTarget subtracts dt from the time to the target, and sets the pose to the target when no more than rounding is
// left.
func (b *body) approachTarget(dt float64) {
	b.targetTime -= dt
	if b.targetTime <= 1e-9*dt {
		b.targetTime, b.x, b.q = 0, b.targetX, b.targetQ
	}
}

func (w *World) count(broad, narrow, solve, finish time.Duration) {
	s := Stats{Bodies: len(w.order), Pairs: len(w.pairs), Contacts: len(w.active), Joints: len(w.jointSolver.constraints),
		Broad: broad, Narrow: narrow, Solve: solve, Finish: finish}
	for _, b := range w.order {
		if w.bodies[b].kind == Dynamic && w.bodies[b].awake {
			s.Awake++
		}
	}
	for _, c := range w.active {
		s.Points += w.contacts[c].n
	}
	for k := range w.substepGroups {
		if t := &w.substepGroups[k]; len(t.bodies) > 0 {
			s.Substeps = t.substeps
		}
	}
	w.stats = s
}
