package testrig

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

type MomentumBody struct {
	G       physics.Geometry
	Density float64
	At, V   r3.Vec
}

func (m MomentumBody) Add(t *testing.T, w *physics.World) {
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: m.At, Velocity: m.V, AngularVelocity: r3.Vec{X: 1, Z: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddShape(physics.ShapeDef{Geometry: m.G, Density: m.Density}); err != nil {
		t.Fatal(err)
	}
}
