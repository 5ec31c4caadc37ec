package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// softness turns a rigid constraint into a damped spring of a given frequency that no time
// step can make unstable. Source: Catto 2011, "Soft Constraints"; Box2D v3 b2MakeSoft.
type softness struct {
	bias, mass, impulse float64 // 1/s, share of the rigid impulse, decay of the old one
}

func makeSoft(hertz, damping, h float64) softness {
	ω := 2 * math.Pi * hertz
	a := float64(2*damping) + float64(h*ω)
	b := float64(h * ω * a)
	return softness{ω / a, b / (1 + b), 1 / (1 + b)}
}

// contactSoftness is about as stiff as substeps of h seconds resolve: three twentieths of their
// rate, 36 Hz for four in a step of 1/60 s. A body sinks into another by g/ω² = 0.19 mm times the
// weight that the contact bears in weights of the lighter one. The damping ratio of 5 lets overlap
// decay without a bounce, and old impulses by a tenth in a pass, which is what calms towers:
// with 10, and contacts twice as stiff at what can't be moved, boxes under heavy ones rock for ever.
func contactSoftness(h float64) softness { return makeSoft(0.15/h, 5, h) }

// accelerate advances the velocity by h seconds of gravity, a force, a torque and damping.
func (b *body) accelerate(gravity, force, torque r3.Vec, h float64) {
	if b.invMass == 0 {
		return
	}
	a := r3.Add(reproducible.Scale(b.invMass, force), reproducible.Scale(b.gravityScale, gravity))
	b.v = reproducible.Scale(1/(1+float64(h*b.linearDamping)), r3.Add(b.v, reproducible.Scale(h, b.lock.Move.clear(a))))
	if torque != (r3.Vec{}) {
		r := rotationMatrix(b.q)
		i := b.inverseInertia(&r)
		b.w = r3.Add(b.w, reproducible.Scale(h, mulVec(&i, torque)))
	}
	b.w = reproducible.Scale(1/(1+float64(h*b.angularDamping)), b.w)
}

// turn advances the orientation by h seconds of spin and returns by what rotation. The
// spin of a body whose inertia differs between axes follows from its angular momentum L,
// which stays as it is: the midpoint rule with ω(q) = R I⁻¹ Rᵀ L. This is the gyroscopic
// torque without its instability.
func (b *body) turn(h float64) quat.Number {
	if b.w == (r3.Vec{}) {
		return identity
	}
	if !b.spins {
		by := exponential(reproducible.Scale(h, b.w))
		b.q = normalized(reproducible.QuatMul(by, b.q))
		return by
	}
	r := rotationMatrix(b.q)
	l := mulVec(&r, mulVec(&b.mass.Inertia, mulVecT(&r, b.w)))
	middle := b.spinAt(reproducible.QuatMul(exponential(reproducible.Scale(h/2, b.w)), b.q), l)
	by := exponential(reproducible.Scale(h, middle))
	b.q = normalized(reproducible.QuatMul(by, b.q))
	b.w = b.spinAt(b.q, l)
	return by
}

// spinAt is the angular velocity that has the angular momentum l at orientation q.
func (b *body) spinAt(q quat.Number, l r3.Vec) r3.Vec {
	r := rotationMatrix(q)
	return mulVec(&r, mulVec(&b.invLocal, mulVecT(&r, l)))
}

// centreFlights has bodies that nothing touched in the step move by the mean of the velocities at the ends of each substep, which
// is exact for a constant force. The velocity at the end of each, which contacts need, leads by half a substep.
func (w *World) centreFlights() {
	for k := range w.tiers {
		t := &w.tiers[k]
		for _, s := range t.bodies {
			if b := &w.bodies[s]; b.kind == Dynamic && !b.touching && len(b.joints) == 0 {
				b.x = r3.Sub(b.x, reproducible.Scale(t.h/2, r3.Sub(b.v, b.beforeV)))
			}
		}
	}
}

// move advances the pose by h seconds.
func (b *body) move(h float64) {
	d := reproducible.Scale(h, b.v)
	b.x, b.dx = r3.Add(b.x, d), r3.Add(b.dx, d)
	if by := b.turn(h); by != identity {
		b.dq = reproducible.QuatMul(by, b.dq)
		if b.spins && len(b.joints) > 0 {
			b.refresh()
		}
	}
}
