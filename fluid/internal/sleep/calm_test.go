package sleep_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// Calm water costs next to nothing: it sleeps, and wakes when something falls in.
func TestCalmLiquidSleepsAndWakes(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: .1})
	testrig.Must(t, l.Fill(fluid.Below(.63)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	l.Couple(w.Coupling())
	asleep := 0
	for range 120 {
		if r := *l.Step(1. / 60); r.AsleepBlocks > 0 {
			asleep++
		}
	}
	if asleep < 60 {
		t.Fatalf("slept in %d of 120 steps, want 60 or more", asleep)
	}
	testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .8, Y: 1, Z: .8}, Velocity: r3.Vec{Y: -1}},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .3, .3)), Density: 500})
	top := 0.
	for range 40 {
		r := *l.Step(1. / 60)
		top = max(top, r.MaxSpeed)
	}
	if top < .1 {
		t.Fatalf("greatest speed %g m/s after a box fell in, want more than 0.1", top)
	}
}

// A box afloat falls asleep and isn't kicked when the last ripples wake it; the liquid that sleeps around it still says
// what it carries.
func TestFloatingBoxFallsAsleep(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: .1, Numerics: fluid.Numerics{Levels: 1}})
	testrig.Must(t, l.Fill(fluid.Below(.63)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	b := testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .83, Y: .63, Z: .83}, LinearDamping: 2, AngularDamping: 2},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(.4, .3, .4)), Density: 500})
	l.Couple(w.Coupling())
	slept := false // the box, before
	for range 600 {
		asleep := l.Step(1./60).AsleepBlocks > 0
		if v := r3.Norm(b.Velocity()); slept && v > .04 {
			t.Fatalf("the box woke to %g m/s", v)
		}
		slept = slept || !b.Awake()
		if !asleep {
			continue
		}
		load := l.BodyLoad(0)
		if weight := b.Mass() * 9.81; math.Abs(load.Fraction-.5) > .03 || math.Abs(load.Force.Y-weight) > .05*weight {
			t.Fatalf("asleep: %+v, want half of the body under water and its weight of %g N", load, weight)
		}
		return
	}
	t.Fatal("the liquid never slept")
}

// A box of a few centimetres comes to rest too, though a step is long for its waves.
func TestSmallBoxComesToRest(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.14, .12, .14), CellSize: .01, Numerics: fluid.Numerics{Levels: 1}})
	testrig.Must(t, l.Fill(fluid.Below(.063)))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
	b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .07, Y: .058, Z: .07}, physics.Box(physics.Centred(.04, .03, .04)), 500)
	l.Couple(w.Coupling())
	late := 0.
	for n := range 480 {
		l.Step(1. / 60)
		if n >= 420 {
			late = max(late, r3.Norm(b.AngularVelocity()))
		}
	}
	t.Logf("spin after 7 s: %.3f rad/s", late)
	if late > .3 {
		t.Errorf("after 7 s the box still turns at %g rad/s", late)
	}
}

// Sleeping liquid becomes finer where a camera turns to, with a budget as without, and sleeps again. It sleeps on where a camera sees nothing that is to be finer.
func TestSleepingLiquidIsFineWhereACameraTurnsTo(t *testing.T) {
	for _, work := range []float64{0, 6, 30} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(6.4, 1.2, 1.6), CellSize: .1, Budget: fluid.Budget{Work: work}})
		testrig.Must(t, l.Fill(fluid.Below(.6)))
		steps := func(what string, view fluid.View, asleep func(steps int) bool) {
			t.Helper()
			testrig.Must(t, l.SetView(view))
			for n := range 240 {
				if l.Step(testrig.Frame).Plan == (fluid.Plan{}) { // all of it sleeps
					if !asleep(n) {
						t.Errorf("budget %g: %s: asleep after %d steps", work, what, n)
					}
					return
				}
			}
			t.Errorf("budget %g: %s: awake for 240 steps", work, what)
		}
		coarsest := func(x float64) (level int) { // at the surface
			for _, b := range l.Levels(nil) {
				if b.Box.Min.X <= x && x < b.Box.Max.X && b.Box.Min.Y < .6 {
					level = max(level, b.Level)
				}
			}
			return level
		}
		steps("calm", testrig.CloseUp(.6), func(int) bool { return true })
		if near, far := coarsest(.6), coarsest(5.6); near > 0 || far == 0 {
			t.Fatalf("budget %g: the surface has level %d in view and %d out of it", work, near, far)
		}
		steps("a little aside", testrig.CloseUp(.61), func(n int) bool { return n == 0 })
		steps("the other end", testrig.CloseUp(5.6), func(n int) bool { return n > 0 })
		if far := coarsest(5.6); far > 0 {
			t.Errorf("budget %g: the surface has level %d in the new view", work, far)
		}
		steps("the same view", testrig.CloseUp(5.6), func(n int) bool { return n == 0 })
	}
}
