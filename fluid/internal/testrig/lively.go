package testrig

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Rocking is a scene that never comes to rest and is much the same in every second: half a tank of
// water, pushed to and fro by a field and a paddle, with two bodies and a column.
func Rocking(t testing.TB, workers int) (*fluid.Liquid, *physics.World) {
	t.Helper()
	return RockingWith(t, fluid.Def{Resources: fluid.Resources{Workers: workers}})
}

// RockingWith is rocking with more of the definition.
func RockingWith(t testing.TB, d fluid.Def) (*fluid.Liquid, *physics.World) {
	t.Helper()
	d.Domain, d.CellSize, d.Physics.Viscosity, d.Budget.Work = Box(1.6, .8, .8), .05, 1e-4, 3
	l := New(t, d)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(l.Fill(fluid.Below(.4)))
	_, err := l.AddObstacle(fluid.Cylinder(r3.Vec{X: 1.2, Z: .3}, r3.Vec{X: 1.2, Y: .8, Z: .3}, .1))
	must(err)
	_, err = l.AddField(fluid.Field{Kind: fluid.VortexField, Centre: r3.Vec{X: .8, Z: .4}, Axis: r3.Vec{Y: 1}, Radius: .5, Strength: 2})
	must(err)
	_, err = l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: 1.3, Y: .6, Z: .55}, .08), Velocity: r3.Vec{Y: -1}, Rate: 4})
	must(err)
	_, err = l.AddSink(fluid.Sphere(r3.Vec{X: .1, Y: .1, Z: .4}, .1), 4)
	must(err)
	paddle, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: -.1, Y: -.1, Z: -.01}, Max: r3.Vec{X: .1, Y: .1, Z: .01}}))
	must(err)
	must(l.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: .4, Y: .35, Z: .4}, AngularVelocity: r3.Vec{Y: 4}}))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, density := range []float64{300, 600} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .7 + .3*float64(i), Y: .45, Z: .4}})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, .15, .2)), Density: density})
		must(err)
	}
	for _, side := range []struct{ normal, at r3.Vec }{
		{r3.Vec{Y: 1}, r3.Vec{}}, {r3.Vec{X: 1}, r3.Vec{}}, {r3.Vec{Z: 1}, r3.Vec{}}, {r3.Vec{X: -1}, r3.Vec{X: 1.6}}, {r3.Vec{Z: -1}, r3.Vec{Z: .8}},
	} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: side.at})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, side.normal)})
		must(err)
	}
	l.Couple(w.Coupling())
	return l, w
}

// Lively is a scene with all that acts on a liquid: a dam that breaks, two bodies of physics in a tank
// of five planes, a column, a tap, a drain, a field, and, through stirLively, a camera that moves.
func Lively(t testing.TB, workers int) (*fluid.Liquid, *physics.World) {
	t.Helper()
	return LivelyWith(t, fluid.Def{Budget: fluid.Budget{Work: 3}, Resources: fluid.Resources{Workers: workers}})
}

// LivelyWith is lively with more of the definition.
func LivelyWith(t testing.TB, d fluid.Def) (*fluid.Liquid, *physics.World) {
	t.Helper()
	d.Domain, d.CellSize, d.Physics.Viscosity = Box(1.6, .8, .8), .05, 1e-4
	l := New(t, d)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(l.Fill(fluid.Box(Box(.6, .6, .8))))
	must(l.Fill(fluid.Box(Box(1.6, .1, .8))))
	_, err := l.AddObstacle(fluid.Cylinder(r3.Vec{X: 1.2, Z: .3}, r3.Vec{X: 1.2, Y: .8, Z: .3}, .1))
	must(err)
	_, err = l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: 1.3, Y: .6, Z: .55}, .08), Velocity: r3.Vec{Y: -1}, Rate: 15})
	must(err)
	_, err = l.AddSink(fluid.Sphere(r3.Vec{X: .1, Y: .1, Z: .4}, .1), 5)
	must(err)
	_, err = l.AddField(fluid.Field{Kind: fluid.VortexField, Centre: r3.Vec{X: .8, Z: .4}, Axis: r3.Vec{Y: 1}, Radius: .5, Strength: 2})
	must(err)
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, density := range []float64{300, 700} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .7 + .3*float64(i), Y: .45, Z: .4}, AngularVelocity: r3.Vec{X: 1, Z: 2}})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, .15, .2)), Density: density})
		must(err)
	}
	for _, side := range []struct{ normal, at r3.Vec }{
		{r3.Vec{Y: 1}, r3.Vec{}}, {r3.Vec{X: 1}, r3.Vec{}}, {r3.Vec{Z: 1}, r3.Vec{}}, {r3.Vec{X: -1}, r3.Vec{X: 1.6}}, {r3.Vec{Z: -1}, r3.Vec{Z: .8}},
	} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: side.at})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, side.normal)})
		must(err)
	}
	l.Couple(w.Coupling())
	return l, w
}

// StirLively moves the camera and works the scene's knobs before step n.
func StirLively(t testing.TB, l *fluid.Liquid, n int) {
	t.Helper()
	c, s := float32(math.Cos(.02*float64(n))), float32(math.Sin(.02*float64(n)))
	view := fluid.View{
		View:       [16]float32{0: c, 2: s, 5: 1, 8: -s, 10: c, 12: -.8, 13: -.5, 14: -1.5, 15: 1},
		Projection: [16]float32{0: 1.3, 5: 1.8, 10: -1, 11: -1, 14: -.1},
		Height:     720,
	}
	Must(t, l.SetView(view))
	switch n {
	case 40:
		Must(t, l.StopEmitter(0))
	case 50:
		Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .3, Y: .6, Z: .4}, .12)))
	case 55:
		Must(t, l.Drain(fluid.Box(r3.Box{Max: r3.Vec{X: .3, Y: .2, Z: .3}})))
	}
}

// Digest is a fingerprint of all that a game reads after a step.
func Digest(l *fluid.Liquid, r fluid.Report, bodies fluid.Bodies) uint64 {
	h := fnv.New64a()
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(h, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
	}
	s := l.Surface()
	put(l.Hash(), s.Positions, s.Normals, s.Velocities, s.Foam, s.Indices, s.Droplets, s.DropletVelocities, int64(s.Free))
	put(r.Ledger, r.MaxSpeed, r.Residual, r.Time)
	for i := range r.Unknowns {
		put(int64(r.Unknowns[i]), int64(r.Cells[i]))
	}
	put(int64(r.Step), int64(r.Substeps), int64(r.Iterations), int64(r.Nonzeros), int64(r.AsleepBlocks), r.Err != nil)
	for _, stage := range r.Stages {
		put(int64(stage.Count))
	}
	for i := range bodies.Len() {
		x, turn := bodies.Pose(i)
		v, w := bodies.Velocity(i)
		put(x, turn, v, w, l.BodyLoad(i))
	}
	e := l.Events()
	fmt.Fprintln(h, r.Plan, r.Warnings, e.Blocked, e.Entered, e.Left, e.Splashes)
	return h.Sum64()
}
