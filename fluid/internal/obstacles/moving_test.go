package obstacles_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What is filled beside liquid that moves, and in air that some has passed through, has the velocity that is told, else none; what was there keeps its own.
func TestFilledMovesAsTold(t *testing.T) {
	const of = fluid.Cubes
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		for _, told := range []r3.Vec{{}, {X: -1, Y: 2}} {
			for _, gap := range testrig.InShort([]float64{.6}, []float64{.55, .6, .63}) {
				for _, dt := range testrig.InShort([]float64{1. / 60}, []float64{1. / 30, 1. / 60, 1. / 120, 1. / 240}) {
					t.Run(fmt.Sprint(tracker, told, gap, dt), func(t *testing.T) {
						t.Parallel()
						l := testrig.New(t, fluid.Def{Domain: testrig.Box(2.4, .8, .8), CellSize: .1, Discretisation: of, Resources: fluid.Resources{Workers: 1}, Physics: fluid.Physics{Weightless: true}, Tracker: tracker, Numerics: fluid.Numerics{Undamped: true}})
						first, at := r3.Vec{X: .42, Y: .41, Z: .4}, r3.Vec{X: .9 + gap, Y: .4, Z: .4}
						testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(first, .2), r3.Vec{X: 5})))
						for range int(math.Round(.1 / dt)) {
							l.Step(dt)
						}
						if v := testrig.SpeedIn(l, r3.Vec{X: first.X + .5, Y: .41, Z: .4}, .1); r3.Norm(r3.Sub(v, r3.Vec{X: 5})) > .1 {
							t.Errorf("the first moves at %.3f m/s, want 5 along X", v)
						}
						testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(at, .15), told)))
						l.Step(dt)
						v, was := testrig.SpeedIn(l, at, .08), testrig.SpeedIn(l, r3.Vec{X: .95, Y: .41, Z: .4}, .05)
						t.Logf("%.3f, the first %.3f", v, was)
						if r3.Norm(r3.Sub(v, told)) > .1 {
							t.Errorf("what is filled moves at %.3f m/s, want %v", v, told)
						}
						if r3.Norm(r3.Sub(was, r3.Vec{X: 5})) > .1 {
							t.Errorf("what was there moves at %.3f m/s, want 5 along X", was)
						}
					})
				}
			}
		}
	}
}

// A level that is drained and filled anew is at rest, but for what falls in the step.
func TestLevelIsReset(t *testing.T) { testrig.EachDiscretisation(t, levelIsReset) }

func levelIsReset(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Discretisation: of, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
		testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.4, .8, .8))))
		testrig.GoesOn(t, l, 30)
		testrig.Must(t, l.Drain(fluid.Box(l.Def().Domain)))
		testrig.Must(t, l.Fill(fluid.Below(.35)))
		top := 0.
		for range 15 {
			top = max(top, testrig.GoesOn(t, l, 1).MaxSpeed)
		}
		if t.Logf("%v: %.4f m/s", tracker, top); top > .1 {
			t.Errorf("tracker %v: the level that was reset moves at %.4f m/s", tracker, top)
		}
	}
}

// What an emitter without a velocity gives where another's jet has passed falls from rest, and what a control lets appear moves as the control.
func TestWhatComesHasItsOwnVelocity(t *testing.T) {
	testrig.EachDiscretisation(t, whatComesHasItsOwnVelocity)
}

func whatComesHasItsOwnVelocity(t *testing.T, of fluid.Discretisation) {
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		d := fluid.Def{Domain: testrig.Box(2.4, .8, .8), CellSize: .1, Discretisation: of, Resources: fluid.Resources{Workers: 1}, Physics: fluid.Physics{Weightless: true}, Tracker: tracker, Numerics: fluid.Numerics{Undamped: true}}
		l := testrig.New(t, d)
		testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(r3.Vec{X: .42, Y: .4, Z: .4}, .2), r3.Vec{X: 5})))
		for range 6 {
			l.Step(testrig.Frame)
		}
		at := r3.Vec{X: 1.5, Y: .4, Z: .4}
		_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(at, .15), Rate: 800})
		testrig.Must(t, err)
		l.Step(testrig.Frame)
		v := testrig.SpeedIn(l, at, .08)
		b := testrig.New(t, d)
		testrig.Must(t, b.Fill(fluid.Moving(fluid.Sphere(r3.Vec{X: .42, Y: .4, Z: .4}, .2), r3.Vec{X: 5})))
		for range 6 {
			b.Step(testrig.Frame)
		}
		_, err = b.AddControl(fluid.ControlDef{Clip: testrig.BallClip(t, .15, r3.Vec{}), Arrival: control.Appear, Strength: .5, Pose: control.Pose{Position: at, Velocity: r3.Vec{Y: 1}}})
		testrig.Must(t, err)
		appeared := testrig.SpeedIn(b, at, .08)
		t.Logf("%v: emitted %.3f m/s, appeared %.3f", tracker, v, appeared)
		if r3.Norm(v) > .1 || r3.Norm(r3.Sub(appeared, r3.Vec{Y: 1})) > .1 {
			t.Errorf("tracker %v: emitted at %.3f m/s, appeared at %.3f", tracker, v, appeared)
		}
	}
}
