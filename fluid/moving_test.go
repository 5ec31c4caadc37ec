package fluid

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
)

// speedIn is the mean velocity of the liquid within radius of a place.
func speedIn(l *Liquid, at r3.Vec, radius float64) (mean r3.Vec) {
	var pts []r3.Vec
	for i := range 125 {
		arm := r3.Scale(radius/2, r3.Vec{X: float64(i%5 - 2), Y: float64(i/5%5 - 2), Z: float64(i/25 - 2)})
		if r3.Norm(arm) < radius {
			pts = append(pts, r3.Add(at, arm))
		}
	}
	n := 0.
	got := make([]Sample, len(pts))
	l.Sample(pts, got)
	for _, s := range got {
		if s.Inside {
			mean, n = r3.Add(mean, s.Velocity), n+1
		}
	}
	return r3.Scale(1/max(1, n), mean)
}

// What is filled beside liquid that moves, and in air that some has passed through, has the velocity that is told, else none; what was there keeps its own.
func TestFilledMovesAsTold(t *testing.T) {
	for _, tracker := range []Tracker{LevelSet, Contouring, ExplicitMesh} {
		for _, told := range []r3.Vec{{}, {X: -1, Y: 2}} {
			for _, gap := range inShort([]float64{.6}, []float64{.55, .6, .63}) {
				for _, dt := range inShort([]float64{1. / 60}, []float64{1. / 30, 1. / 60, 1. / 120, 1. / 240}) {
					t.Run(fmt.Sprint(tracker, told, gap, dt), func(t *testing.T) {
						t.Parallel()
						l := mustNew(t, Def{Domain: box(2.4, .8, .8), CellSize: .1, Workers: 1, Weightless: true, Tracker: tracker, Solver: SolverDef{Undamped: true}})
						first, at := r3.Vec{X: .42, Y: .41, Z: .4}, r3.Vec{X: .9 + gap, Y: .4, Z: .4}
						must(t, l.Fill(Moving(Sphere(first, .2), r3.Vec{X: 5})))
						for range int(math.Round(.1 / dt)) {
							l.Step(dt)
						}
						if v := speedIn(l, r3.Vec{X: first.X + .5, Y: .41, Z: .4}, .1); r3.Norm(r3.Sub(v, r3.Vec{X: 5})) > .1 {
							t.Errorf("the first moves at %.3f m/s, want 5 along X", v)
						}
						must(t, l.Fill(Moving(Sphere(at, .15), told)))
						l.Step(dt)
						v, was := speedIn(l, at, .08), speedIn(l, r3.Vec{X: .95, Y: .41, Z: .4}, .05)
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
func TestLevelIsReset(t *testing.T) {
	for _, tracker := range []Tracker{LevelSet, Contouring, ExplicitMesh} {
		l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .1, Workers: 1, Tracker: tracker})
		must(t, l.Fill(Box(box(.4, .8, .8))))
		goesOn(t, l, 30)
		must(t, l.Drain(Box(l.Def().Domain)))
		must(t, l.Fill(Below(.35)))
		top := 0.
		for range 15 {
			top = max(top, goesOn(t, l, 1).MaxSpeed)
		}
		if t.Logf("%v: %.4f m/s", tracker, top); top > .1 {
			t.Errorf("tracker %v: the level that was reset moves at %.4f m/s", tracker, top)
		}
	}
}

// What an emitter without a velocity gives where another's jet has passed falls from rest, and what a control lets appear moves as the control.
func TestWhatComesHasItsOwnVelocity(t *testing.T) {
	for _, tracker := range []Tracker{LevelSet, Contouring, ExplicitMesh} {
		d := Def{Domain: box(2.4, .8, .8), CellSize: .1, Workers: 1, Weightless: true, Tracker: tracker, Solver: SolverDef{Undamped: true}}
		l := mustNew(t, d)
		must(t, l.Fill(Moving(Sphere(r3.Vec{X: .42, Y: .4, Z: .4}, .2), r3.Vec{X: 5})))
		for range 6 {
			l.Step(frame)
		}
		at := r3.Vec{X: 1.5, Y: .4, Z: .4}
		_, err := l.AddEmitter(EmitterDef{Shape: Sphere(at, .15), Rate: 800})
		must(t, err)
		l.Step(frame)
		v := speedIn(l, at, .08)
		b := mustNew(t, d)
		must(t, b.Fill(Moving(Sphere(r3.Vec{X: .42, Y: .4, Z: .4}, .2), r3.Vec{X: 5})))
		for range 6 {
			b.Step(frame)
		}
		_, err = b.Control(ControlDef{Clip: ballClip(t, .15, r3.Vec{}), Arrival: control.Appear, Strength: .5, Pose: control.Pose{Position: at, Velocity: r3.Vec{Y: 1}}})
		must(t, err)
		appeared := speedIn(b, at, .08)
		t.Logf("%v: emitted %.3f m/s, appeared %.3f", tracker, v, appeared)
		if r3.Norm(v) > .1 || r3.Norm(r3.Sub(appeared, r3.Vec{Y: 1})) > .1 {
			t.Errorf("tracker %v: emitted at %.3f m/s, appeared at %.3f", tracker, v, appeared)
		}
	}
}

func TestMovingIsChecked(t *testing.T) {
	l := mustNew(t, Def{Domain: box(.8, .8, .8), CellSize: .1, Workers: 1})
	for _, v := range []r3.Vec{{X: math.NaN()}, {Y: math.Inf(1)}, {Z: 2 * maxMotion}} {
		if err := l.Fill(Moving(Below(.4), v)); err == nil || l.Ledger().FilledL != 0 {
			t.Errorf("%v m/s: %v", v, err)
		}
	}
	must(t, l.Fill(Labelled(Moving(Below(.4), r3.Vec{X: 1}), 0)))
	if v := speedIn(l, r3.Vec{X: .4, Y: .2, Z: .4}, .05); math.Abs(v.X-1) > 1e-3 {
		t.Errorf("%v m/s with a label", v)
	}
}
