// Package rigid has the plain data on rigid bodies that the stages of a step exchange: their motion and inertia (Body), joints (Joint),
// poses (Pose) and geometry (Solid). Package bodies fills it from a game's engine (fluid.Bodies), the pressure solve works on it, and package bodies
// returns the loads; package physics is such an engine.
//
// Wrenches are a force and a torque about the centre of mass, twists a velocity of
// that centre and a spin, as arrays of six in the world's axes and SI units.
package rigid

import (
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Body is the state of a rigid body in the solve.
type Body struct {
	InverseMass    float64 // 1/kg; 0 for a kinematic body
	InverseInertia [3][3]float64
	V              [6]float64 // linear and angular velocity, m/s and rad/s
	Liquid         [6]float64 // twist of the liquid along the body before the solve
	Fall           [6]float64 // part of Liquid that gravity and fields add
	Contact        [6]float64 // in: expected change of V by contacts; out: the part of it that the joints' rows don't hold
	Impulse        [6]float64 // out: the liquid's, N·s and N·m·s about the centre of mass
	// AddedInertia is the inertia and the drag of liquid within cells that moves with the body, positive semidefinite, and
	// Drives its momentum without the body, N·s and N·m·s. What they take from the body is subtracted from Impulse.
	AddedInertia  [6][6]float64
	AddedMomentum [6]float64
	Centre        [3]float64 // of mass, m; used with Resists only

	// OthersImpulse - Follows·V is the impulse of other liquids on a body with twist V, N·s and N·m·s about the centre of mass. Follows is
	// positive semidefinite. Impulse does not include it.
	OthersImpulse [6]float64
	OthersInertia [6][6]float64

	// OtherGaps is the inertia of the gaps in liquids that were solved earlier in the substep.
	OtherGaps [6][6]float64

	// The pressure solve stores here, for the liquid between the body and the rows' centres (the gap): its inertia; its momentum before the solve together
	// with Resting; Resting, the impulse of liquid that weighs on the body without being part of the inertia; and the inverse
	// inertia of the body with that liquid.
	Gap            [6][6]float64
	GapMomentum    [6]float64
	RestingImpulse [6]float64
	InverseWithGap [6][6]float64
}

// GapMomentumAt returns the momentum of the liquid in the gaps at a twist v, N·s and N·m·s about the centre of mass. It is valid after the
// solve.
func (b *Body) GapMomentumAt(v *[6]float64) (p [6]float64) {
	for i := range p {
		p[i] = Dot(&b.Gap[i], v)
	}
	return p
}

// Dot returns the scalar product of two arrays, such as the power of a wrench and a twist.
func Dot(a, b *[6]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2]) + float64(a[3]*b[3]) + float64(a[4]*b[4]) + float64(a[5]*b[5])
}

// Twist returns a velocity, m/s, and a spin, rad/s, as a twist, or a force and a torque as a wrench.
func Twist(v, w r3.Vec) [6]float64 { return [6]float64{v.X, v.Y, v.Z, w.X, w.Y, w.Z} }

// VelocityAt returns the velocity of a rigid motion with a twist at a place, arm away from the twist's centre, m.
func VelocityAt(twist *[6]float64, arm r3.Vec) r3.Vec {
	return r3.Add(r3.Vec{X: twist[0], Y: twist[1], Z: twist[2]}, reproducible.Cross(r3.Vec{X: twist[3], Y: twist[4], Z: twist[5]}, arm))
}

// AngularMomentum returns the angular momentum of a spin, from the inverse inertia; 0 if that is singular.
func AngularMomentum(inverse *[3][3]float64, w r3.Vec) r3.Vec {
	row := func(i int) r3.Vec { return r3.Vec{X: inverse[i][0], Y: inverse[i][1], Z: inverse[i][2]} }
	a, b, c := row(0), row(1), row(2)
	bc, ca, ab := reproducible.Cross(b, c), reproducible.Cross(c, a), reproducible.Cross(a, b)
	det := reproducible.Dot(a, bc)
	if det == 0 {
		return r3.Vec{}
	}
	// The inverse is symmetric, so its columns are its rows.
	return reproducible.Scale(1/det, r3.Vec{X: reproducible.Dot(bc, w), Y: reproducible.Dot(ca, w), Z: reproducible.Dot(ab, w)})
}
