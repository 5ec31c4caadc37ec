package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// softness turns a rigid constraint into a damped spring of a given frequency that no time
// step can make unstable. Source: Catto 2011, "Soft Constraints"; Box2D v3 b2MakeSoft.
type softness struct {
	bias, mass, impulse float64 // 1/s, share of the rigid impulse, decay of the old one
}

func makeSoft(hertz, damping, h float64) softness {
	ω := 2 * math.Pi * hertz
	a := 2*damping + h*ω
	b := h * ω * a
	return softness{ω / a, b / (1 + b), 1 / (1 + b)}
}

// contactSoftness is that of contacts between dynamic bodies and, twice as stiff, with the
// immovable. 30 Hz is stiff for a game; a quarter of the substep rate is what substeps
// resolve. The damping ratio of 10 lets overlap decay without a bounce.
func contactSoftness(h float64) [2]softness {
	hertz := min(30, 0.25/h)
	return [2]softness{makeSoft(hertz, 10, h), makeSoft(2*hertz, 10, h)}
}

// accelerate advances the velocity by h seconds of gravity, a force, a torque and damping.
func (b *body) accelerate(gravity, force, torque r3.Vec, h float64) {
	if b.invMass == 0 {
		return
	}
	a := r3.Scale(b.invMass, force)
	if !b.noGravity {
		a = r3.Add(a, gravity)
	}
	b.v = r3.Scale(1/(1+h*b.linearDamping), r3.Add(b.v, r3.Scale(h, a)))
	if torque != (r3.Vec{}) {
		r := rotationMatrix(b.q)
		b.w = r3.Add(b.w, r3.Scale(h, mulVec(&r, mulVec(&b.invLocal, mulVecT(&r, torque)))))
	}
	b.w = r3.Scale(1/(1+h*b.angularDamping), b.w)
}

// turn advances the orientation by h seconds of spin and returns the rotation vector. The
// spin of a body whose inertia differs between axes follows from its angular momentum L,
// which stays as it is: the midpoint rule with ω(q) = R I⁻¹ Rᵀ L. This is the gyroscopic
// torque without its instability.
func (b *body) turn(h float64) r3.Vec {
	if b.w == (r3.Vec{}) {
		return r3.Vec{}
	}
	if !b.spins {
		θ := r3.Scale(h, b.w)
		b.q = turn(b.q, θ)
		return θ
	}
	r := rotationMatrix(b.q)
	l := mulVec(&r, mulVec(&b.mass.Inertia, mulVecT(&r, b.w)))
	middle := b.spinAt(turn(b.q, r3.Scale(h/2, b.w)), l)
	θ := r3.Scale(h, middle)
	b.q = turn(b.q, θ)
	b.w = b.spinAt(b.q, l)
	return θ
}

// spinAt is the angular velocity that has the angular momentum l at orientation q.
func (b *body) spinAt(q quat.Number, l r3.Vec) r3.Vec {
	r := rotationMatrix(q)
	return mulVec(&r, mulVec(&b.invLocal, mulVecT(&r, l)))
}

// move advances the pose by h seconds.
func (b *body) move(h float64) {
	d := r3.Scale(h, b.v)
	b.x, b.dx = r3.Add(b.x, d), r3.Add(b.dx, d)
	if θ := b.turn(h); θ != (r3.Vec{}) {
		b.dq = turn(b.dq, θ)
	}
}

// prepare computes what of the contacts stays the same through the substeps.
func (w *World) prepare() {
	for _, i := range w.active {
		c := &w.contacts[i]
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		for k := range c.points[:c.n] {
			p := &c.points[k]
			p.t1, p.t2 = tangents(p.normal)
			p.f1, p.f2 = r3.Dot(p.friction, p.t1), r3.Dot(p.friction, p.t2)
			p.rA, p.rB = r3.Sub(p.pos, a.x), r3.Sub(p.pos, b.x)
			p.sA, p.sB = p.rA, p.rB
			// The point of a ball nearest to the other body does not turn with it.
			if p.roundA > 0 {
				p.sA = r3.Sub(p.rA, r3.Scale(p.roundA+p.sep/2, p.normal))
			}
			if p.roundB > 0 {
				p.sB = r3.Add(p.rB, r3.Scale(p.roundB+p.sep/2, p.normal))
			}
			p.base = p.sep - r3.Dot(r3.Sub(p.sB, p.sA), p.normal)
			p.mass = effectiveMass(a, b, p, p.normal)
			p.mass1, p.mass2 = effectiveMass(a, b, p, p.t1), effectiveMass(a, b, p, p.t2)
			p.peak = 0
		}
	}
}

// relative is the velocity of b against a at the point.
func relative(a, b *body, p *point) r3.Vec {
	return r3.Sub(r3.Add(b.v, r3.Cross(b.w, p.rB)), r3.Add(a.v, r3.Cross(a.w, p.rA)))
}

// effectiveMass is what an impulse along n has to move at the point.
func effectiveMass(a, b *body, p *point, n r3.Vec) float64 {
	ca, cb := r3.Cross(p.rA, n), r3.Cross(p.rB, n)
	return 1 / (a.invMass + b.invMass + r3.Dot(ca, mulVec(&a.invI, ca)) + r3.Dot(cb, mulVec(&b.invI, cb)))
}

// push applies the impulse j at the point to b and its opposite to a.
func push(a, b *body, p *point, j r3.Vec) {
	if a.invMass != 0 {
		a.v = r3.Sub(a.v, r3.Scale(a.invMass, j))
		a.w = r3.Sub(a.w, mulVec(&a.invI, r3.Cross(p.rA, j)))
	}
	if b.invMass != 0 {
		b.v = r3.Add(b.v, r3.Scale(b.invMass, j))
		b.w = r3.Add(b.w, mulVec(&b.invI, r3.Cross(p.rB, j)))
	}
}

// measure keeps the approach of points that have not met yet as it is when they do. Taken
// at the start of the whole step, without the gravity until they meet, it would cost an
// elastic ball a twentieth of its energy at every bounce.
func (w *World) measure() {
	for _, i := range w.active {
		c := &w.contacts[i]
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		for k := range c.points[:c.n] {
			if p := &c.points[k]; p.peak == 0 {
				p.approach = r3.Dot(relative(a, b, p), p.normal)
			}
		}
	}
}

// warmStart applies the impulses that held the bodies before.
func (w *World) warmStart() {
	for _, i := range w.active {
		c := &w.contacts[i]
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		for k := range c.points[:c.n] {
			p := &c.points[k]
			push(a, b, p, r3.Add(r3.Scale(p.impulse, p.normal), r3.Add(r3.Scale(p.f1, p.t1), r3.Scale(p.f2, p.t2))))
		}
		if c.rolling > 0 {
			twist(a, b, c.roll)
		}
	}
}

// solve passes once over all contacts, by Gauss and Seidel, in substeps of h seconds. With
// bias it also removes overlap, softly; without, it relaxes the velocity that this leaves.
func (w *World) solve(h float64, bias bool) {
	for _, i := range w.active {
		c := &w.contacts[i]
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		soft := softness{0, 1, 0}
		if bias {
			soft = w.soft[0]
			if c.fixed {
				soft = w.soft[1]
			}
		}
		for k := range c.points[:c.n] {
			w.solveNormal(a, b, &c.points[k], soft, h)
		}
		if c.friction > 0 {
			for k := range c.points[:c.n] {
				solveFriction(a, b, &c.points[k], c.slide, c.friction)
			}
		}
		if c.rolling > 0 {
			c.solveRolling(a, b)
		}
	}
}

func (w *World) solveNormal(a, b *body, p *point, soft softness, h float64) {
	d := r3.Sub(r3.Add(b.dx, rotate(b.dq, p.sB)), r3.Add(a.dx, rotate(a.dq, p.sA)))
	bias := 0.0
	if sep := p.base + r3.Dot(d, p.normal); sep > 0 {
		// Not there yet: closing the gap within the substep is allowed.
		bias, soft = sep/h, softness{0, 1, 0}
	} else {
		bias = max(soft.bias*sep, -w.def.PushSpeed)
	}
	v := r3.Dot(relative(a, b, p), p.normal)
	j := -p.mass*soft.mass*(v+bias) - soft.impulse*p.impulse
	next := max(p.impulse+j, 0)
	j, p.impulse = next-p.impulse, next
	p.peak = max(p.peak, next)
	push(a, b, p, r3.Scale(j, p.normal))
}

// solveFriction stops sliding of the surfaces, which themselves move by slide, as far as
// Coulomb's cone allows.
func solveFriction(a, b *body, p *point, slide r3.Vec, μ float64) {
	v := r3.Add(relative(a, b, p), slide)
	g1, g2 := p.f1-p.mass1*r3.Dot(v, p.t1), p.f2-p.mass2*r3.Dot(v, p.t2)
	most := μ * p.impulse
	if l := math.Hypot(g1, g2); l > most {
		g1, g2 = g1*most/l, g2*most/l
	}
	j := r3.Add(r3.Scale(g1-p.f1, p.t1), r3.Scale(g2-p.f2, p.t2))
	p.f1, p.f2 = g1, g2
	push(a, b, p, j)
}

// twist applies the angular impulse j to b and its opposite to a.
func twist(a, b *body, j r3.Vec) {
	a.w = r3.Sub(a.w, mulVec(&a.invI, j))
	b.w = r3.Add(b.w, mulVec(&b.invI, j))
}

// solveRolling stops turning against each other as far as the load allows.
func (c *contact) solveRolling(a, b *body) {
	spin := r3.Sub(b.w, a.w)
	k := r3.Dot(spin, r3.Add(mulVec(&a.invI, spin), mulVec(&b.invI, spin)))
	if k == 0 {
		return
	}
	load := 0.0
	for i := range c.points[:c.n] {
		load += c.points[i].impulse
	}
	next := r3.Sub(c.roll, r3.Scale(r3.Norm2(spin)/k, spin))
	if l, most := r3.Norm(next), c.rolling*load; l > most {
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
		w.restituteOnce()
	}
}

func (w *World) restituteOnce() {
	for _, i := range w.active {
		c := &w.contacts[i]
		if c.restitution == 0 {
			continue
		}
		a, b := &w.bodies[c.bodyA], &w.bodies[c.bodyB]
		for k := range c.points[:c.n] {
			p := &c.points[k]
			if p.approach > -w.def.BounceSpeed || p.peak == 0 {
				continue
			}
			v := r3.Dot(relative(a, b, p), p.normal)
			next := max(p.impulse-p.mass*(v+c.restitution*p.approach), 0)
			j := next - p.impulse
			p.impulse, p.peak = next, max(p.peak, next)
			push(a, b, p, r3.Scale(j, p.normal))
		}
	}
}
