package main

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// movers is a world as the liquid sees it: without the first bodies, those that never move.
// The liquid has the steps and the column as obstacles and the walls as its domain's sides;
// measuring them again as bodies would cost a sixth of each step.
type movers struct {
	*physics.World
	fixed int
}

var _ fluid.Bodies = movers{}

// Len is the number of bodies that move.
func (m movers) Len() int { return m.World.Len() - m.fixed }

// ID is that of a moving body, as are all that follow.
func (m movers) ID(i int) uint64 { return m.World.ID(i + m.fixed) }

// Kind forwards to the world.
func (m movers) Kind(i int) int { return m.World.Kind(i + m.fixed) }

// Awake forwards to the world.
func (m movers) Awake(i int) bool { return m.World.Awake(i + m.fixed) }

// Wake forwards to the world.
func (m movers) Wake(i int) { m.World.Wake(i + m.fixed) }

// Pose forwards to the world.
func (m movers) Pose(i int) (r3.Vec, quat.Number) { return m.World.Pose(i + m.fixed) }

// Velocity forwards to the world.
func (m movers) Velocity(i int) (v, w r3.Vec) { return m.World.Velocity(i + m.fixed) }

// PredictedVelocity forwards to the world.
func (m movers) PredictedVelocity(i int, dt float64) (v, w r3.Vec) {
	return m.World.PredictedVelocity(i+m.fixed, dt)
}

// InverseMass forwards to the world.
func (m movers) InverseMass(i int) (float64, [3][3]float64) { return m.World.InverseMass(i + m.fixed) }

// Bounds forwards to the world.
func (m movers) Bounds(i int) r3.Box { return m.World.Bounds(i + m.fixed) }

// Thickness forwards to the world.
func (m movers) Thickness(i int) float64 { return m.World.Thickness(i + m.fixed) }

// Distance forwards to the world.
func (m movers) Distance(i int, dst []float32, pts []r3.Vec) {
	m.World.Distance(i+m.fixed, dst, pts)
}

// AddWrench forwards to the world.
func (m movers) AddWrench(i int, force, torque r3.Vec) {
	m.World.AddWrench(i+m.fixed, force, torque)
}
