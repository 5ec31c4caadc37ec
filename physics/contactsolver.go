package physics

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// jacobian is a row of the constraint matrix: a direction at a point of contact, with the change of both bodies' spins
// for a unit impulse along it.
type jacobian struct {
	n      r3.Vec  // unit, from A to B
	cA, cB r3.Vec  // arm × n
	iA, iB r3.Vec  // change of spin
	mass   float64 // effective
}

// set makes r the direction n at arms rA and rB. The mass is 0 if locks leave no motion along n beyond rounding.
func (r *jacobian) set(a, b *body, n, rA, rB r3.Vec) {
	r.n, r.cA, r.cB = n, reproducible.Cross(rA, n), reproducible.Cross(rB, n)
	r.computeMass(a, b)
}

// computeMass computes the response of both bodies, as they are turned, and the effective mass.
func (r *jacobian) computeMass(a, b *body) {
	r.iA, r.iB, r.mass = r3.Vec{}, r3.Vec{}, 0
	inv := reproducible.Dot(r.n, mulElem(r3.Add(a.mobility, b.mobility), r.n))
	if a.invMass > 0 {
		r.iA = mulVec(&a.invI, r.cA)
		inv += reproducible.Dot(r.cA, r.iA)
	}
	if b.invMass > 0 {
		r.iB = mulVec(&b.invI, r.cB)
		inv += reproducible.Dot(r.cB, r.iB)
	}
	if inv > 1e-9*(a.invMass+b.invMass) {
		r.mass = 1 / inv
	}
}

// bodyVelocities holds the velocities of the two bodies of a contact during its solution.
type bodyVelocities struct {
	vA, wA, vB, wB r3.Vec
	mA, mB         r3.Vec // inverse masses along the world's axes
}

func velocitiesOf(a, b *body) bodyVelocities {
	return bodyVelocities{a.v, a.w, b.v, b.w, a.mobility, b.mobility}
}

// store writes the velocities to the bodies with a mass.
func (m *bodyVelocities) store(a, b *body) {
	if a.invMass != 0 {
		a.v, a.w = m.vA, m.wA
	}
	if b.invMass != 0 {
		b.v, b.w = m.vB, m.wB
	}
}

// speed is that of B against A along the direction, m/s.
func (m *bodyVelocities) speed(r *jacobian) float64 {
	return reproducible.Dot(r.n, r3.Sub(m.vB, m.vA)) + reproducible.Dot(r.cB, m.wB) - reproducible.Dot(r.cA, m.wA)
}

// applyImpulse applies the impulse j along the direction to B and its opposite to A.
func (m *bodyVelocities) applyImpulse(r *jacobian, j float64) {
	p := reproducible.Scale(j, r.n)
	m.vA = r3.Sub(m.vA, mulElem(m.mA, p))
	m.wA = r3.Sub(m.wA, reproducible.Scale(j, r.iA))
	m.vB = r3.Add(m.vB, mulElem(m.mB, p))
	m.wB = r3.Add(m.wB, reproducible.Scale(j, r.iB))
}

// constraintPoint is a point of contact in the solver, for one step.
type constraintPoint struct {
	normal, t1, t2     jacobian
	friction           frictionMatrix
	armA, armB         r3.Vec // arms that turn with each body, for the separation
	baseSep, sep       float64
	impulse, f1, f2    float64
	peak, approach     float64 // as in point
	surface1, surface2 float64 // speed of the conveyor surfaces along t1 and t2, m/s
	coupled            bool    // its normal is solved with the joints
}

// contactConstraint is a contact in the solver, for one step. Those of a substep group are contiguous in memory, in the
// order of the passes.
type contactConstraint struct {
	a, b              *body
	points            []constraintPoint
	friction, rolling float64
	met               bool // all points have an impulse
	coupled           bool // some of its points are solved with joints
	contact           *contact
}

// prepare computes the parts of a group's contacts that are constant through the substeps.
func (w *World) prepare(t *substepGroup) {
	for _, i := range t.contacts {
		c := &w.contacts[i]
		c.rollingImpulse = reproducible.Scale(t.h, c.rollingTorque)
		n := len(w.constraintPoints)
		w.constraintPoints = w.constraintPoints[:n+c.n]
		k := contactConstraint{a: &w.bodies[c.bodyA], b: &w.bodies[c.bodyB], points: w.constraintPoints[n:], friction: c.friction, rolling: c.rolling, contact: c}
		t.constraints = append(t.constraints, k)
		for i := range k.points {
			k.points[i].prepare(&k, &c.points[i], t.h)
		}
	}
	w.listJointContacts(t)
}

// prepare initialises l with the point p of a contact, for substeps of h seconds.
func (l *constraintPoint) prepare(k *contactConstraint, p *point, h float64) {
	l.impulse = float64(h * p.force)
	l.peak, l.approach, l.coupled = 0, 0, false
	l.setPoint(k, &p.manifoldPoint)
	l.f1, l.f2 = float64(h*reproducible.Dot(p.friction, l.t1.n)), float64(h*reproducible.Dot(p.friction, l.t2.n))
}

// setPoint computes the rows of the point h at the present poses of the bodies.
func (l *constraintPoint) setPoint(k *contactConstraint, h *manifoldPoint) {
	a, b := k.a, k.b
	t1, t2 := reproducible.Basis(h.normal)
	rA, rB := r3.Sub(h.pos, a.x), r3.Sub(h.pos, b.x)
	l.normal.set(a, b, h.normal, rA, rB)
	l.t1.set(a, b, t1, rA, rB)
	l.t2.set(a, b, t2, rA, rB)
	l.friction.set(a, b, &l.t1, &l.t2)
	l.surface1, l.surface2 = reproducible.Dot(k.contact.surfaceVelocity, t1), reproducible.Dot(k.contact.surfaceVelocity, t2)
	// The point of contact of a round surface does not turn with the body.
	l.armA, l.armB = rA, rB
	if h.roundA > 0 {
		l.armA = r3.Sub(rA, reproducible.Scale(h.roundA+float64(h.sep/2), h.normal))
	}
	if h.roundB > 0 {
		l.armB = r3.Add(rB, reproducible.Scale(h.roundB+float64(h.sep/2), h.normal))
	}
	if a.dq != identity {
		l.armA = mulVecT(&a.turn, l.armA)
	}
	if b.dq != identity {
		l.armB = mulVecT(&b.turn, l.armB)
	}
	l.baseSep = 0
	l.sep, l.baseSep = h.sep, h.sep-l.separation(a, b)
}

// recordApproach updates the approach speed of points until they meet. A value from the start of the step lacks the
// gravity until the impact, which costs an elastic ball a twentieth of its energy at every bounce.
func (t *substepGroup) recordApproach() {
	for i := range t.constraints {
		c := &t.constraints[i]
		if c.met {
			continue
		}
		m := velocitiesOf(c.a, c.b)
		c.met = true
		for k := range c.points {
			if l := &c.points[k]; l.peak == 0 {
				l.approach, c.met = m.speed(&l.normal), false
			}
		}
	}
}

// warmStart applies the impulses of the last substep.
func (t *substepGroup) warmStart() {
	for i := range t.constraints {
		c := &t.constraints[i]
		m := velocitiesOf(c.a, c.b)
		m.warmStart(c.points)
		m.store(c.a, c.b)
		if c.rolling > 0 {
			applyAngularImpulse(c.a, c.b, c.contact.rollingImpulse)
		}
	}
}

// solve is one Gauss-Seidel pass over the contacts of a group. With bias it also removes overlap, softly and no faster
// than push, m/s; without, it removes the velocity that this leaves (relaxation).
func (t *substepGroup) solve(push float64, bias bool) {
	soft, rate := softness{0, 1, 0}, 1/t.h
	if bias {
		soft = contactSoftness(t.h)
	}
	for i := range t.constraints {
		c := &t.constraints[i]
		if !bias { // the bodies have moved
			for k := range c.points {
				c.points[k].sep = c.points[k].separation(c.a, c.b)
			}
		}
		m := velocitiesOf(c.a, c.b)
		m.solveNormals(c.points, soft, rate, push)
		if c.friction > 0 {
			m.solveFriction(c.points, c.friction)
		}
		m.store(c.a, c.b)
		if c.rolling > 0 {
			c.contact.solveRolling(c.a, c.b, c.points)
		}
	}
}

// separation is the present separation of the point, m, from the bodies' motion since the step began.
func (l *constraintPoint) separation(a, b *body) float64 {
	d := r3.Sub(b.dx, a.dx)
	if b.dq == identity {
		d = r3.Add(d, l.armB)
	} else {
		d = r3.Add(d, mulVec(&b.turn, l.armB))
	}
	if a.dq == identity {
		d = r3.Sub(d, l.armA)
	} else {
		d = r3.Sub(d, mulVec(&a.turn, l.armA))
	}
	return l.baseSep + reproducible.Dot(d, l.normal.n)
}

// warmStart applies the impulses of the points.
func (m *bodyVelocities) warmStart(lanes []constraintPoint) {
	var p, turnA, turnB r3.Vec
	for k := range lanes {
		l := &lanes[k]
		if !l.hasImpulse() {
			continue
		}
		n, r, s := &l.normal, &l.t1, &l.t2
		p = r3.Add(p, r3.Add(reproducible.Scale(l.impulse, n.n), r3.Add(reproducible.Scale(l.f1, r.n), reproducible.Scale(l.f2, s.n))))
		turnA = r3.Add(turnA, r3.Add(reproducible.Scale(l.impulse, n.iA), r3.Add(reproducible.Scale(l.f1, r.iA), reproducible.Scale(l.f2, s.iA))))
		turnB = r3.Add(turnB, r3.Add(reproducible.Scale(l.impulse, n.iB), r3.Add(reproducible.Scale(l.f1, r.iB), reproducible.Scale(l.f2, s.iB))))
	}
	m.vA, m.wA = r3.Sub(m.vA, mulElem(m.mA, p)), r3.Sub(m.wA, turnA)
	m.vB, m.wB = r3.Add(m.vB, mulElem(m.mB, p)), r3.Add(m.wB, turnB)
}

// solveNormals solves for the normal impulses, point by point. rate, 1/s, is that of substeps; push, m/s, the largest
// speed at which overlap is removed.
//
// Each point depends on the velocities after the one before, and this dependency chain sets the time of a pass:
// velocities stay in registers, and all that does not depend on them is computed off the chain.
func (m *bodyVelocities) solveNormals(lanes []constraintPoint, soft softness, rate, push float64) {
	vA, wA, vB, wB := m.vA, m.wA, m.vB, m.wB
	for k := range lanes {
		l := &lanes[k]
		if l.coupled {
			continue
		}
		r := &l.normal
		mass, rest := r.mass, float64(-r.mass*l.sep*rate) // speculative: the gap may close within the substep
		if l.sep <= 0 {
			bias := soft.bias * l.sep
			if bias < -push {
				bias = -push
			}
			mass *= soft.mass
			rest = float64(-mass*bias) - float64(soft.impulse*l.impulse)
		}
		speed := reproducible.Dot(r.n, r3.Sub(vB, vA)) + (reproducible.Dot(r.cB, wB) - reproducible.Dot(r.cA, wA))
		j := rest - float64(mass*speed)
		if j < -l.impulse { // cheaper than max, which looks for NaN and -0
			j = -l.impulse
		}
		if j == 0 {
			continue
		}
		l.impulse += j
		if l.impulse > l.peak {
			l.peak = l.impulse
		}
		vA, wA = r3.Sub(vA, reproducible.Scale(j, mulElem(m.mA, r.n))), r3.Sub(wA, reproducible.Scale(j, r.iA))
		vB, wB = r3.Add(vB, reproducible.Scale(j, mulElem(m.mB, r.n))), r3.Add(wB, reproducible.Scale(j, r.iB))
	}
	m.vA, m.wA, m.vB, m.wB = vA, wA, vB, wB
}

// hasImpulse reports whether the point has an impulse; a speculative one has none.
func (l *constraintPoint) hasImpulse() bool { return l.impulse != 0 || l.f1 != 0 || l.f2 != 0 }

// solveFriction solves for the friction impulses within Coulomb's cone, point by point.
func (m *bodyVelocities) solveFriction(lanes []constraintPoint, μ float64) {
	vA, wA, vB, wB := m.vA, m.wA, m.vB, m.wB
	for k := range lanes {
		l := &lanes[k]
		if !l.hasImpulse() || l.friction.a == 0 {
			continue
		}
		r, s := &l.t1, &l.t2
		v := r3.Sub(vB, vA)
		v1 := l.surface1 + reproducible.Dot(r.n, v) + (reproducible.Dot(r.cB, wB) - reproducible.Dot(r.cA, wA))
		v2 := l.surface2 + reproducible.Dot(s.n, v) + (reproducible.Dot(s.cB, wB) - reproducible.Dot(s.cA, wA))
		g1, g2 := l.friction.stoppingImpulse(l.f1, l.f2, v1, v2)
		if most := μ * l.impulse; !(float64(g1*g1)+float64(g2*g2) <= most*most) {
			g1, g2 = l.friction.slidingImpulse(l.f1, l.f2, v1, v2, most)
		}
		j1, j2 := g1-l.f1, g2-l.f2
		l.f1, l.f2 = g1, g2
		p := r3.Add(reproducible.Scale(j1, r.n), reproducible.Scale(j2, s.n))
		vA, wA = r3.Sub(vA, mulElem(m.mA, p)), r3.Sub(wA, r3.Add(reproducible.Scale(j1, r.iA), reproducible.Scale(j2, s.iA)))
		vB, wB = r3.Add(vB, mulElem(m.mB, p)), r3.Add(wB, r3.Add(reproducible.Scale(j1, r.iB), reproducible.Scale(j2, s.iB)))
	}
	m.vA, m.wA, m.vB, m.wB = vA, wA, vB, wB
}

// applyAngularImpulse applies the angular impulse j to b and its opposite to a.
func applyAngularImpulse(a, b *body, j r3.Vec) {
	a.w = r3.Sub(a.w, mulVec(&a.invI, j))
	b.w = r3.Add(b.w, mulVec(&b.invI, j))
}

// solveRolling brakes the relative rotation, by at most the rolling resistance times the load.
func (c *contact) solveRolling(a, b *body, lanes []constraintPoint) {
	spin := r3.Sub(b.w, a.w)
	k := reproducible.Dot(spin, r3.Add(mulVec(&a.invI, spin), mulVec(&b.invI, spin)))
	if k == 0 {
		return
	}
	load := 0.0
	for i := range lanes {
		load += lanes[i].impulse
	}
	next := r3.Sub(c.rollingImpulse, reproducible.Scale(reproducible.Norm2(spin)/k, spin))
	if l, most := reproducible.Norm(next), c.rolling*load; l > most {
		next = reproducible.Scale(most/l, next)
	}
	applyAngularImpulse(a, b, r3.Sub(next, c.rollingImpulse))
	c.rollingImpulse = next
}

// restitutionPasses is the number of passes of restitution over all contacts, so that the points of one face bounce
// together: one pass costs a prism 6 % of its height, four less than 2 %.
const restitutionPasses = 4

// applyRestitution gives the rebound velocity to points that met and closed faster than least, m/s.
func (t *substepGroup) applyRestitution(least float64) {
	for range restitutionPasses {
		for i := range t.constraints {
			c := &t.constraints[i]
			if c.contact.restitution == 0 {
				continue
			}
			m := velocitiesOf(c.a, c.b)
			for k := range c.points {
				l := &c.points[k]
				if l.approach > -least || l.peak == 0 {
					continue
				}
				next := max(l.impulse-float64(l.normal.mass*(m.speed(&l.normal)+float64(c.contact.restitution*l.approach))), 0)
				m.applyImpulse(&l.normal, next-l.impulse)
				l.impulse, l.peak = next, max(l.peak, next)
			}
			m.store(c.a, c.b)
		}
	}
}

// storeForces stores forces for warm starting, load ratios, and which contacts touch.
func (w *World) storeForces(t *substepGroup) {
	rate, g := 1/t.h, reproducible.Norm(w.def.Gravity)
	for i := range t.constraints {
		k := &t.constraints[i]
		c, load := k.contact, 0.0
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		c.touching = false
		for i := range k.points {
			l, p := &k.points[i], &c.points[i]
			p.force, p.peak, p.approach = rate*l.impulse, l.peak, l.approach
			p.friction = reproducible.Scale(rate, r3.Add(reproducible.Scale(l.f1, l.t1.n), reproducible.Scale(l.f2, l.t2.n)))
			if !finite(p.force) || !finiteVec(p.friction) || !finite(p.peak) || !finite(p.approach) {
				p.force, p.peak, p.approach, p.friction = 0, 0, 0, r3.Vec{}
			}
			if moved := p.moved(a, b); finiteVec(moved) {
				p.pos = moved
			}
			c.touching = c.touching || p.peak > 0
			load += p.force
		}
		if c.rollingTorque = reproducible.Scale(rate, c.rollingImpulse); !finiteVec(c.rollingTorque) {
			c.rollingTorque = r3.Vec{}
		}
		c.updateLoadRatio(load, g*w.lighterMass(c), t.h*float64(t.substeps), w.def.Substeps)
		if !finite(c.loadRatio) {
			c.loadRatio = 0
		}
	}
}
