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

// contactSoftness is near the largest stiffness that substeps of h seconds resolve: three twentieths of their rate,
// 36 Hz for four in a step of 1/60 s. The overlap at rest is g/ω² = 0.19 mm times the load in weights of the lighter
// body. The damping ratio of 5 lets overlap decay without a bounce, and old impulses by a tenth in a pass, which calms
// towers. With a ratio of 10, and contacts twice as stiff against immovable bodies, boxes under heavy ones never come to rest.
func contactSoftness(h float64) softness { return makeSoft(0.15/h, 5, h) }

// integrateVelocity advances the velocity by h seconds of gravity, a force, N, a torque, N·m, and damping.
func (b *body) integrateVelocity(gravity, force, torque r3.Vec, h float64) {
	if b.invMass == 0 {
		return
	}
	a := r3.Add(reproducible.Scale(b.invMass, force), reproducible.Scale(b.gravityScale, gravity))
	b.v = reproducible.Scale(1/(1+float64(h*b.linearDamping)), r3.Add(b.v, reproducible.Scale(h, b.lock.Linear.clear(a))))
	if torque != (r3.Vec{}) {
		r := rotationMatrix(b.q)
		i := b.inverseInertia(&r)
		b.w = r3.Add(b.w, reproducible.Scale(h, mulVec(&i, torque)))
	}
	b.w = reproducible.Scale(1/(1+float64(h*b.angularDamping)), b.w)
}

// slowTurn, rad, is the turn in a substep up to which a body keeps its angular velocity: what the gyroscopic torque would change of it is a share of that
// size at most.
const slowTurn = 1e-5

// integrateRotation advances the orientation by h seconds and returns the rotation. The angular velocity of a body whose
// inertia differs between axes follows from its angular momentum L, which is conserved: the midpoint rule with ω(q) = R
// I⁻¹ Rᵀ L. This contains the gyroscopic torque without its instability.
func (b *body) integrateRotation(h float64) quat.Number {
	if b.w == (r3.Vec{}) {
		return identity
	}
	if !b.gyroscopic || h*h*reproducible.Norm2(b.w) < slowTurn*slowTurn {
		by := exponential(reproducible.Scale(h, b.w))
		b.q = normalized(reproducible.QuatMul(by, b.q))
		return by
	}
	r := rotationMatrix(b.q)
	l := mulVec(&r, mulVec(&b.mass.Inertia, mulVecT(&r, b.w)))
	middle := b.angularVelocityAt(reproducible.QuatMul(exponential(reproducible.Scale(h/2, b.w)), b.q), l)
	by := exponential(reproducible.Scale(h, middle))
	b.q = normalized(reproducible.QuatMul(by, b.q))
	b.w = b.angularVelocityAt(b.q, l)
	return by
}

// angularVelocityAt is the angular velocity that has the angular momentum l at orientation q.
func (b *body) angularVelocityAt(q quat.Number, l r3.Vec) r3.Vec {
	r := rotationMatrix(q)
	return mulVec(&r, mulVec(&b.invLocal, mulVecT(&r, l)))
}

// centreFreeMotion makes bodies without contacts or joints move by the mean of the velocities at the ends of each
// substep, which is exact for a constant force. Semi-implicit Euler, which contacts need, is half a substep ahead of
// that.
func (w *World) centreFreeMotion() {
	for k := range w.substepGroups {
		t := &w.substepGroups[k]
		for _, s := range t.bodies {
			if b := &w.bodies[s]; b.kind == Dynamic && !b.touching && len(b.joints) == 0 {
				b.x = r3.Sub(b.x, reproducible.Scale(t.h/2, r3.Sub(b.v, b.startV)))
			}
		}
	}
}

// integratePose advances the pose by h seconds.
func (b *body) integratePose(h float64) {
	d := reproducible.Scale(h, b.v)
	b.x, b.dx = r3.Add(b.x, d), r3.Add(b.dx, d)
	if by := b.integrateRotation(h); by != identity {
		b.dq = reproducible.QuatMul(by, b.dq)
		b.turn = rotationMatrix(b.dq)
		if b.gyroscopic && len(b.joints) > 0 {
			b.updateRotation()
		}
	}
}
