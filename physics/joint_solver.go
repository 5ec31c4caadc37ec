package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Joints are solved by RATTLE (Andersen 1983). Impulses along the rows at the beginning of a substep correct the pose
// at its end, then impulses along the rows at the end correct the velocity. Each is one solution of the articulation's
// linear system. The first includes the curvature of the path, so that a pendulum neither gains nor loses energy.

// errorReduction is the share of a row's position error that a substep corrects (Baumgarte). Rows in a closed loop
// contradict each other by the error of their linearisation; a share below one spreads that over substeps.
const errorReduction = 0.25

// maxPivots bounds how often a pass may change which limits and motors are at their bounds. One change is usual after an
// event; heaps of ragdolls sometimes need more than six, never twenty. Beyond it impulses are clamped one by one, which
// does not solve the system: with three pivots such a heap gains energy.
const maxPivots = 20

// prepareJoints lists the joints to solve, and computes their rows.
func (w *World) prepareJoints() {
	w.gatherJoints()
	w.updateJointRows(w.jointSolver.groups)
	for i := range w.jointSolver.constraints {
		l := &w.jointSolver.constraints[i]
		l.a.next, l.b.next = pose{l.a.x, l.a.q}, pose{l.b.x, l.b.q}
	}
}

// updateJointRows recomputes the rows of articulations after their bodies have moved.
func (w *World) updateJointRows(groups []articulation) {
	for i := range groups {
		g := &groups[i]
		g.factored = false
		w.jointSolver.updateRows(g)
	}
}

func (s *jointSolver) updateRows(g *articulation) {
	for i := g.lo; i < g.hi; i++ {
		l := &s.constraints[i]
		l.pose = l.joint.relativePose(l.a, l.b, pose{l.a.x, l.a.q}, pose{l.b.x, l.b.q})
		l.joint.rows(&l.pose, &l.rows)
		if l.joint.def.Kind == HingeJoint {
			if angle := l.pose.hingeAngle(l.joint.angle); finite(angle) {
				l.joint.angle = angle
			}
		}
		for k := range l.rows.row[:l.rows.n] {
			l.computeResponse(&l.rows.row[k])
		}
	}
}

// computeResponse computes the velocity change for a unit impulse along the row. A row along which locks leave no motion
// beyond rounding is not movable, and not solved for.
func (l *jointConstraint) computeResponse(r *jointRow) {
	free := 0.0 // the inverse mass along the row if nothing were locked, or more
	if l.freeA {
		r.pA, r.wA = l.a.velocityChange(r.lin), mulVec(&l.a.invI, r.angA)
		free += float64(l.a.invMass*reproducible.Norm2(r.lin)) + float64(trace(&l.a.invLocal)*reproducible.Norm2(r.angA))
	}
	if l.freeB {
		r.pB, r.wB = l.b.velocityChange(r.lin), mulVec(&l.b.invI, r.angB)
		free += float64(l.b.invMass*reproducible.Norm2(r.lin)) + float64(trace(&l.b.invLocal)*reproducible.Norm2(r.angB))
	}
	left := reproducible.Dot(r.lin, r3.Add(r.pA, r.pB)) + reproducible.Dot(r.angA, r.wA) + reproducible.Dot(r.angB, r.wB)
	r.movable = left > 1e-9*free
}

func trace(m *mat3) float64 { return m[0][0] + m[1][1] + m[2][2] }

// applyImpulse applies the impulse x along row i to the bodies.
func (l *jointConstraint) applyImpulse(i int8, x float64) {
	r := &l.rows.row[i]
	l.impulse[i] += x
	if l.freeA {
		l.a.v = r3.Sub(l.a.v, reproducible.Scale(x, r.pA))
		l.a.w = r3.Sub(l.a.w, reproducible.Scale(x, r.wA))
	}
	if l.freeB {
		l.b.v = r3.Add(l.b.v, reproducible.Scale(x, r.pB))
		l.b.w = r3.Add(l.b.w, reproducible.Scale(x, r.wB))
	}
	f := reproducible.Scale(x, r.lin)
	l.force = r3.Add(l.force, f)
	l.torque = r3.Add(l.torque, r3.Sub(reproducible.Scale(x, r.angB), reproducible.Cross(l.pose.rB, f)))
}

// predictJoints predicts the mean rates of the rows of articulations through a substep of h seconds, from the velocities
// at its beginning. bodies: slots, those of the articulations among them. Forces and contact impulses are excluded: the
// bodies do not move with them before the joints respond.
func (w *World) predictJoints(groups []articulation, bodies []int32, h float64) {
	if len(groups) == 0 {
		return
	}
	for _, slot := range bodies {
		if b := &w.bodies[slot]; len(b.joints) > 0 {
			b.next = b.predictPose(h)
		}
	}
	for i := range groups {
		for k := groups[i].lo; k < groups[i].hi; k++ {
			w.jointSolver.constraints[k].predictRates(h)
		}
	}
}

// solveJoints solves articulations once, in substeps of h seconds. With bias it corrects the pose at the end of the
// substep; without, the present velocity.
func (w *World) solveJoints(groups []articulation, h float64, bias bool) {
	s := &w.jointSolver
	if bias {
		for i := range groups {
			for k := groups[i].lo; k < groups[i].hi; k++ {
				s.constraints[k].resetImpulses(h)
			}
		}
	}
	for i := range groups {
		g := &groups[i]
		for k := g.lo; k < g.hi; k++ {
			l := &s.constraints[k]
			l.setTargets(h, w.def.PushSpeed, bias)
			if l.selectRows(bias) {
				g.factored = false
			}
		}
		s.solvePass(g, bias)
		if !bias {
			// A second pass removes the error that regularisation leaves: this velocity is the one that callers read.
			s.solvePass(g, bias)
			continue
		}
		for turn := 0; turn < maxRefinements && s.repredict(g, h); turn++ {
			s.solvePass(g, bias)
		}
	}
}

// The impulses of a substep are refined for the pose to which they lead, at most maxRefinements times, while the largest
// error of a rate, m/s or rad/s, is between refineAbove and refineBelow. A larger error can't be corrected by rows of
// the present pose; an attempt may add energy.
const (
	maxRefinements = 2
	refineAbove    = 1e-3
	refineBelow    = 0.1
)

// repredict predicts the rates again, with the velocities after the impulses, and reports whether the error of a rigid
// row calls for a refinement. The first prediction is without the impulses, and so without the curvature that they add
// to the path; left so, fast rotation loses energy.
func (s *jointSolver) repredict(g *articulation, h float64) bool {
	bends, worst := false, 0.0
	for k := g.lo; k < g.hi && !bends; k++ {
		bends = s.constraints[k].curved(h)
	}
	if !bends {
		return false
	}
	for k := g.lo; k < g.hi; k++ {
		l := &s.constraints[k]
		for _, b := range [2]*body{l.a, l.b} {
			if len(b.joints) > 0 {
				b.next = b.predictPose(h)
			}
		}
	}
	for k := g.lo; k < g.hi; k++ {
		l := &s.constraints[k]
		if !l.predictRates(h) {
			return false
		}
		for _, at := range l.selected[:l.n] {
			if r := &l.rows.row[at]; r.kind == lockedRow || r.kind == limitRow {
				worst = max(worst, math.Abs(l.rateError(at)))
			}
		}
	}
	return worst > refineAbove && worst < refineBelow
}

// curved reports whether the path of an anchor is curved, as predicted or at the present velocity.
func (l *jointConstraint) curved(h float64) bool {
	for i := range l.rows.row[:l.rows.n] {
		if math.Abs(l.rows.row[i].curvature) > refineAbove {
			return true
		}
	}
	return h*(float64(reproducible.Norm2(l.a.w)*reproducible.Norm(l.pose.rA))+float64(reproducible.Norm2(l.b.w)*reproducible.Norm(l.pose.rB))) > refineAbove
}

// resetImpulses clears the impulses of the last substep and applies those of motors at their bounds.
func (l *jointConstraint) resetImpulses(h float64) {
	l.impulse = [maxRows]float64{}
	for i := range l.rows.row[:l.rows.n] {
		if r := &l.rows.row[i]; r.kind == motorRow {
			l.applyImpulse(int8(i), float64(l.joint.atBound[i])*r.motor.Max*h)
		}
	}
}

// predictRates computes the rows' mean rates through the substep at the present velocities, and reports whether those of
// all locked rows are known.
func (l *jointConstraint) predictRates(h float64) (known bool) {
	var ahead jointRows
	at := l.joint.relativePose(l.a, l.b, l.a.next, l.b.next)
	l.joint.rows(&at, &ahead)
	known = true
	little := l.a.turnsSlightly() && l.b.turnsSlightly()
	for i := range l.rows.row[:l.rows.n] {
		r, next := &l.rows.row[i], &ahead.row[i]
		if (r.kind == lockedRow || r.kind == limitRow) && r.upper == next.upper && r.similar(next, little) {
			d := next.pos - r.pos
			if r.lin == (r3.Vec{}) {
				d = math.Remainder(d, 2*math.Pi)
			}
			r.curvature = d/h - r.rate(l.a, l.b)
		} else if r.kind == lockedRow {
			known = false
		}
	}
	return known
}

// similar reports whether the row turns by less than half a radian until next. Impulses along the row at the beginning
// of a substep can't correct one that turns further. The arms of a distance row are short where the row points along
// them, and then not compared; little says that both bodies turn by less than half a radian.
func (r *jointRow) similar(next *jointRow, little bool) bool {
	if reproducible.Norm2(r3.Sub(next.lin, r.lin)) > reproducible.Norm2(r.lin)/4 {
		return false
	}
	return little && r.lin != (r3.Vec{}) ||
		reproducible.Norm2(r3.Sub(next.angA, r.angA)) <= reproducible.Norm2(r.angA)/4 && reproducible.Norm2(r3.Sub(next.angB, r.angB)) <= reproducible.Norm2(r.angB)/4
}

// turnsSlightly reports whether the body turns by less than half a radian until next.
func (b *body) turnsSlightly() bool { return reproducible.QuatNorm2(quat.Sub(b.next.q, b.q)) <= 1./16 }

// predictPose is the pose after h seconds at the present velocity.
func (b *body) predictPose(h float64) pose {
	if !b.moving() {
		return pose{b.x, b.q}
	}
	q, w := b.q, b.w
	b.integrateRotation(h)
	p := pose{r3.Add(b.x, reproducible.Scale(h, b.v)), b.q}
	b.q, b.w = q, w
	return p
}

// setTargets sets the wanted rates of the rows and the bounds of their impulses. Errors are corrected no faster than
// push, m/s or rad/s.
func (l *jointConstraint) setTargets(h, push float64, bias bool) {
	soft := false
	for i := range l.rows.row[:l.rows.n] {
		r := &l.rows.row[i]
		r.lo, r.hi, r.bias = math.Inf(-1), math.Inf(1), 0
		switch r.kind {
		case motorRow:
			r.lo, r.hi, r.bias = -r.motor.Max*h, r.motor.Max*h, -r.motor.Speed
		case limitRow:
			if r.upper {
				r.hi = 0
			} else {
				r.lo = 0
			}
			if r.upper == (r.pos < 0) {
				// The limit is not reached: the remaining distance may be covered within the substep.
				r.bias = r.pos / h
				continue
			}
			fallthrough
		case lockedRow:
			if bias {
				r.bias = min(max(errorReduction*r.pos/h, -push), push)
			}
		case springRow:
			soft = true
		}
	}
	if bias && soft {
		l.soften(h)
	}
}

// soften sets the compliance and the rate of spring rows, such that a single one, with the locked rows of its joint,
// moves exactly as its oscillator does.
func (l *jointConstraint) soften(h float64) {
	l.n = 0
	for i := range l.rows.row[:l.rows.n] {
		if role := l.rows.row[i].kind; role == lockedRow || role == springRow {
			l.selected[l.n] = int8(i)
			l.n++
		}
	}
	var k block
	l.massBlock(l, &k)
	for i, at := range l.selected[:l.n] {
		r := &l.rows.row[at]
		// Elimination of the locked rows, which come first, leaves the inverse mass along the row that they allow.
		left := k[i][i]
		for c := 0; c < i && l.rows.row[l.selected[c]].kind == lockedRow; c++ {
			for m := range c {
				k[i][c] -= float64(k[i][m] * k[c][m])
			}
			k[i][c] /= k[c][c]
			left -= float64(k[i][c] * k[i][c])
		}
		left = max(left, regularisation*k[i][i], math.SmallestNonzeroFloat32)
		if r.kind == lockedRow {
			k[i][i] = math.Sqrt(left)
			continue
		}
		lost, pull := r.spring.substep(h)
		r.gamma = left * (1 - lost) / lost
		r.bias = r.pos * pull / (h * lost)
	}
}

// substep describes an oscillator's motion in h seconds as the map v' = D(v - βx), x' = x + hv' with the same
// eigenvalues: lost is the share 1-D of its velocity that it loses, pull is hDβ, the product of one minus each
// eigenvalue.
func (s Spring) substep(h float64) (lost, pull float64) {
	ω, ζ := 2*math.Pi*min(s.Frequency, 0.125/h), s.Damping
	a := reproducible.Decay(ζ * ω * h)
	lost = max(float64(a*(2-a)), 1e-9)
	if ζ > 1 {
		sum := ζ + math.Sqrt(float64(ζ*ζ)-1) // of the roots; their product is one
		return lost, reproducible.Decay(ω*h/sum) * reproducible.Decay(ω*h*sum)
	}
	sin, _ := reproducible.PreciseSincos(ω * h * math.Sqrt(1-float64(ζ*ζ)) / 2)
	return lost, float64(a*a) + float64(4*(1-a)*sin*sin)
}

// selectRows lists the rows of the linear system and reports whether they have changed.
func (l *jointConstraint) selectRows(bias bool) (changed bool) {
	old, n := l.selected, l.n
	l.selected, l.n = [maxRows]int8{}, 0
	for i := range l.rows.row[:l.rows.n] {
		r := &l.rows.row[i]
		// A motor does not drive against an active limit: without a bound it would push the limit open.
		idle := r.hasLimit && l.joint.atBound[i-1] == 0 && l.rows.row[i-1].upper == (r.motor.Speed > 0)
		if r.movable && !idle && l.joint.atBound[i] == 0 && (bias || r.kind != springRow) {
			l.selected[l.n] = int8(i)
			l.n++
		}
	}
	return l.selected != old || l.n != n
}

// rateError is the difference of the rate of row i from the wanted one, m/s or rad/s.
func (l *jointConstraint) rateError(i int8) float64 {
	r := &l.rows.row[i]
	return r.rate(l.a, l.b) + r.curvature + r.bias + float64(r.gamma*l.impulse[i])
}

// solvePass solves for the selected rows by an active set: rows whose impulse would exceed a bound are fixed at it, rows
// at a bound are released when their rate error asks for it, and the system is solved again.
func (s *jointSolver) solvePass(g *articulation, bias bool) {
	for pivot := 0; ; pivot++ {
		if !g.factored {
			s.assemble(g)
			s.factor(g)
			g.factored = true
		}
		for i := g.lo; i < g.hi; i++ {
			l := &s.constraints[i]
			for k, at := range l.selected[:l.n] {
				s.x[i][k] = -l.rateError(at)
			}
		}
		s.solve(g)
		if pivot < maxPivots && s.fixAtBounds(g, bias) {
			continue
		}
		for i := g.lo; i < g.hi; i++ {
			l := &s.constraints[i]
			for k, at := range l.selected[:l.n] {
				r := &l.rows.row[at]
				l.applyImpulse(at, min(max(s.x[i][k], r.lo-l.impulse[at]), r.hi-l.impulse[at]))
			}
		}
		if pivot >= maxPivots || !s.releaseFromBounds(g, bias) {
			return
		}
	}
}

// fixAtBounds removes from the system the rows whose solution exceeds a bound, with their impulse at it.
func (s *jointSolver) fixAtBounds(g *articulation, bias bool) (changed bool) {
	for i := g.lo; i < g.hi; i++ {
		l := &s.constraints[i]
		out := false
		for k, at := range l.selected[:l.n] {
			r, next := &l.rows.row[at], l.impulse[at]+s.x[i][k]
			switch {
			case next < r.lo:
				l.joint.atBound[at] = -1
				l.applyImpulse(at, r.lo-l.impulse[at])
			case next > r.hi:
				l.joint.atBound[at] = 1
				l.applyImpulse(at, r.hi-l.impulse[at])
			default:
				continue
			}
			out = true
		}
		if out {
			l.selectRows(bias)
			changed, g.factored = true, false
		}
	}
	return changed
}

// releaseFromBounds returns rows at a bound to the system if an impulse off the bound reduces their error.
func (s *jointSolver) releaseFromBounds(g *articulation, bias bool) (changed bool) {
	const tolerance = 1e-9 // m/s or rad/s
	for i := g.lo; i < g.hi; i++ {
		l := &s.constraints[i]
		in := false
		for at := range int8(l.rows.n) {
			if side := l.joint.atBound[at]; side != 0 && float64(side)*l.rateError(at) > tolerance {
				l.joint.atBound[at] = 0
				in = true
			}
		}
		if in && l.selectRows(bias) {
			changed, g.factored = true, false
		}
	}
	return changed
}

// finishJoints stores the mean forces of the joints in a step of dt seconds, and breaks those loaded beyond their
// strength.
func (w *World) finishJoints(dt float64) {
	for i := range w.jointSolver.constraints {
		l := &w.jointSolver.constraints[i]
		j := l.joint
		j.force, j.torque = reproducible.Scale(1/dt, l.force), reproducible.Scale(1/dt, l.torque)
		if !finiteVec(j.force) || !finiteVec(j.torque) {
			j.force, j.torque = r3.Vec{}, r3.Vec{}
		}
		d := &j.def
		if d.BreakForce > 0 && reproducible.Norm(j.force) > d.BreakForce || d.BreakTorque > 0 && reproducible.Norm(j.torque) > d.BreakTorque {
			w.events.Broken = append(w.events.Broken, BreakEvent{w.joint(l.slot), *d, j.force, j.torque})
			w.removeJoint(l.slot)
		}
	}
}
