package fluid_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// kept is what a step that goes wrong must leave as it was.
type kept struct {
	levels    []uint8
	phi       []float32
	ledger    fluid.Ledger
	time      float64
	balls     []testrig.Ball
	paddle    fluid.Motion
	positions []float32
	// velocities are those of the surface: none once it has been rolled back.
	velocities []float32
	far        [3]float32 // the domain's end
	droplets   float64
}

func keep(l *fluid.Liquid, p *testrig.Puppet, paddle fluid.ObstacleID) kept {
	k := kept{levels: slices.Clone(testrig.Blocks(l).Grid.Cur.Level), ledger: l.Ledger(), time: testrig.Time(l), balls: slices.Clone(p.Balls), paddle: fluid.Motion(testrig.Around(l).Obstacles.All[paddle].Motion)}
	for b, first := range testrig.Blocks(l).Grid.Cur.First {
		k.phi = append(k.phi, testrig.Blocks(l).Set.Phi[first:first+1<<(3*testrig.Blocks(l).Grid.Cur.Level[b])]...)
	}
	k.positions, k.velocities = slices.Clone(l.Surface().Positions), slices.Clone(l.Surface().Velocities)
	if l.Def().Tracker == fluid.ExplicitMesh { // what is shown is not just moved half a step on: triangles keep from passing through each other
		k.positions = slices.Clone(testrig.FV(l).Tracker.ExtrapolateMesh(0).Positions)
		k.velocities = make([]float32, len(k.positions))
	}
	for a, x := range reproducible.Array(l.Def().Domain.Max) {
		k.far[a] = float32(x)
	}
	k.droplets = testrig.FV(l).Spray.Volume
	return k
}

// sloshing is a tub with all that a step changes: a body, a paddle, a tap, an open side, a field.
func sloshing(t *testing.T) (*fluid.Liquid, *testrig.Puppet, fluid.ObstacleID) {
	return sloshingWith(t, fluid.LevelSet)
}

// sloshingWith is sloshing with a tracker.
func sloshingWith(t *testing.T, tracker fluid.Tracker) (*fluid.Liquid, *testrig.Puppet, fluid.ObstacleID) {
	t.Helper()
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Sides: fluid.Sides{MaxX: fluid.Open}, Tracker: tracker, WhiteWater: 1000})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.8, .6, .8))))
	if _, err := l.AddField(fluid.Field{Axis: r3.Vec{X: 1}, Strength: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .4, Y: .4, Z: .4}, .15), Rate: 20}); err != nil {
		t.Fatal(err)
	}
	paddle, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: -.1, Y: -.1, Z: -.1}, Max: r3.Vec{X: .1, Y: .1, Z: .1}}))
	if err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: 1, Y: .3, Z: .4}, Velocity: r3.Vec{Y: .1}, AngularVelocity: r3.Vec{Z: 1}}))
	p := testrig.NewPuppet(cork(.3, .7, .4))
	l.Couple(p)
	return l, p, paddle
}

// A step that goes wrong changes nothing but the velocity, which is none, says so, and the next go on.
func TestRollBack(t *testing.T) {
	for name, poison := range map[string]func(l *fluid.Liquid) (undo func()){
		"velocity": func(l *fluid.Liquid) func() {
			for b, first := range testrig.Blocks(l).Grid.Cur.First {
				if testrig.Blocks(l).Survey.IsWet(int32(b)) {
					testrig.Blocks(l).Faces[1][first] = float32(testrig.NaN)
				}
			}
			testrig.Blocks(l).Vel.Gather(testrig.Pool(l), &testrig.Blocks(l).Faces)
			return func() {}
		},
		"field": func(l *fluid.Liquid) func() {
			setStrength(l, testrig.NaN)
			return func() { setStrength(l, 1) }
		},
		"density": func(l *fluid.Liquid) func() {
			testrig.Around(l).Material.Density = testrig.NaN
			return func() { testrig.Around(l).Material.Density = 1000 }
		},
		"body": func(l *fluid.Liquid) func() {
			p := l.Coupled().(*testrig.Puppet)
			v := p.Balls[0].V
			p.Spoil = func(p *testrig.Puppet) { p.Balls[0].V.X = testrig.Inf }
			l.Step(testrig.Frame)
			p.Balls[0].V, p.Spoil = v, nil
			return func() {}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, p, paddle := sloshing(t)
			for range 25 { // long enough for liquid to leave through the open side
				if r := *l.Step(testrig.Frame); r.Err != nil {
					t.Fatal(r.Err)
				}
			}
			was, steps := keep(l, p, paddle), testrig.Steps(l)
			undo := poison(l)
			r := *l.Step(testrig.Frame)
			undo()
			testrig.Sound(t, l, r)
			if name == "body" { // tamed: no reason to stop
				if r.Err != nil || len(r.Warnings) == 0 {
					t.Errorf("rolled back: %q, warnings %v", r.Err, r.Warnings)
				}
				return
			}
			if r.Err == nil || !strings.Contains(r.Err.Error(), "fluid: step rolled back: ") || r.Step != steps+1 {
				t.Errorf("the report of step %d says %v, %q", r.Step, r.Err != nil, r.Err)
			}
			if r.MaxSpeed != 0 {
				t.Errorf("the liquid rolled back moves at %g m/s", r.MaxSpeed)
			}
			same(t, was, keep(l, p, paddle))
			for range 10 {
				r := *l.Step(testrig.Frame)
				testrig.Sound(t, l, r)
				if r.Err != nil {
					t.Fatalf("step %d after it: %s", r.Step, r.Err)
				}
			}
			if off := l.Ledger().DriftL; math.Abs(off) > .01*was.ledger.HeldL {
				t.Errorf("ten steps on the ledger is off by %g litres", off)
			}
		})
	}
}

// A surface of its own is what it was, too, when a step has gone wrong.
func TestRollBackOfOwnSurfaces(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.Contouring, fluid.ExplicitMesh} {
		l, p, paddle := sloshingWith(t, tracker)
		for range 25 {
			if r := *l.Step(testrig.Frame); r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		was := keep(l, p, paddle)
		testrig.Around(l).Material.Density = testrig.NaN
		r := *l.Step(testrig.Frame)
		testrig.Around(l).Material.Density = 1000
		if r.Err == nil {
			t.Fatal("the step has not gone wrong")
		}
		same(t, was, keep(l, p, paddle))
		for range 5 {
			r := *l.Step(testrig.Frame)
			testrig.Sound(t, l, r)
			if r.Err != nil {
				t.Fatalf("step %d after it: %s", r.Step, r.Err)
			}
		}
	}
}

func same(t *testing.T, was, is kept) {
	t.Helper()
	if !slices.Equal(was.levels, is.levels) {
		t.Error("the blocks' levels differ")
	} else if !slices.Equal(was.phi, is.phi) {
		t.Error("the level set differs")
	}
	// At rest what is kept is what is shown: half a step back, but for the explicit mesh.
	if n := len(was.positions); n != len(is.positions) {
		t.Errorf("the surface differs: it has %d numbers, had %d", len(is.positions), n)
	}
	for i, x := range is.positions {
		at := was.positions[i] - float32(testrig.Frame/2*was.velocities[i])
		if inside := was.positions[i] > 0 && was.positions[i] < was.far[i%3]; inside && math.Abs(float64(x-at)) > 1e-6 {
			t.Errorf("number %d of the surface is %g, was %g", i, x, at)
			break
		}
	}
	if was.ledger != is.ledger {
		t.Errorf("the ledger was %+v, is %+v", was.ledger, is.ledger)
	}
	if was.time != is.time || was.droplets != is.droplets {
		t.Errorf("time %v s and %v m³ of droplets, were %v and %v", is.time, is.droplets, was.time, was.droplets)
	}
	if was.paddle != is.paddle {
		t.Errorf("the paddle was at %+v, is at %+v", was.paddle, is.paddle)
	}
	for i := range was.balls {
		if was.balls[i].X != is.balls[i].X || was.balls[i].V != is.balls[i].V {
			t.Errorf("body %d was at %v, is at %v", i, was.balls[i].X, is.balls[i].X)
		}
	}
}

// Bad steps one after another, as a game that steps on whatever the report says would make them: the first is rolled back, and the others go on without
// what is bad.
func TestRollBackAgainAndAgain(t *testing.T) {
	l, p, paddle := sloshing(t)
	testrig.GoesOn(t, l, 10)
	was := keep(l, p, paddle)
	for n := range 5 {
		setStrength(l, testrig.NaN)
		r := *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		if r.Err != nil != (n == 0) {
			t.Fatalf("step %d: rolled back: %v", n, r.Err != nil)
		}
		if n == 0 {
			same(t, was, keep(l, p, paddle))
		}
	}
	if off := testrig.Time(l) - was.time; math.Abs(off-4*testrig.Frame) > 1e-12 {
		t.Errorf("%g s have passed", off)
	}
	setStrength(l, 1)
	testrig.GoesOn(t, l, 10)
}

// The reason names what went wrong, how far, and where.
func TestRollBackReason(t *testing.T) {
	for name, scene := range map[string]struct {
		poison func(l *fluid.Liquid)
		want   []string
	}{
		"field": {func(l *fluid.Liquid) { setStrength(l, testrig.NaN) }, []string{"not finite", "residual", "cells that hang together", " m"}},
		"face": {func(l *fluid.Liquid) {
			for b, first := range testrig.Blocks(l).Grid.Cur.First {
				if testrig.Blocks(l).Survey.IsWet(int32(b)) {
					testrig.Blocks(l).Faces[1][first] = float32(testrig.NaN)
				}
			}
			testrig.Blocks(l).Vel.Gather(testrig.Pool(l), &testrig.Blocks(l).Faces)
		}, []string{"not finite", " m"}},
	} {
		t.Run(name, func(t *testing.T) {
			l, _, _ := sloshing(t)
			testrig.GoesOn(t, l, 2)
			scene.poison(l)
			r := *l.Step(testrig.Frame)
			if r.Err == nil {
				t.Fatal("not rolled back")
			}
			for _, w := range scene.want {
				if !strings.Contains(r.Err.Error(), w) {
					t.Errorf("%q does not say %q", r.Err, w)
				}
			}
		})
	}
}

// setStrength changes a liquid's first field behind its back.
func setStrength(l *fluid.Liquid, strength float64) {
	testrig.Around(l).Fields.All[0].Strength = strength
	fluid.UpdateGravity(l)
}
