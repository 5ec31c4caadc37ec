package fluid_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// edits are calls between steps that change the state.
var edits = map[string]func(l *fluid.Liquid) error{
	"Fill":        func(l *fluid.Liquid) error { return l.Fill(fluid.Sphere(r3.Vec{X: .5, Y: .4, Z: .3}, .17)) },
	"Fill beside": func(l *fluid.Liquid) error { return l.Fill(fluid.Sphere(r3.Vec{X: .8, Y: .25, Z: .05}, .2)) },
	"Drain":       func(l *fluid.Liquid) error { return l.Drain(fluid.Sphere(r3.Vec{X: .7, Y: .2, Z: .3}, .22)) },
	"Drain all":   func(l *fluid.Liquid) error { return l.Drain(fluid.Below(2)) },
	"SetVelocity": func(l *fluid.Liquid) error {
		return l.SetVelocity(fluid.Below(1), func(x r3.Vec) r3.Vec { return r3.Vec{X: 2 * x.Y, Z: -x.X} })
	},
	"Impulse": func(l *fluid.Liquid) error { return l.Impulse(r3.Vec{X: .4, Y: .2, Z: .3}, .3, r3.Vec{X: 30, Y: 10}) },
	"Explode": func(l *fluid.Liquid) error { return l.Explode(r3.Vec{X: .4, Y: .15, Z: .3}, .3, 40) },
	"AddObstacle": func(l *fluid.Liquid) error {
		_, err := l.AddObstacle(fluid.Sphere(r3.Vec{X: .5, Y: .2, Z: .3}, .13))
		return err
	},
	"SetMaterial": func(l *fluid.Liquid) error { return l.SetMaterial(fluid.Material{Density: 900, Viscosity: .01}) },
	"SetGravity":  func(l *fluid.Liquid) error { return l.SetGravity(r3.Vec{X: 3, Y: -7}) },
	"AddEmitter": func(l *fluid.Liquid) error {
		_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .3, Y: .45, Z: .3}, .06), Rate: 3, Velocity: r3.Vec{X: 1}})
		return err
	},
}

// editSides are the sides that the scenes of edits have.
var editSides = map[string]fluid.Sides{"closed": {}, "open": {MaxX: fluid.Open}, "flow": {MaxX: fluid.Flow, MinZ: fluid.Flow}, "no floor": {MinY: fluid.Open, MaxY: fluid.Open}}

// edited is a small tank with a dam, after some steps.
func edited(t *testing.T, tracker fluid.Tracker, sides fluid.Sides, levels, steps int) *fluid.Liquid {
	t.Helper()
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.93, .6, .6), CellSize: .06, Numerics: fluid.Numerics{Levels: levels}, Sides: sides, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
	testrig.Must(t, l.Fill(fluid.Intersection(fluid.Below(.31), fluid.HalfSpace(r3.Vec{X: .61}, r3.Vec{X: 1}))))
	for range steps {
		if r := *l.Step(testrig.Frame); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	return l
}

// Copied or restored after any edit, before a step, a liquid has the same hash and goes on with the same bits.
func TestEditedStateIsCopiedWhole(t *testing.T) {
	for name, tracker := range testrig.AnyTracker {
		for side, sides := range editSides {
			for _, steps := range []int{0, 3} {
				if testing.Short() && (steps > 0 || tracker == fluid.ExplicitMesh && side != "flow" || tracker == fluid.LevelSet && side != "open" || tracker == fluid.Contouring && side != "closed" && side != "no floor") {
					continue
				}
				t.Run(fmt.Sprint(name, ", ", side, ", ", steps), func(t *testing.T) {
					base := edited(t, tracker, sides, 0, steps)
					for call, edit := range edits {
						l, copied, read := testrig.New(t, base.Def()), testrig.New(t, base.Def()), testrig.New(t, base.Def())
						testrig.Must(t, base.CopyTo(l))
						testrig.Must(t, edit(l))
						testrig.Must(t, l.CopyTo(copied))
						if call != "AddObstacle" && call != "AddEmitter" { // shapes are the game's
							testrig.Restore(t, read, testrig.Saved(t, l))
						} else {
							testrig.Must(t, l.CopyTo(read))
						}
						for n, last := 0, testrig.InShort(1, 3); ; n++ {
							if a, b, c := l.Hash(), copied.Hash(), read.Hash(); a != b || a != c {
								t.Errorf("%s: %d steps on the hash is %x, of a copy %x, of what was read %x", call, n, a, b, c)
								break
							}
							if n == last {
								break
							}
							l.Step(testrig.Frame)
							copied.Step(testrig.Frame)
							read.Step(testrig.Frame)
						}
						l.Close()
						copied.Close()
						read.Close()
					}
				})
			}
		}
	}
}

// Prewarm leaves nothing of its steps, also where what an emitter gives falls in drops, for each tracker.
func TestPrewarmTakesDropsBack(t *testing.T) {
	for name, tracker := range testrig.AnyTracker {
		for _, rate := range []float64{.05, .8, 6} {
			a := edited(t, tracker, fluid.Sides{}, 1, 1)
			_, err := a.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .5, Y: .52, Z: .3}, .04), Rate: rate})
			testrig.Must(t, err)
			for range testrig.InShort(1, 5) {
				b := testrig.New(t, a.Def())
				testrig.Must(t, a.CopyTo(b))
				was := a.Hash()
				a.Prewarm()
				if drops := len(testrig.Around(a).Flows.Drops.All); a.Hash() != was || drops != len(testrig.Around(b).Flows.Drops.All) {
					t.Errorf("%s, %g l/s: Prewarm leaves another hash and %d drops", name, rate, drops)
				}
				for range 12 {
					a.Step(testrig.Frame)
					b.Step(testrig.Frame)
				}
				if a.Hash() != b.Hash() {
					t.Errorf("%s, %g l/s: after Prewarm the steps give other bits", name, rate)
				}
				b.Close()
			}
		}
	}
}

// Calls that are refused, or that have nothing to act on, leave every bit as it is.
func TestRefusedPushesChangeNothing(t *testing.T) {
	for name, tracker := range testrig.AnyTracker {
		for side, sides := range editSides {
			l := edited(t, tracker, sides, 1, 3)
			p := testrig.NewPuppet(cork(.3, .35, .3))
			l.Couple(p)
			l.Step(testrig.Frame)
			p.Balls[0].X.X += .05 // it is elsewhere when the liquid looks again
			was := l.Hash()
			for call, refused := range map[string]func() error{
				"Impulse":    func() error { return l.Impulse(r3.Vec{X: .3, Y: .2, Z: .3}, .3, r3.Vec{X: 1e9}) },
				"Explode":    func() error { return l.Explode(r3.Vec{X: .3, Y: .2, Z: .3}, .3, -1e9) },
				"small":      func() error { return l.Explode(r3.Vec{X: .3, Y: .2, Z: .3}, 1e-3, 1e9) },
				"of nothing": func() error { return l.Impulse(r3.Vec{X: .3, Y: .2, Z: .3}, .3, r3.Vec{}) },
				"in the air": func() error { return l.Impulse(r3.Vec{X: .5, Y: .57, Z: .3}, .01, r3.Vec{X: 1}) },
				"nan":        func() error { return l.Impulse(r3.Vec{X: testrig.NaN}, .3, r3.Vec{X: 1}) },
				"half a field": func() error {
					return l.SetVelocity(fluid.Below(1), func(x r3.Vec) r3.Vec { return r3.Vec{Y: 1e4 / (.5 - x.X)} })
				},
			} {
				_ = refused()
				if l.Hash() != was {
					t.Errorf("%s, %s: %s changes the hash", name, side, call)
					was = l.Hash()
				}
			}
		}
	}
}
