package fluid_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/fluidtest"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// balls is an engine of one's own, as small as one can be: balls that fall, and meet nothing but liquid.
type balls []ball

type ball struct {
	id            uint64
	at, v, spin   r3.Vec // m, m/s, rad/s
	turned        quat.Number
	radius, mass  float64 // m, kg
	force, torque r3.Vec  // N and N·m, for the next step
}

func (b balls) Len() int { return len(b) }

func (b balls) ID(i int) uint64 { return b[i].id }

func (b balls) Kind(int) int { return engine.Dynamic }

func (b balls) Awake(int) bool { return true }

func (b balls) Wake(int) {}

func (b balls) Pose(i int) (r3.Vec, quat.Number) { return b[i].at, b[i].turned }

func (b balls) Velocity(i int) (v, w r3.Vec) { return b[i].v, b[i].spin }

func (b balls) Thickness(i int) float64 { return 2 * b[i].radius }

func (b balls) Joints() int { return 0 }

func (b balls) JointRows(int, *[6][12]float64) (int, int, int) { return 0, 0, 0 }

// PredictedVelocity is the velocity after dt of everything but liquid and contacts: of gravity.
func (b balls) PredictedVelocity(i int, dt float64) (v, w r3.Vec) {
	return r3.Add(b[i].v, reproducible.Scale(dt, gravity)), b[i].spin
}

var gravity = r3.Vec{Y: -9.81} // m/s²

func (b balls) InverseMass(i int) (float64, [3][3]float64) {
	spin := 1 / (.4 * b[i].mass * b[i].radius * b[i].radius) // 1/(kg·m²)
	return 1 / b[i].mass, [3][3]float64{{spin, 0, 0}, {0, spin, 0}, {0, 0, spin}}
}

func (b balls) Bounds(i int) r3.Box {
	r := r3.Vec{X: b[i].radius, Y: b[i].radius, Z: b[i].radius}
	return r3.Box{Min: r3.Sub(b[i].at, r), Max: r3.Add(b[i].at, r)}
}

func (b balls) Distance(i int, dst []float32, pts []r3.Vec) {
	for k, p := range pts {
		dst[k] = float32(reproducible.Norm(r3.Sub(p, b[i].at)) - b[i].radius)
	}
}

func (b balls) AddWrench(i int, force, torque r3.Vec) {
	b[i].force, b[i].torque = r3.Add(b[i].force, force), r3.Add(b[i].torque, torque)
}

// Step has the forces act evenly through the step, and turns and moves each ball by the mean of its velocities.
func (b balls) Step(dt float64) {
	for i := range b {
		m, spin := b.InverseMass(i)
		was, turning := b[i].v, b[i].spin
		v, _ := b.PredictedVelocity(i, dt)
		b[i].v = r3.Add(v, reproducible.Scale(dt*m, b[i].force))
		b[i].spin = r3.Add(turning, reproducible.Scale(dt*spin[0][0], b[i].torque))
		b[i].at = r3.Add(b[i].at, reproducible.Scale(dt/2, r3.Add(was, b[i].v)))
		b[i].turned = turn(b[i].turned, reproducible.Scale(dt/2, r3.Add(turning, b[i].spin)))
		b[i].force, b[i].torque = r3.Vec{}, r3.Vec{}
	}
}

// turn turns q by a small rotation vector, rad.
func turn(q quat.Number, by r3.Vec) quat.Number {
	q = reproducible.QuatMul(quat.Number{Real: 1, Imag: by.X / 2, Jmag: by.Y / 2, Kmag: by.Z / 2}, q)
	return reproducible.QuatScale(1/reproducible.QuatAbs(q), q)
}

func twoBalls() balls {
	level := quat.Number{Real: 1}
	return balls{
		{id: 1, at: r3.Vec{X: .3, Y: .5, Z: .5}, turned: level, radius: .15, mass: 4}, // 14 litres each
		{id: 2, at: r3.Vec{X: .7, Y: .5, Z: .5}, turned: level, radius: .15, mass: 20},
	}
}

// What an engine of one's own has to keep to, Bodies checks.
func TestBallsAreBodies(t *testing.T) { fluidtest.Bodies(t, twoBalls()) }

// A light and a heavy ball of one's own engine are let go in water.
func ExampleBodies() {
	liq, _ := tank()
	defer liq.Close()
	b := twoBalls()
	liq.Couple(b)
	for range 20 {
		liq.Step(1. / 60)
	}
	fmt.Printf("the light one rises: %v, the heavy one sinks: %v\n", b[0].at.Y > .5, b[1].at.Y < .4)
	// Output:
	// the light one rises: true, the heavy one sinks: true
}
