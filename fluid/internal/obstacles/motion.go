package obstacles

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MaxSpeed bounds what moves an obstacle, m/s or rad/s: three times the speed of sound, of which no step follows more than the CFL number
// allows.
const MaxSpeed = 1e3

// Motion is where an obstacle is and how it moves: its shape turned by Rotation about its own origin, then shifted by Translation, with the
// velocity of that origin and a spin.
type Motion struct {
	Translation     r3.Vec      // m
	Rotation        quat.Number // of length 1
	Velocity        r3.Vec      // m/s
	AngularVelocity r3.Vec      // rad/s
}

// Normalise makes the rotation a unit, where zero means none, or reports a field beyond its limits.
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
	if !(n > 1e-150 && n < 1e150) { // their squares are finite and not zero
		return fmt.Errorf("Rotation %v; must be finite and not zero", m.Rotation)
	}
	m.Rotation = reproducible.QuatScale(1/n, m.Rotation)
	return nil
}

// still tells whether there is neither a velocity nor a spin.
func (m *Motion) still() bool { return m.Velocity == (r3.Vec{}) && m.AngularVelocity == (r3.Vec{}) }

// advance moves on by dt seconds.
func (m *Motion) advance(dt float64) {
	m.Translation = r3.Add(m.Translation, reproducible.Scale(dt, m.Velocity))
	m.Rotation = rigid.Turned(m.Rotation, m.AngularVelocity, dt)
}

// twist is velocity and spin as one array.
func (m *Motion) twist() [6]float64 { return rigid.Twist(m.Velocity, m.AngularVelocity) }

// pose is where the motion is and how it goes on.
func (m *Motion) pose() rigid.Pose {
	return rigid.Pose{Known: true, Centre: m.Translation, Turned: m.Rotation, Twist: m.twist()}
}
