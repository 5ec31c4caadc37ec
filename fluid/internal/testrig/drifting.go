package testrig

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Drifting is a tank with a crate, a cork too small for the grid, and a tap whose drops fall into it.
type Drifting struct {
	L     *fluid.Liquid
	W     *physics.World
	Crate physics.Body
	Cork  physics.Body
}

// NewDrifting returns drifting liquid and bodies under a gravity.
func NewDrifting(t *testing.T, d fluid.Def, gravity r3.Vec) *Drifting {
	t.Helper()
	d.Domain, d.CellSize = Box(1.6, 1.6, 1.6), .1
	a := &Drifting{L: New(t, d), W: physics.NewWorld(physics.WorldDef{Gravity: gravity, NoSleep: true})}
	a.Crate = a.body(t, .4, 500, r3.Vec{X: .53, Y: .7, Z: .8})
	for _, inward := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}} {
		AddBody(t, a.W, physics.BodyDef{Kind: physics.Static, Position: r3.Add(r3.Vec{X: .8, Y: .8, Z: .8}, r3.Scale(-.8, inward))},
			physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, inward)})
	}
	a.Cork = a.body(t, .05, 200, r3.Vec{X: 1.1, Y: .5, Z: .8})
	a.L.Couple(a.W.Coupling())
	return a
}

func (a *Drifting) body(t *testing.T, edge, density float64, at r3.Vec) physics.Body {
	t.Helper()
	b := AddBody(t, a.W, physics.BodyDef{Kind: physics.Dynamic, Position: at},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(edge, edge, edge)), Density: density})
	return b
}

// Run steps both and returns how many drops there were.
func (a *Drifting) Run(t *testing.T, steps int) (drops int) {
	t.Helper()
	for range steps {
		if r := a.L.Step(1. / 60); r.Err != nil {
			t.Fatal(r.Err)
		}
		drops = max(drops, FV(a.L).Spray.Len())
	}
	return drops
}
