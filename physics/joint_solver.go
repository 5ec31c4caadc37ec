package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Joints are solved as RATTLE does (Andersen 1983): impulses along the rows at the beginning of
// a substep make the pose at its end right, then ones along the rows there make the velocity
// right. Both are one solution of the articulation's linear system, the first with the
// curvature of the path in it (slip), so that a pendulum neither gains nor loses energy.

// mend is the share of a row's error that a substep takes away. Rows in a closed loop
// contradict each other by what their linearisation leaves out; this spreads it.
const mend = 0.25

// maxPivots is how often a pass may change which limits and motors are at their bounds. It has
// mostly to do so once after something changed; in a heap of ragdolls now and then more than six
// times, never twenty. Where it runs out, impulses are cut at their bounds one by one, which is
// no solution: three pivots blow such a heap apart.
const maxPivots = 20

// prepareJoints lists the joints to solve and where their bodies are.
func (w *World) prepareJoints() {
	w.gatherJoints()
	w.placeJoints(w.solver.groups)
	for i := range w.solver.links {
		l := &w.solver.links[i]
		l.a.next, l.b.next = pose{l.a.x, l.a.q}, pose{l.b.x, l.b.q}
	}
}

// placeJoints updates the rows of articulations after the bodies moved.
func (w *World) placeJoints(groups []articulation) {
	for i := range groups {
		g := &groups[i]
		g.factored = false
		w.solver.place(g)
	}
}

func (s *articulations) place(g *articulation) {
	for i := g.lo; i < g.hi; i++ {
		l := &s.links[i]
		l.at = l.joint.stand(l.a, l.b, pose{l.a.x, l.a.q}, pose{l.b.x, l.b.q})
		l.joint.rows(&l.at, &l.rows)
		if l.joint.def.Kind == HingeJoint {
			if angle := l.at.hingeAngle(l.joint.angle); finite(angle) {
				l.joint.angle = angle
			}
		}
		for k := range l.rows.row[:l.rows.n] {
			l.respond(&l.rows.row[k])
		}
	}
}

// respond notes what a unit impulse along the row does to the bodies. A row along which locks
// leave no motion but what rounding makes of it can't be solved for.
func (l *link) respond(r *jointRow) {
	free := 0.0 // the inverse mass along the row if nothing were locked, or more
	if l.freeA {
		r.pA, r.wA = l.a.shift(r.lin), mulVec(&l.a.invI, r.angA)
		free += float64(l.a.invMass*reproducible.Norm2(r.lin)) + float64(trace(&l.a.invLocal)*reproducible.Norm2(r.angA))
	}
	if l.freeB {
		r.pB, r.wB = l.b.shift(r.lin), mulVec(&l.b.invI, r.angB)
		free += float64(l.b.invMass*reproducible.Norm2(r.lin)) + float64(trace(&l.b.invLocal)*reproducible.Norm2(r.angB))
	}
	left := reproducible.Dot(r.lin, r3.Add(r.pA, r.pB)) + reproducible.Dot(r.angA, r.wA) + reproducible.Dot(r.angB, r.wB)
	r.movable = left > 1e-9*free
}

func trace(m *mat3) float64 { return m[0][0] + m[1][1] + m[2][2] }

// give changes the velocities by the impulse x along row i.
func (l *link) give(i int8, x float64) {
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
	l.torque = r3.Add(l.torque, r3.Sub(reproducible.Scale(x, r.angB), reproducible.Cross(l.at.rB, f)))
}

// foreseeJoints foresees the rates of articulations through a substep of h seconds with the
// velocities that the last one has left; bodies are what moves of theirs, or more. What forces and
// contacts add before the joints answer is no velocity that a body moves with.
func (w *World) foreseeJoints(groups []articulation, bodies []int32, h float64) {
	if len(groups) == 0 {
		return
	}
	for _, slot := range bodies {
		if b := &w.bodies[slot]; len(b.joints) > 0 {
			b.next = b.ahead(h)
		}
	}
	for i := range groups {
		for k := groups[i].lo; k < groups[i].hi; k++ {
			w.solver.links[k].foresee(h)
		}
	}
}

// solveJoints passes once over articulations, in substeps of h seconds. With bias it makes the pose at the end of the substep right; without, the
// velocity now.
func (w *World) solveJoints(groups []articulation, h float64, bias bool) {
	s := &w.solver
	if bias {
		for i := range groups {
			for k := groups[i].lo; k < groups[i].hi; k++ {
				s.links[k].begin(h)
			}
		}
	}
	for i := range groups {
		g := &groups[i]
		for k := g.lo; k < g.hi; k++ {
			l := &s.links[k]
			l.aim(h, w.def.PushSpeed, bias)
			if l.choose(bias) {
				g.factored = false
			}
		}
		s.pass(g, bias)
		if !bias {
			// Once more, for what slack leaves of the error: it is the velocity that others see.
			s.pass(g, bias)
			continue
		}
		for turn := 0; turn < glances && s.look(g, h); turn++ {
			s.pass(g, bias)
		}
	}
}

// glances is how often the impulses of a substep are improved for where they take the bodies, and
// astray, m/s, the rate of an error from which on they are. An error above lost is not taken away
// by rows as they are now, and trying may add energy.
const (
	glances = 2
	astray  = 1e-3
	lost    = 0.1
)

// look foresees the rates again, with the velocities that the impulses have made, and reports
// whether a row that holds goes astray. The first time the path is known without the impulses:
// its curvature is wrong by what they bend it, which takes energy from what whirls.
func (s *articulations) look(g *articulation, h float64) bool {
	bends, worst := false, 0.0
	for k := g.lo; k < g.hi && !bends; k++ {
		bends = s.links[k].bends(h)
	}
	if !bends {
		return false
	}
	for k := g.lo; k < g.hi; k++ {
		l := &s.links[k]
		for _, b := range [2]*body{l.a, l.b} {
			if len(b.joints) > 0 {
				b.next = b.ahead(h)
			}
		}
	}
	for k := g.lo; k < g.hi; k++ {
		l := &s.links[k]
		if !l.foresee(h) {
			return false
		}
		for _, at := range l.in[:l.n] {
			if r := &l.rows.row[at]; r.role == locked || r.role == stop {
				worst = max(worst, math.Abs(l.defect(at)))
			}
		}
	}
	return worst > astray && worst < lost
}

// bends reports whether the path of an anchor is curved, as it was foreseen or as it is now.
func (l *link) bends(h float64) bool {
	for i := range l.rows.row[:l.rows.n] {
		if math.Abs(l.rows.row[i].slip) > astray {
			return true
		}
	}
	return h*(float64(reproducible.Norm2(l.a.w)*reproducible.Norm(l.at.rA))+float64(reproducible.Norm2(l.b.w)*reproducible.Norm(l.at.rB))) > astray
}

// begin forgets the impulses of the last substep and gives those of motors at their bounds.
func (l *link) begin(h float64) {
	l.impulse = [maxRows]float64{}
	for i := range l.rows.row[:l.rows.n] {
		if r := &l.rows.row[i]; r.role == drive {
			l.give(int8(i), float64(l.joint.side[i])*r.motor.Max*h)
		}
	}
}

// foresee finds the rows' mean rates through the substep that the velocities now would make, and
// reports whether those of all that are locked are known.
func (l *link) foresee(h float64) (known bool) {
	var ahead jointRows
	at := l.joint.stand(l.a, l.b, l.a.next, l.b.next)
	l.joint.rows(&at, &ahead)
	known = true
	little := l.a.turnsLittle() && l.b.turnsLittle()
	for i := range l.rows.row[:l.rows.n] {
		r, next := &l.rows.row[i], &ahead.row[i]
		if (r.role == locked || r.role == stop) && r.upper == next.upper && r.like(next, little) {
			d := next.pos - r.pos
			if r.lin == (r3.Vec{}) {
				d = math.Remainder(d, 2*math.Pi)
			}
			r.slip = d/h - r.rate(l.a, l.b)
		} else if r.role == locked {
			known = false
		}
	}
	return known
}

// like reports whether a row has turned by less than half a radian to next. One that turns
// further within a substep can't be made right at its end by impulses along its beginning. An arm
// of a row of a distance is short where the row points along it, and tells nothing there: little
// says that the bodies turn by less than half a radian.
func (r *jointRow) like(next *jointRow, little bool) bool {
	if reproducible.Norm2(r3.Sub(next.lin, r.lin)) > reproducible.Norm2(r.lin)/4 {
		return false
	}
	return little && r.lin != (r3.Vec{}) ||
		reproducible.Norm2(r3.Sub(next.angA, r.angA)) <= reproducible.Norm2(r.angA)/4 && reproducible.Norm2(r3.Sub(next.angB, r.angB)) <= reproducible.Norm2(r.angB)/4
}

// turnsLittle reports whether the body turns by less than half a radian on its way to next.
func (b *body) turnsLittle() bool { return reproducible.QuatNorm2(quat.Sub(b.next.q, b.q)) <= 1./16 }

// ahead is the pose after h seconds at the present velocity.
func (b *body) ahead(h float64) pose {
	if !b.moving() {
		return pose{b.x, b.q}
	}
	q, w := b.q, b.w
	b.turn(h)
	p := pose{r3.Add(b.x, reproducible.Scale(h, b.v)), b.q}
	b.q, b.w = q, w
	return p
}

// aim sets the rates that the rows shall have and the bounds of their impulses. Errors are
// mended no faster than push, m/s or rad/s.
func (l *link) aim(h, push float64, bias bool) {
	soft := false
	for i := range l.rows.row[:l.rows.n] {
		r := &l.rows.row[i]
		r.lo, r.hi, r.bias = math.Inf(-1), math.Inf(1), 0
		switch r.role {
		case drive:
			r.lo, r.hi, r.bias = -r.motor.Max*h, r.motor.Max*h, -r.motor.Speed
		case stop:
			if r.upper {
				r.hi = 0
			} else {
				r.lo = 0
			}
			if r.upper == (r.pos < 0) {
				// Not there yet: the rest of the way may be gone within the substep.
				r.bias = r.pos / h
				continue
			}
			fallthrough
		case locked:
			if bias {
				r.bias = min(max(mend*r.pos/h, -push), push)
			}
		case yields:
			soft = true
		}
	}
	if bias && soft {
		l.soften(h)
	}
}

// soften sets the compliance and the rate of the rows that yield, such that one of them alone,
// with the locked rows of its joint, goes through exactly the motion of its oscillator.
func (l *link) soften(h float64) {
	l.n = 0
	for i := range l.rows.row[:l.rows.n] {
		if role := l.rows.row[i].role; role == locked || role == yields {
			l.in[l.n] = int8(i)
			l.n++
		}
	}
	var k block
	l.couple(l, &k)
	for i, at := range l.in[:l.n] {
		r := &l.rows.row[at]
		// The factor's columns of locked rows, which come first, leave of a row's inverse mass
		// what the locked rows leave of its motion.
		left := k[i][i]
		for c := 0; c < i && l.rows.row[l.in[c]].role == locked; c++ {
			for m := range c {
				k[i][c] -= float64(k[i][m] * k[c][m])
			}
			k[i][c] /= k[c][c]
			left -= float64(k[i][c] * k[i][c])
		}
		left = max(left, slack*k[i][i], math.SmallestNonzeroFloat32)
		if r.role == locked {
			k[i][i] = math.Sqrt(left)
			continue
		}
		lost, pull := r.spring.substep(h)
		r.gamma = left * (1 - lost) / lost
		r.bias = r.pos * pull / (h * lost)
	}
}

// substep is what an oscillator does in h seconds, as the map v' = D(v - βx), x' = x + hv' that
// has its eigenvalues: the share 1-D of its velocity that it loses, and hDβ, which is the product
// of what they lack of one.
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

// choose lists the rows in the system and reports whether they are others than before.
func (l *link) choose(bias bool) (changed bool) {
	old, n := l.in, l.n
	l.in, l.n = [maxRows]int8{}, 0
	for i := range l.rows.row[:l.rows.n] {
		r := &l.rows.row[i]
		// A motor does not work against its stop: one without a bound would push it open.
		idle := r.bounded && l.joint.side[i-1] == 0 && l.rows.row[i-1].upper == (r.motor.Speed > 0)
		if r.movable && !idle && l.joint.side[i] == 0 && (bias || r.role != yields) {
			l.in[l.n] = int8(i)
			l.n++
		}
	}
	return l.in != old || l.n != n
}

// defect is what is wrong with the rate of row i.
func (l *link) defect(i int8) float64 {
	r := &l.rows.row[i]
	return r.rate(l.a, l.b) + r.slip + r.bias + float64(r.gamma*l.impulse[i])
}

// pass solves for the rows in the system; rows that would leave their bounds stop there, rows
// at a bound that want to leave it come in, and it solves again.
func (s *articulations) pass(g *articulation, bias bool) {
	for pivot := 0; ; pivot++ {
		if !g.factored {
			s.assemble(g)
			s.factor(g)
			g.factored = true
		}
		for i := g.lo; i < g.hi; i++ {
			l := &s.links[i]
			for k, at := range l.in[:l.n] {
				s.x[i][k] = -l.defect(at)
			}
		}
		s.solve(g)
		if pivot < maxPivots && s.exclude(g, bias) {
			continue
		}
		for i := g.lo; i < g.hi; i++ {
			l := &s.links[i]
			for k, at := range l.in[:l.n] {
				r := &l.rows.row[at]
				l.give(at, min(max(s.x[i][k], r.lo-l.impulse[at]), r.hi-l.impulse[at]))
			}
		}
		if pivot >= maxPivots || !s.include(g, bias) {
			return
		}
	}
}

// exclude puts rows that x takes beyond a bound at it, out of the system.
func (s *articulations) exclude(g *articulation, bias bool) (changed bool) {
	for i := g.lo; i < g.hi; i++ {
		l := &s.links[i]
		out := false
		for k, at := range l.in[:l.n] {
			r, next := &l.rows.row[at], l.impulse[at]+s.x[i][k]
			switch {
			case next < r.lo:
				l.joint.side[at] = -1
				l.give(at, r.lo-l.impulse[at])
			case next > r.hi:
				l.joint.side[at] = 1
				l.give(at, r.hi-l.impulse[at])
			default:
				continue
			}
			out = true
		}
		if out {
			l.choose(bias)
			changed, g.factored = true, false
		}
	}
	return changed
}

// include takes rows into the system whose error is such as an impulse off their bound mends.
func (s *articulations) include(g *articulation, bias bool) (changed bool) {
	const tolerance = 1e-9 // m/s or rad/s
	for i := g.lo; i < g.hi; i++ {
		l := &s.links[i]
		in := false
		for at := range int8(l.rows.n) {
			if side := l.joint.side[at]; side != 0 && float64(side)*l.defect(at) > tolerance {
				l.joint.side[at] = 0
				in = true
			}
		}
		if in && l.choose(bias) {
			changed, g.factored = true, false
		}
	}
	return changed
}

// settleJoints notes what the joints bore in a step of dt seconds, and breaks those that bore
// too much.
func (w *World) settleJoints(dt float64) {
	for i := range w.solver.links {
		l := &w.solver.links[i]
		j := l.joint
		j.force, j.torque = reproducible.Scale(1/dt, l.force), reproducible.Scale(1/dt, l.torque)
		if !finiteVec(j.force) || !finiteVec(j.torque) {
			j.force, j.torque = r3.Vec{}, r3.Vec{}
		}
		d := &j.def
		if d.BreakForce > 0 && reproducible.Norm(j.force) > d.BreakForce || d.BreakTorque > 0 && reproducible.Norm(j.torque) > d.BreakTorque {
			w.events.Broken = append(w.events.Broken, JointBroken{w.joint(l.slot), *d, j.force, j.torque})
			w.destroyJoint(l.slot)
		}
	}
}
