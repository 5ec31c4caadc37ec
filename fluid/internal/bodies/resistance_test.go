package bodies_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A ball sinks, and a plate is towed edge on, as fast as their drag says: what the grid's own pressure resists them with is little beside it.
func TestDragHoldsBodies(t *testing.T) {
	const radius, density, towed = .1, 1100, 10
	ball := physics.Sphere(r3.Vec{}, radius)
	sinks := func(drag float64) float64 { return math.Sqrt(8. / 3 * radius * 9.81 * (density/1000. - 1) / drag) }
	for name, c := range map[string]struct {
		shape physics.Geometry
		drag  physics.Drag
		towed float64 // N, along x
		want  float64 // m/s
	}{
		"both": {ball, physics.Drag{Skin: 1, Form: 2}, 0, sinks(6)},
		"tow":  {physics.Box(physics.Centred(.4, .1, .4)), physics.Drag{Skin: 1}, towed, math.Sqrt(towed / (500 * .48))},
	} {
		t.Run(name, func(t *testing.T) {
			d := fluid.Def{Domain: testrig.Box(.8, 1.6, .8), CellSize: .05, Numerics: fluid.Numerics{Levels: 2}, Physics: fluid.Physics{Weightless: c.towed > 0}}
			w, at := testrig.Earth(), r3.Vec{X: .4, Y: 1.2, Z: .4}
			if c.towed > 0 {
				d.Domain = testrig.Box(1.2, .8, .8)
				w, at = physics.NewWorld(physics.WorldDef{}), r3.Vec{X: .4, Y: .4, Z: .4}
			}
			l := testrig.New(t, d)
			testrig.Must(t, l.Fill(fluid.Below(1.5)))
			b := testrig.Place(t, w, physics.Dynamic, at, c.shape, density)
			testrig.Must(t, b.SetLiquidDrag(c.drag))
			if c.towed > 0 {
				if err := b.SetMassProperties(physics.MassProperties{Mass: 16}); err != nil { // as heavy as its liquid
					t.Fatal(err)
				}
			}
			l.Couple(w.Coupling())
			l.TrackMomentum(true)
			for range 60 {
				if c.towed > 0 {
					testrig.Must(t, b.ApplyForce(r3.Vec{X: c.towed}, b.CentreOfMass()))
				}
				r := *l.Step(testrig.Frame)
				if lost := r3.Norm(r.Momentum.Lost()); lost > 1e-6*(1+r3.Norm(r.Momentum.Bodies)) {
					t.Fatalf("step %d: %g N·s are lost", r.Step, lost)
				}
			}
			got := -b.Velocity().Y
			if c.towed > 0 {
				got = b.Velocity().X
			}
			if !(math.Abs(got/c.want-1) < .12) {
				t.Errorf("it moves at %.3f m/s, want %.3f", got, c.want)
			}
		})
	}
}

// A spin dies too, however long the step and however great the drag; and none by default.
func TestDragOnSpin(t *testing.T) {
	spin := func(d physics.Drag) float64 {
		l, w := testrig.Tub(t), physics.NewWorld(physics.WorldDef{})
		b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .8, Y: .2, Z: .4}, physics.Sphere(r3.Vec{}, .15), 1000)
		testrig.Must(t, b.SetLiquidDrag(d))
		testrig.Must(t, b.SetAngularVelocity(r3.Vec{Y: 10}))
		l.Couple(w.Coupling())
		for range 30 {
			if r := *l.Step(.05); r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		return b.AngularVelocity().Y
	}
	none, some, most := spin(physics.Drag{}), spin(physics.Drag{Skin: 1}), spin(physics.Drag{Skin: 1e3, Form: 1e3})
	if !(none > 5 && some < .7*none && some > 0 && most < .2 && most > -.01) {
		t.Errorf("the spin is %g rad/s without drag, %g with some, %g with the most", none, some, most)
	}
}

// A thin rod spins about its own axis, of little inertia: drag slows it, however strong it is and whichever way the rod points, and
// never turns it round.
func TestDragOnThinRods(t *testing.T) {
	for _, axis := range []r3.Vec{{Y: 1}, {X: 1, Y: 1, Z: 1}, {X: 1, Y: 1}, {X: -1, Y: 2, Z: 1}} {
		for _, form := range []float64{1, 1000} {
			l, w := testrig.Tub(t), testrig.Earth()
			axis := r3.Unit(axis)
			turn := r3.Cross(r3.Vec{Y: 1}, axis)
			q := quat.Number{Real: 1 + axis.Y, Imag: turn.X, Jmag: turn.Y, Kmag: turn.Z}
			b, err := w.AddBody(physics.BodyDef{
				Kind: physics.Dynamic, Position: testrig.Vec(.8, .2, .4), Rotation: quat.Scale(1/quat.Abs(q), q),
				AngularVelocity: r3.Scale(10, axis), LiquidDrag: physics.Drag{Form: form},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.Capsule(r3.Vec{Y: -.25}, r3.Vec{Y: .25}, .05), Density: 1000}); err != nil {
				t.Fatal(err)
			}
			l.Couple(w.Coupling())
			was := 10.
			for range 10 {
				testrig.GoesOn(t, l, 1)
				spin := r3.Dot(b.AngularVelocity(), axis)
				if spin < -1e-2 || spin > was+1e-2 {
					t.Errorf("axis %v, form drag %g: the spin goes from %.3f to %.3f rad/s", axis, form, was, spin)
				}
				was = spin
			}
		}
	}
}

func TestBadDragIsRefused(t *testing.T) {
	w := testrig.Earth()
	b := testrig.Place(t, w, physics.Dynamic, r3.Vec{}, physics.Sphere(r3.Vec{}, .1), 1000)
	for _, d := range []physics.Drag{{Skin: -1}, {Form: testrig.NaN}, {Skin: testrig.Inf}, {Form: 1e9}} {
		if b.SetLiquidDrag(d) == nil {
			t.Errorf("%+v is taken", d)
		}
		if _, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, LiquidDrag: d}); err == nil {
			t.Errorf("%+v is taken in a BodyDef", d)
		}
	}
}

// A body that ignores the liquid falls through it and keeps nothing out; one of another category is another liquid's.
func TestBodiesThatIgnoreTheLiquid(t *testing.T) {
	w := testrig.Earth()
	all, lava := testrig.Tub(t), testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, BodyMask: 2})
	testrig.Must(t, lava.Fill(fluid.Below(.4)))
	cork := physics.Box(physics.Centred(.2, .15, .2))
	create := func(x float64, d physics.BodyDef) physics.Body {
		t.Helper()
		d.Kind, d.Position = physics.Dynamic, r3.Vec{X: x, Y: .5, Z: .4}
		b := testrig.AddBody(t, w, d, physics.ShapeDef{Geometry: cork, Density: 300})
		return b
	}
	ghost, usual, fiery := create(.3, physics.BodyDef{NoLiquid: true}), create(.7, physics.BodyDef{}), create(1.2, physics.BodyDef{LiquidCategory: 2})
	testrig.AddBody(t, w, physics.BodyDef{Position: r3.Vec{X: .95, Y: .4, Z: .4}, NoLiquid: true},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(.1, 2, .1)), Filter: physics.Filter{Mask: 1 << 60}})
	all.Couple(w.Coupling())
	for range 20 { // .54 m
		all.Step(testrig.Frame)
	}
	if y := .5 - ghost.Position().Y; math.Abs(y-9.81/2*400*testrig.Frame*testrig.Frame) > .02 || all.BodyLoadByID(uint64(ghost.ID())) != (fluid.BodyLoad{}) {
		t.Errorf("the ghost falls %g m with %v N", y, all.BodyLoadByID(uint64(ghost.ID())).Force)
	}
	if usual.Position().Y < .3 || all.BodyLoadByID(uint64(fiery.ID())).Force.Y <= 0 {
		t.Error("the others do not float in a liquid that takes all")
	}
	var s [1]fluid.Sample
	all.Sample(s[:], []r3.Vec{{X: .95, Y: .2, Z: .4}})
	if s[0].Medium != fluid.MediumLiquid {
		t.Errorf("in a body that ignores the liquid there is %v", s[0].Medium)
	}
	all.Couple(nil)
	lava.Couple(w.Coupling())
	y := usual.Position().Y
	for range 30 {
		lava.Step(testrig.Frame)
	}
	if lava.BodyLoadByID(uint64(usual.ID())) != (fluid.BodyLoad{}) || usual.Position().Y > y-.5 || lava.BodyLoadByID(uint64(fiery.ID())).Force.Y <= 0 {
		t.Errorf("the liquid's mask is not kept: %v N and %v N", lava.BodyLoadByID(uint64(usual.ID())).Force, lava.BodyLoadByID(uint64(fiery.ID())).Force)
	}
	testrig.Must(t, fiery.SetLiquidCategory(0))
	lava.Step(testrig.Frame)
	if lava.BodyLoadByID(uint64(fiery.ID())) != (fluid.BodyLoad{}) {
		t.Error("a body that ignores the liquid from now on is pushed")
	}
	other := testrig.Tub(t) // of another mask
	other.Couple(w.Coupling())
	if lava.CopyTo(other) == nil {
		t.Error("a liquid of another mask is copied")
	}
}

// Categories go with the world that is copied or saved.
func TestLiquidCategoriesAreState(t *testing.T) {
	w := testrig.Earth()
	for _, d := range []physics.BodyDef{{NoLiquid: true}, {}, {LiquidCategory: 6}} {
		_, err := w.AddBody(d)
		testrig.Must(t, err)
	}
	var saved bytes.Buffer
	testrig.Must(t, w.Save(&saved))
	u, v := testrig.Earth(), testrig.Earth()
	w.CopyTo(v)
	testrig.Must(t, u.Restore(&saved))
	for i, want := range []uint64{0, 1, 6} {
		if w.Coupling().LiquidCategory(i) != want || u.Coupling().LiquidCategory(i) != want || v.Coupling().LiquidCategory(i) != want {
			t.Errorf("body %d: category %d, want %d, of a copy %d, loaded %d", i, w.Coupling().LiquidCategory(i), want, v.Coupling().LiquidCategory(i), u.Coupling().LiquidCategory(i))
		}
	}
}
