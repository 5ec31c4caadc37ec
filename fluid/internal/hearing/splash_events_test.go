package hearing_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/physics"
)

// A jet that hits a dry body splashes, at the speed of the one against the other, as a body does that falls into the liquid.
func TestJetSplashesOnADryBody(t *testing.T) {
	for _, rate := range []float64{30, 60, 120} {
		for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring} {
			t.Run(fmt.Sprintf("%v/%g Hz", tracker, rate), func(t *testing.T) {
				w := testrig.Earth()
				testrig.Place(t, w, physics.Static, r3.Vec{Y: -.5}, physics.Box(physics.Centred(9, 1, 9)), 1)
				box2 := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 1.03, Y: .2, Z: .41}, physics.Box(physics.Centred(.4, .4, .4)), 800)
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
				testrig.Must(t, l.Fill(fluid.Box(r3.Box{Min: r3.Vec{X: .1, Y: .1, Z: .2}, Max: r3.Vec{X: .5, Y: .4, Z: .6}})))
				testrig.Must(t, l.SetVelocity(fluid.Box(testrig.Box(1.6, .8, .8)), func(r3.Vec) r3.Vec { return r3.Vec{X: 3} }))
				l.Couple(w.Coupling())
				var found []fluid.Splash
				for range int(rate / 2) {
					l.Step(1 / rate)
					for _, s := range l.Events().Splashes {
						if s.Body.ID == uint64(box2.ID()) {
							found = append(found, s)
						}
					}
				}
				if len(found) == 0 || found[0].Speed < 1.5 || found[0].Speed > 5 || found[0].Impulse < .05 {
					t.Fatalf("splashes %+v; want one at 3 m/s", found)
				}
			})
		}
	}
}

// A can that rolls through a film makes no splashes of nothing.
func TestRollingCanDoesNotSplash(t *testing.T) {
	w := testrig.Earth()
	testrig.Place(t, w, physics.Static, r3.Vec{Y: -.5}, physics.Box(physics.Centred(9, 1, 9)), 1)
	can := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .2, Y: .06, Z: .4}, physics.Sphere(r3.Vec{}, .06), 800)
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .4, .8), CellSize: .05, Resources: fluid.Resources{Workers: 1}})
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Min: r3.Vec{X: .4}, Max: r3.Vec{X: 1.6, Y: .02, Z: .8}})))
	l.Couple(w.Coupling())
	testrig.Must(t, can.SetVelocity(r3.Vec{X: 1}))
	testrig.Must(t, can.SetAngularVelocity(r3.Vec{Z: -1 / .06}))
	for range 60 {
		l.Step(testrig.Frame)
		for _, s := range l.Events().Splashes {
			if s.Impulse < 1e-3 {
				t.Errorf("a splash of %g N·s at %g m/s", s.Impulse, s.Speed)
			}
		}
	}
}

// A splash has what the rest of its step's substeps give the body, as the step's load does, wherever in the step they meet.
func TestSplashHasTheImpulseOfAllSubsteps(t *testing.T) {
	for _, height := range []float64{.58, .61, .64, .67} {
		t.Run(fmt.Sprint(height), func(t *testing.T) {
			w := testrig.Earth()
			ball := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .4, Y: height, Z: .4}, physics.Sphere(r3.Vec{}, .1), 800)
			testrig.Must(t, ball.SetVelocity(r3.Vec{Y: -4}))
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, 1, .8), CellSize: .05, Resources: fluid.Resources{Workers: 1}, Numerics: fluid.Numerics{MaxSubsteps: 8}})
			testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.8, .4, .8))))
			l.Couple(w.Coupling())
			for range 20 {
				r := *l.Step(1. / 30)
				for _, s := range l.Events().Splashes {
					if r.Substeps < 2 {
						t.Fatal("the step has one substep")
					}
					if want := reproducible.Norm(l.BodyLoad(s.Body.Index).Force) / 30; math.Abs(s.Impulse-want) > .1*want {
						t.Fatalf("a splash of %.4g N·s; the step's load gave the body %.4g", s.Impulse, want)
					}
					return
				}
			}
			t.Fatal("no splash")
		})
	}
}
