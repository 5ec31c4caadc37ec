package testrig

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// MomentumBody is a body that turns and moves while its momentum is counted.
type MomentumBody struct {
	G       physics.Geometry
	Density float64
	At, V   r3.Vec
}

// Add adds the body to a world.
func (m MomentumBody) Add(t *testing.T, w *physics.World) {
	AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: m.At, Velocity: m.V, AngularVelocity: r3.Vec{X: 1, Z: 2}},
		physics.ShapeDef{Geometry: m.G, Density: m.Density})
}
