// Package rigid is what the stages of a step know of rigid bodies: how they move and what resists that (Body), what holds them (Joint),
// where they are (Pose), and what of space they take (Solid). Wrenches are a force and a torque about the centre of mass, twists a velocity of
// that and a spin, as arrays of six in the world's axes and SI units.
package rigid

import (
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Body is a rigid body as the solve needs it.
type Body struct {
	InverseMass    float64 // 1/kg; 0: moves as it is told
	InverseInertia [3][3]float64
	V              [6]float64 // linear and angular velocity, m/s and rad/s
	Liquid         [6]float64 // what the liquid along the body moves with before the solve, likewise
	Fall           [6]float64 // what of that gravity and fields add
	Contact        [6]float64 // what contacts are expected to add to V; out: what of it rows don't hold
	Impulse        [6]float64 // out: the liquid's, N·s and N·m·s about the centre of mass
	// Resists is what has to move with the body within cells, and what brakes it there: an inertia, at least 0 along any motion, and
	// Drives what it would have without the body, N·s and N·m·s. What this takes from the body is taken off Impulse.
	Resists [6][6]float64
	Drives  [6]float64
	Centre  [3]float64 // of mass, m; of use with Resists only

	// Given - Follows·V is the impulse of other liquids on a body that moves with V, N·s and N·m·s about the centre of mass. Follows is an
	// inertia, at least 0 along any motion. It is no part of Impulse.
	Given   [6]float64
	Follows [6][6]float64

	// OtherGaps is the inertia of the gaps in liquids that were solved for before in the substep.
	OtherGaps [6][6]float64

	// What the pressure solve keeps of the liquid between the body and the rows' centres: its inertia, its momentum before the solve together
	// with Resting, the impulse of liquid that weighs on the body and has no part in the inertia, and the inverse of the
	// inertia of the body with that liquid.
	Gap     [6][6]float64
	Carried [6]float64
	Resting [6]float64
	Inverse [6][6]float64
}

// Carries is the momentum that the liquid in the gaps has if it moves as v, N·s and N·m·s about the centre of mass. It is known when the body has
// been solved for.
func (b *Body) Carries(v *[6]float64) (p [6]float64) {
	for i := range p {
		p[i] = Dot(&b.Gap[i], v)
	}
	return p
}

// Dot is the sum of the products of two arrays' numbers: the power of a wrench along a twist.
func Dot(a, b *[6]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2]) + float64(a[3]*b[3]) + float64(a[4]*b[4]) + float64(a[5]*b[5])
}

// Twist is a velocity, m/s, and a spin, rad/s, or a force and a torque, as one array.
func Twist(v, w r3.Vec) [6]float64 { return [6]float64{v.X, v.Y, v.Z, w.X, w.Y, w.Z} }

// VelocityAt is the velocity of what moves with a twist at a place, by the way there from the twist's centre, m.
func VelocityAt(twist *[6]float64, arm r3.Vec) r3.Vec {
	return r3.Add(r3.Vec{X: twist[0], Y: twist[1], Z: twist[2]}, reproducible.Cross(r3.Vec{X: twist[3], Y: twist[4], Z: twist[5]}, arm))
}

// AngularMomentum is the angular momentum of a spin, from the inverse inertia; 0 about axes that can't turn.
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
