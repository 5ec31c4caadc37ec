package obstacles

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MaxSpeed is the greatest speed of an obstacle, m/s or rad/s: three times the speed of sound, far beyond what the CFL number lets a step
// follow.
const MaxSpeed = 1e3

// Motion is the pose and the velocity of an obstacle: its shape is rotated about its own origin and then translated; the origin has a
// velocity, and the shape a spin about it.
type Motion struct {
	Translation     r3.Vec      // m
	Rotation        quat.Number // of length 1
	Velocity        r3.Vec      // m/s
	AngularVelocity r3.Vec      // rad/s
}

// Normalise makes the rotation a unit quaternion, where zero means none. It returns an error for a field out of its limits.
func (m *Motion) Normalise() error {
	switch {
	case !(reproducible.Norm(m.Translation) <= shapes.MaxCoord):
		return fmt.Errorf("Translation %v m; must be finite and at most %g long", m.Translation, shapes.MaxCoord)
	case !(reproducible.Norm(m.Velocity) <= MaxSpeed):
		return fmt.Errorf("Velocity %v m/s; must be finite and at most %g long", m.Velocity, MaxSpeed)
	case !(reproducible.Norm(m.AngularVelocity) <= MaxSpeed):
		return fmt.Errorf("AngularVelocity %v rad/s; must be finite and at most %g long", m.AngularVelocity, MaxSpeed)
	}
	if m.Rotation == (quat.Number{}) {
		m.Rotation.Real = 1
	}
	n := reproducible.QuatAbs(m.Rotation)
	if !(n > 1e-150 && n < 1e150) { // squares are finite and not zero
		return fmt.Errorf("Rotation %v; must be finite and not zero", m.Rotation)
	}
	m.Rotation = reproducible.QuatScale(1/n, m.Rotation)
	return nil
}

// atRest reports whether velocity and spin are zero.
func (m *Motion) atRest() bool { return m.Velocity == (r3.Vec{}) && m.AngularVelocity == (r3.Vec{}) }

// advance moves the pose on by dt seconds.
func (m *Motion) advance(dt float64) {
	m.Translation = r3.Add(m.Translation, reproducible.Scale(dt, m.Velocity))
	m.Rotation = rigid.Turned(m.Rotation, m.AngularVelocity, dt)
}

// twist returns velocity and spin as one array.
func (m *Motion) twist() [6]float64 { return rigid.Twist(m.Velocity, m.AngularVelocity) }

// pose returns the motion as a Pose.
func (m *Motion) pose() rigid.Pose {
	return rigid.Pose{Known: true, Centre: m.Translation, Turned: m.Rotation, Twist: m.twist()}
}
