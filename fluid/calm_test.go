package fluid

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// Calm water costs next to nothing: it sleeps, and wakes when something falls in.
func TestCalmLiquidSleepsAndWakes(t *testing.T) {
	l := mustNew(t, Def{Domain: box(1.6, 1.2, 1.6), CellSize: .1})
	if err := l.Fill(Below(.63)); err != nil {
		t.Fatal(err)
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	l.Couple(w)
	asleep := 0
	for range 120 {
		if r := l.Step(1. / 60); r.AsleepBlocks > 0 {
			asleep++
		}
	}
	if asleep < 60 {
		t.Fatalf("slept in %d of 120 steps, want 60 or more", asleep)
	}
	b, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .8, Y: 1, Z: .8}, Velocity: r3.Vec{Y: -1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(.3, .3, .3), Density: 500}); err != nil {
		t.Fatal(err)
	}
	top := 0.
	for range 40 {
		r := l.Step(1. / 60)
		top = max(top, r.MaxSpeed)
	}
	if top < .1 {
		t.Fatalf("greatest speed %g m/s after a box fell in, want more than 0.1", top)
	}
}
