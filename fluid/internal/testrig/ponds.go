package testrig

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/physics"
)

// River is a channel in which liquid flows from one side to that across, as deep as it comes in.
func River(t testing.TB, d fluid.Def, in fluid.SideIndex, speed, level float64) *fluid.Liquid {
	t.Helper()
	sides := [6]*fluid.Side{&d.Sides.MinX, &d.Sides.MaxX, &d.Sides.MinY, &d.Sides.MaxY, &d.Sides.MinZ, &d.Sides.MaxZ}
	out := in ^ 1
	*sides[in], *sides[out] = fluid.Flow, fluid.Flow
	l := New(t, d)
	up := Around(l).Up()
	var v [3]float64
	v[in/2] = flows.Inward(int(in), speed)
	Must(t, l.Fill(fluid.HalfSpace(r3.Scale(level, up), up)))
	Must(t, l.SetVelocity(fluid.Box(d.Domain), func(r3.Vec) r3.Vec { return reproducible.Vector(v) }))
	Must(t, l.SetCurrent(in, fluid.Current{Velocity: speed, Level: level}))
	Must(t, l.SetCurrent(out, fluid.Current{Velocity: -speed}))
	return l
}

// Walled is a world with a floor at a height and walls around a square, which the liquid doesn't see.
func Walled(t *testing.T, wide, floor float64) *physics.World {
	t.Helper()
	w := Earth()
	for _, c := range []r3.Vec{{X: wide / 2, Y: floor - 2, Z: wide / 2}, {X: -2, Y: 2, Z: wide / 2}, {X: wide + 2, Y: 2, Z: wide / 2}, {X: wide / 2, Y: 2, Z: -2}, {X: wide / 2, Y: 2, Z: wide + 2}} {
		AddBody(t, w, physics.BodyDef{Kind: physics.Static, NoLiquid: true, Position: c},
			physics.ShapeDef{Geometry: physics.Box(physics.Centred(4, 4, 4))})
	}
	return w
}

// Earth is a world without bodies.
func Earth() *physics.World {
	return physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
}

// AddBody adds a body with its shapes.
func AddBody(t testing.TB, w *physics.World, d physics.BodyDef, shapes ...physics.ShapeDef) physics.Body {
	t.Helper()
	b, err := w.AddBody(d)
	Must(t, err)
	for _, s := range shapes {
		_, err := b.AddShape(s)
		Must(t, err)
	}
	return b
}

// Place adds a body of one shape.
func Place(t testing.TB, w *physics.World, kind physics.BodyKind, at r3.Vec, g physics.Geometry, density float64) physics.Body {
	t.Helper()
	return AddBody(t, w, physics.BodyDef{Kind: kind, Position: at}, physics.ShapeDef{Geometry: g, Density: density})
}

// Pond is a tank of .8 m with a depth of water, m, at x, coupled to w.
func Pond(t testing.TB, w fluid.Bodies, x, depth float64) *fluid.Liquid {
	t.Helper()
	d := Box(.8, .8, .8)
	d.Min.X, d.Max.X = x, x+.8
	l := New(t, fluid.Def{Domain: d, CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	Must(t, l.Fill(fluid.Below(depth)))
	l.Couple(w)
	return l
}
