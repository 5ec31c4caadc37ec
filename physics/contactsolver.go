package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// jacobian is a direction in which two bodies act on each other at a point, and what an impulse
// of 1 along it does to their spins.
type jacobian struct {
	n      r3.Vec  // unit, from A to B
	cA, cB r3.Vec  // arm × n
	iA, iB r3.Vec  // change of spin
	mass   float64 // effective
}

// newJacobian's mass is 0 if locks leave nothing that an impulse along n moves but what rounding
// makes of it.
func newJacobian(a, b *body, n, rA, rB r3.Vec) jacobian {
	r := jacobian{n: n, cA: r3.Cross(rA, n), cB: r3.Cross(rB, n)}
	r.iA, r.iB = mulVec(&a.invI, r.cA), mulVec(&b.invI, r.cB)
	inv := r3.Dot(n, r3.Add(a.shift(n), b.shift(n))) + r3.Dot(r.cA, r.iA) + r3.Dot(r.cB, r.iB)
	if inv > 1e-9*(a.invMass+b.invMass) {
		r.mass = 1 / inv
	}
	return r
}

// motion is the velocities of the two bodies of a contact while it is being solved.
type motion struct {
	vA, wA, vB, wB r3.Vec
	mA, mB         r3.Vec // inverse masses along the world's axes
}

func motionOf(a, b *body) motion { return motion{a.v, a.w, b.v, b.w, a.mobility, b.mobility} }

// store gives the velocities to the bodies that contacts can move.
func (m *motion) store(a, b *body) {
	if a.invMass != 0 {
		a.v, a.w = m.vA, m.wA
	}
	if b.invMass != 0 {
		b.v, b.w = m.vB, m.wB
	}
}

// speed of B against A along the direction.
func (m *motion) speed(r *jacobian) float64 {
	return r3.Dot(r.n, r3.Sub(m.vB, m.vA)) + r3.Dot(r.cB, m.wB) - r3.Dot(r.cA, m.wA)
}

// push applies the impulse j along the direction to B and its opposite to A.
func (m *motion) push(r *jacobian, j float64) {
	p := r3.Scale(j, r.n)
	m.vA = r3.Sub(m.vA, mulElem(m.mA, p))
	m.wA = r3.Sub(m.wA, r3.Scale(j, r.iA))
	m.vB = r3.Add(m.vB, mulElem(m.mB, p))
	m.wB = r3.Add(m.wB, r3.Scale(j, r.iB))
}

// pushBoth applies the impulses j along r and k along s: less memory traffic than one after
// the other.
func (m *motion) pushBoth(r *jacobian, j float64, s *jacobian, k float64) {
	p := r3.Add(r3.Scale(j, r.n), r3.Scale(k, s.n))
	m.vA = r3.Sub(m.vA, mulElem(m.mA, p))
	m.vB = r3.Add(m.vB, mulElem(m.mB, p))
	m.wA = r3.Sub(m.wA, r3.Add(r3.Scale(j, r.iA), r3.Scale(k, s.iA)))
	m.wB = r3.Add(m.wB, r3.Add(r3.Scale(j, r.iB), r3.Scale(k, s.iB)))
}

// lane is a point of contact as the solver takes it, for one step.
type lane struct {
	normal, t1, t2  jacobian
	sA, sB          r3.Vec // what turns with each body, for the separation
	base            float64
	impulse, f1, f2 float64
	peak, approach  float64 // as in point
	slide1, slide2  float64 // what the surfaces move by along t1 and t2, m/s
}

func (w *World) lanesOf(c *contact) []lane { return w.lanes[c.lanes : int(c.lanes)+c.n] }

// prepare computes what of the contacts of a tier stays the same through the substeps.
func (w *World) prepare(t *tier) {
	h := t.h
	for _, i := range t.contacts {
		c := &w.contacts[i]
		c.roll = r3.Scale(h, c.brake)
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		c.lanes = int32(len(w.lanes))
		for k := range c.points[:c.n] {
			p := &c.points[k]
			t1, t2 := tangents(p.normal)
			rA, rB := r3.Sub(p.pos, a.x), r3.Sub(p.pos, b.x)
			w.lanes = append(w.lanes, lane{sA: rA, sB: rB, impulse: h * p.force})
			l := &w.lanes[len(w.lanes)-1]
			l.normal, l.t1, l.t2 = newJacobian(a, b, p.normal, rA, rB), newJacobian(a, b, t1, rA, rB), newJacobian(a, b, t2, rA, rB)
			l.f1, l.f2 = h*r3.Dot(p.friction, t1), h*r3.Dot(p.friction, t2)
			l.slide1, l.slide2 = r3.Dot(c.slide, t1), r3.Dot(c.slide, t2)
			// The point of a ball nearest to the other body does not turn with it.
			if p.roundA > 0 {
				l.sA = r3.Sub(rA, r3.Scale(p.roundA+p.sep/2, p.normal))
			}
			if p.roundB > 0 {
				l.sB = r3.Add(rB, r3.Scale(p.roundB+p.sep/2, p.normal))
			}
			l.base = p.sep - r3.Dot(r3.Sub(l.sB, l.sA), p.normal)
		}
	}
}

// measure keeps the approach of points that have not met yet as it is when they do. Taken
// at the start of the whole step, without the gravity until they meet, it would cost an
// elastic ball a twentieth of its energy at every bounce.
func (w *World) measure(t *tier) {
	for _, i := range t.contacts {
		c := &w.contacts[i]
		m := motionOf(&w.bodies[c.bodyA], &w.bodies[c.bodyB])
		lanes := w.lanesOf(c)
		for k := range lanes {
			if l := &lanes[k]; l.peak == 0 {
				l.approach = m.speed(&l.normal)
			}
		}
	}
}

// warmStart applies the impulses that held the bodies before.
func (w *World) warmStart(t *tier) {
	for _, i := range t.contacts {
		c := &w.contacts[i]
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		m := motionOf(a, b)
		lanes := w.lanesOf(c)
		for k := range lanes {
			if l := &lanes[k]; l.holds() {
				m.push(&l.normal, l.impulse)
				m.pushBoth(&l.t1, l.f1, &l.t2, l.f2)
			}
		}
		m.store(a, b)
		if c.rolling > 0 {
			twist(a, b, c.roll)
		}
	}
}

// solve passes once over the contacts of a tier, by Gauss and Seidel. With bias it also removes
// overlap, softly; without, it relaxes the velocity that this leaves.
func (w *World) solve(t *tier, bias bool) {
	h, soft := t.h, softness{0, 1, 0}
	if bias {
		soft = contactSoftness(h)
	}
	for _, i := range t.contacts {
		c := &w.contacts[i]
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		m := motionOf(a, b)
		lanes := w.lanesOf(c)
		for k := range lanes {
			l := &lanes[k]
			l.solveNormal(&m, l.separation(a, b), soft, h, w.def.PushSpeed)
		}
		if c.friction > 0 {
			for k := range lanes {
				lanes[k].solveFriction(&m, c.friction)
			}
		}
		m.store(a, b)
		if c.rolling > 0 {
			c.solveRolling(a, b, lanes)
		}
	}
}

// separation of the point now, by what the bodies have moved since the step began.
func (l *lane) separation(a, b *body) float64 {
	d := r3.Sub(b.dx, a.dx)
	if b.dq == identity {
		d = r3.Add(d, l.sB)
	} else {
		d = r3.Add(d, rotate(b.dq, l.sB))
	}
	if a.dq == identity {
		d = r3.Sub(d, l.sA)
	} else {
		d = r3.Sub(d, rotate(a.dq, l.sA))
	}
	return l.base + r3.Dot(d, l.normal.n)
}

// solveNormal keeps the bodies apart. pushSpeed, m/s, is the fastest at which overlap goes.
func (l *lane) solveNormal(m *motion, sep float64, soft softness, h, pushSpeed float64) {
	bias := 0.0
	if sep > 0 {
		// Not there yet: closing the gap within the substep is allowed.
		bias, soft = sep/h, softness{0, 1, 0}
	} else if bias = soft.bias * sep; bias < -pushSpeed {
		bias = -pushSpeed
	}
	j := -l.normal.mass*soft.mass*(m.speed(&l.normal)+bias) - soft.impulse*l.impulse
	next := l.impulse + j
	if next < 0 { // cheaper than max, which looks for NaN and -0
		next = 0
	}
	if next > l.peak {
		l.peak = next
	}
	if j = next - l.impulse; j != 0 {
		l.impulse = next
		m.push(&l.normal, j)
	}
}

// holds reports whether the point has an impulse: of many, which only might close, it has none.
func (l *lane) holds() bool { return l.impulse != 0 || l.f1 != 0 || l.f2 != 0 }

// solveFriction stops sliding of the surfaces as far as Coulomb's cone allows.
func (l *lane) solveFriction(m *motion, μ float64) {
	if !l.holds() {
		return
	}
	g1 := l.f1 - l.t1.mass*(m.speed(&l.t1)+l.slide1)
	g2 := l.f2 - l.t2.mass*(m.speed(&l.t2)+l.slide2)
	most := μ * l.impulse
	if g := math.Sqrt(g1*g1 + g2*g2); g > most {
		g1, g2 = g1*most/g, g2*most/g
	}
	m.pushBoth(&l.t1, g1-l.f1, &l.t2, g2-l.f2)
	l.f1, l.f2 = g1, g2
}

// twist applies the angular impulse j to b and its opposite to a.
func twist(a, b *body, j r3.Vec) {
	a.w = r3.Sub(a.w, mulVec(&a.invI, j))
	b.w = r3.Add(b.w, mulVec(&b.invI, j))
}

// solveRolling stops turning against each other as far as the load allows.
func (c *contact) solveRolling(a, b *body, lanes []lane) {
	spin := r3.Sub(b.w, a.w)
	k := r3.Dot(spin, r3.Add(mulVec(&a.invI, spin), mulVec(&b.invI, spin)))
	if k == 0 {
		return
	}
	load := 0.0
	for i := range lanes {
		load += lanes[i].impulse
	}
	next := r3.Sub(c.roll, r3.Scale(r3.Norm2(spin)/k, spin))
	if l, most := length(next), c.rolling*load; l > most {
		next = r3.Scale(most/l, next)
	}
	twist(a, b, r3.Sub(next, c.roll))
	c.roll = next
}

// bounces is how often restitution passes over all contacts, so that the points of one face
// bounce together: one pass costs a prism 6 % of the height, four less than 2 %.
const bounces = 4

// restitute gives points that closed fast, and met, their velocity back.
func (w *World) restitute() {
	for range bounces {
		for _, i := range w.active {
			c := &w.contacts[i]
			if c.restitution == 0 {
				continue
			}
			a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
			m := motionOf(a, b)
			lanes := w.lanesOf(c)
			for k := range lanes {
				l := &lanes[k]
				if l.approach > -w.def.BounceSpeed || l.peak == 0 {
					continue
				}
				next := max(l.impulse-l.normal.mass*(m.speed(&l.normal)+c.restitution*l.approach), 0)
				m.push(&l.normal, next-l.impulse)
				l.impulse, l.peak = next, max(l.peak, next)
			}
			m.store(a, b)
		}
	}
}

// keepForces stores what warm starting and the next choice of substeps need, and what touched.
func (w *World) keepForces(t *tier) {
	rate, g := 1/t.h, length(w.def.Gravity)
	for _, i := range t.contacts {
		c := &w.contacts[i]
		c.touching = false
		load := 0.0
		lanes := w.lanesOf(c)
		for k := range lanes {
			l, p := &lanes[k], &c.points[k]
			p.force, p.peak, p.approach = rate*l.impulse, l.peak, l.approach
			p.friction = r3.Scale(rate, r3.Add(r3.Scale(l.f1, l.t1.n), r3.Scale(l.f2, l.t2.n)))
			if !finite(p.force) || !finiteVec(p.friction) {
				p.force, p.peak, p.friction = 0, 0, r3.Vec{}
			}
			c.touching = c.touching || p.peak > 0
			load += p.force
		}
		if c.brake = r3.Scale(rate, c.roll); !finiteVec(c.brake) {
			c.brake = r3.Vec{}
		}
		c.strive(load, g*w.lighter(c), t.h*float64(t.substeps), w.def.Substeps)
	}
}
