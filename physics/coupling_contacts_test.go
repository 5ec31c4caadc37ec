package physics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// pressing is what EachContact tells.
type pressing struct {
	a, b            int
	at, normal      r3.Vec
	force, friction float64
}

func pressings(w *World) (all []pressing) {
	w.Coupling().EachContact(func(a, b int, at, normal r3.Vec, force, friction float64) {
		all = append(all, pressing{a, b, at, normal, force, friction})
	})
	return all
}

// A crate on the floor presses on it at its corners by its weight, and friction holds it there; one that slides or leaves is
// not held, and one that sleeps needs not be.
func TestEachContact(t *testing.T) {
	const dt = 1. / 60
	w := NewWorld(WorldDef{Gravity: r3.Vec{Y: -9.81}})
	floor, err := w.AddBody(BodyDef{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := floor.AddShape(ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), Material: Material{Friction: .25}}); err != nil {
		t.Fatal(err)
	}
	crate, err := w.AddBody(BodyDef{Kind: Dynamic, Position: r3.Vec{X: 3, Y: .5}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := crate.AddShape(ShapeDef{Geometry: Box(Centred(1, 1, 1)), Material: Material{Friction: .25}}); err != nil {
		t.Fatal(err)
	}
	if all := pressings(w); len(all) > 0 {
		t.Errorf("before the first step: %v", all)
	}
	for range 10 {
		w.Step(dt)
	}
	all, sum := pressings(w), 0.
	for _, p := range all {
		sum += p.force
		if p.a != floor.Index() || p.b != crate.Index() || p.friction != .25 || p.normal.Y < .999 || math.Abs(p.at.Y) > 1e-3 {
			t.Errorf("%+v", p)
		}
	}
	if weight := 9810.; len(all) != 4 || math.Abs(sum-weight) > .01*weight {
		t.Errorf("%d points take %g N, want 4 and %g", len(all), sum, weight)
	}
	if n := testing.AllocsPerRun(10, func() { w.Coupling().EachContact(func(int, int, r3.Vec, r3.Vec, float64, float64) {}) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
	if err := crate.SetVelocity(r3.Vec{X: 2}); err != nil {
		t.Fatal(err)
	}
	w.Step(dt)
	for _, p := range pressings(w) {
		if p.friction != 0 {
			t.Errorf("sliding: %+v", p)
		}
	}
	if err := crate.SetVelocity(r3.Vec{Y: 1}); err != nil {
		t.Fatal(err)
	}
	if all := pressings(w); len(all) > 0 {
		t.Errorf("leaving: %+v", all)
	}
	for range 300 {
		w.Step(dt)
	}
	if all := pressings(w); crate.Awake() || len(all) > 0 {
		t.Errorf("awake: %v, %+v", crate.Awake(), all)
	}
}

// A contact is where its bodies are by now: under a ball that rolls or slides on, and under the corners of a box that does.
func TestEachContactIsWhereBodiesAreNow(t *testing.T) {
	for name, g := range map[string]Geometry{"ball": Sphere(r3.Vec{}, .2), "box": Box(Centred(.4, .4, .4))} {
		for _, turned := range []bool{false, true} { // which body comes first
			w := NewWorld(WorldDef{Gravity: r3.Vec{Y: -9.81}})
			var b Body
			ground := func() {
				add(w, BodyDef{Kind: Static, Position: r3.Vec{Y: -.5}}, ShapeDef{Geometry: Box(Centred(99, 1, 99))})
			}
			if !turned {
				ground()
			}
			b = add(w, BodyDef{Kind: Dynamic, Position: r3.Vec{Y: .2}, Velocity: r3.Vec{X: 3, Z: 1}}, ShapeDef{Geometry: g, Density: 500})
			if turned {
				ground()
			}
			seen := 0
			for range 20 {
				w.Step(1. / 60)
				w.Coupling().EachContact(func(_, _ int, at, _ r3.Vec, _, _ float64) {
					seen++
					want, arm := 0., r3.Sub(at, b.CentreOfMass())
					if name == "box" {
						want = .2
					}
					if math.Abs(math.Abs(arm.X)-want) > 2e-3 || math.Abs(math.Abs(arm.Z)-want) > 2e-3 {
						t.Errorf("%s: a contact is %v beside its centre", name, arm)
					}
				})
			}
			if seen == 0 {
				t.Errorf("%s: no contacts", name)
			}
		}
	}
}
