package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// Gravity that one liquid of a group sets is that of the bodies and of all: floats lie alike in either pond, whichever was told.
func TestGroupHasOneGravity(t *testing.T) {
	for name, told := range map[string]int{"first": 0, "second": 1} {
		t.Run(name, func(t *testing.T) {
			w := testrig.Earth()
			ponds := [2]*fluid.Liquid{testrig.Pond(t, w.Coupling(), 0, .4), testrig.Pond(t, w.Coupling(), 10, .4)}
			one, two := pondFloat(t, w, 0), pondFloat(t, w, 10)
			for range 60 {
				ponds[0].Step(testrig.Frame)
				ponds[1].Step(testrig.Frame)
			}
			moon := r3.Vec{Y: -1.62}
			if err := ponds[told].SetGravity(r3.Vec{X: math.NaN()}); err == nil {
				t.Error("no error for a gravity that is none")
			}
			testrig.Must(t, ponds[told].SetGravity(moon))
			if a, b := ponds[0].Def().Physics.Gravity, ponds[1].Def().Physics.Gravity; a != moon || b != moon || w.Gravity() != moon {
				t.Fatalf("the ponds' gravities are %v and %v, the bodies' %v", a, b, w.Gravity())
			}
			for range 120 {
				if r, s := *ponds[0].Step(testrig.Frame), *ponds[1].Step(testrig.Frame); r.Err != nil || s.Err != nil {
					t.Fatal(r.Err, s.Err)
				}
			}
			if y := [2]float64{one.Position().Y, two.Position().Y}; math.Abs(y[0]-y[1]) > .02 || math.Abs(y[0]-.45) > .06 {
				t.Errorf("the floats are at %v m", y)
			}
			for i, l := range ponds {
				if f, want := l.BodyLoad(i).Force.Y, -moon.Y*500*.3*.2*.3; math.Abs(f-want) > .3*want {
					t.Errorf("pond %d carries its float with %g N, want %g", i, f, want)
				}
			}
		})
	}
	t.Run("a pond of its own", func(t *testing.T) {
		a, b := testrig.Pond(t, testrig.Earth().Coupling(), 0, .4), testrig.Pond(t, testrig.Earth().Coupling(), 10, .4)
		if err := a.SetGravity(r3.Vec{Y: -1}); err != nil || b.Def().Physics.Gravity.Y != -9.81 {
			t.Errorf("%v; the other's gravity is %v", err, b.Def().Physics.Gravity)
		}
	})
	t.Run("engine without gravity to set", func(t *testing.T) {
		w := testrig.Earth()
		shy := struct {
			fluid.Bodies
			engine.Sharing
		}{w.Coupling(), w.Coupling()}
		a, b := testrig.Pond(t, shy, 0, .4), testrig.Pond(t, shy, 10, .4)
		if err := b.SetGravity(r3.Vec{}); err != nil || !a.Def().Physics.Weightless || a.Def().Physics.Gravity != (r3.Vec{}) {
			t.Errorf("%v; the other's gravity is %v", err, a.Def().Physics.Gravity)
		}
	})
}

// calling is a shape whose Eval makes a call of the game.
type calling struct {
	fluid.SDF
	call func()
}

func (s *calling) Eval(dst []float32, pts []r3.Vec) {
	if s.call != nil {
		s.call()
	}
	s.SDF.Eval(dst, pts)
}

// A callback that calls a liquid of the group whose Step is under way gets a message and doesn't wait for ever: from a shape's Eval, on
// the caller's goroutine or a helper's, and from the bodies' Step.
func TestCallbackCallsAnotherOfTheGroup(t *testing.T) {
	for name, workers := range map[string]int{"one worker": 1, "two": 2} {
		t.Run(name, func(t *testing.T) {
			w := testrig.Earth()
			p := &pausing{Coupling: w.Coupling()}
			make := func(x float64, b fluid.Bodies) *fluid.Liquid {
				d := testrig.Box(.8, .8, .8)
				d.Min.X, d.Max.X = x, x+.8
				l := testrig.New(t, fluid.Def{Domain: d, CellSize: .1, Resources: fluid.Resources{Workers: workers}})
				testrig.Must(t, l.Fill(fluid.Below(.4)))
				l.Couple(b)
				return l
			}
			a, b, outside := make(0, p), make(2, p), make(4, nil)
			testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .4, Y: .45, Z: .4}, physics.Box(physics.Centred(.3, .2, .3)), 500)
			s := &calling{SDF: fluid.Sphere(r3.Vec{}, .1)}
			id, err := a.AddObstacle(s)
			if err == nil {
				err = a.MoveObstacle(id, fluid.Motion{Translation: r3.Vec{X: .4, Y: .3, Z: .4}, Velocity: r3.Vec{X: .1}})
			}
			if err != nil {
				t.Fatal(err)
			}
			testrig.GoesOn(t, a, 3)
			for call, f := range map[string]func(){
				"Step": func() { b.Step(testrig.Frame) }, "Couple": func() { outside.Couple(p) }, "SetGravity": func() { _ = b.SetGravity(r3.Vec{Y: -1}) },
				"Close": func() { b.Close() }, "Surface": func() { b.Surface() },
			} {
				s.call = f
				wantMessage(t, call+" was called", func() { a.Step(testrig.Frame) })
				s.call, p.within = nil, f
				wantMessage(t, call+" was called", func() { a.Step(testrig.Frame) })
				p.within = nil
			}
			if w.Gravity().Y != -9.81 || len(testrig.Members(a)) != 2 || len(testrig.Members(outside)) != 1 {
				t.Error("a call that panicked was made in part")
			}
			for range 3 {
				testrig.GoesOn(t, a, 1)
				testrig.GoesOn(t, b, 1)
				testrig.GoesOn(t, outside, 1)
			}
		})
	}
}

// One that a game has left to the others for long, and then steps with them again, costs no step and adds none, in either order.
func TestSteppedAgainAfterLong(t *testing.T) {
	for name, both := range map[string]func(a, b *fluid.Liquid){
		"a, b": func(a, b *fluid.Liquid) { a.Step(testrig.Frame); b.Step(testrig.Frame) },
		"b, a": func(a, b *fluid.Liquid) { b.Step(testrig.Frame); a.Step(testrig.Frame) },
	} {
		w := testrig.Earth()
		ball := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 5, Y: 100}, physics.Sphere(r3.Vec{}, .1), 500)
		a, b := testrig.Pond(t, w.Coupling(), 0, .3), testrig.Pond(t, w.Coupling(), 10, .3)
		for range 2 {
			for range 40 {
				a.Step(testrig.Frame)
			}
			for range 20 {
				both(a, b)
			}
		}
		if v := -ball.Velocity().Y; math.Abs(v-2*9.81) > 1e-6 || math.Abs(testrig.Time(a)-2) > 1e-9 || math.Abs(testrig.Time(b)-2) > 1e-9 {
			t.Errorf("%s: after 2 s the ball falls with %g m/s; the liquids' times are %g s and %g s", name, v, testrig.Time(a), testrig.Time(b))
		}
	}
}
