package fluid_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// survives steps a liquid that something bad is done to: it may lose detail, or a step, but it stays
// finite, and its ledger agrees with what it holds within a part of what was put in.
func survives(t *testing.T, l *fluid.Liquid, steps int, part float64) (r fluid.Report) {
	t.Helper()
	worst := 0.
	for range steps {
		r = *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		worst = max(worst, math.Abs(r.Ledger.DriftL))
	}
	if limit := part * (r.Ledger.FilledL + r.Ledger.EmittedL); worst > limit {
		t.Errorf("the ledger was off by %.3g litres, limit %.3g", worst, limit)
	}
	return r
}

func TestBodiesAsGamesHaveThem(t *testing.T) {
	for _, c := range []struct {
		name string
		ball testrig.Ball
		part float64 // of the water that the ledger may be off by while it lasts
	}{
		{"at 1e4 m/s along", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .2, Y: .3, Z: .4}, V: r3.Vec{X: 1e4}, Radius: .15, Mass: 7}, .1},
		{"at 1e4 m/s into", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .6, Z: .4}, V: r3.Vec{Y: -1e4}, Radius: .15, Mass: 7}, .1},
		{"kinematic at 1e4 m/s", testrig.Ball{Kind: engine.Kinematic, X: r3.Vec{X: .2, Y: .3, Z: .4}, V: r3.Vec{X: 1e4}, Radius: .15}, .1},
		{"spinning at 1e4 rad/s", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, W: r3.Vec{Y: 1e4}, Radius: .15, Mass: 7}, .1},
		{"NaN centre", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: testrig.NaN, Y: .3, Z: .4}, Radius: .15, Mass: 7}, .005},
		{"infinite centre", testrig.Ball{Kind: engine.Kinematic, X: r3.Vec{X: testrig.Inf, Y: .3, Z: .4}, Radius: .15, Mass: 7}, .005},
		{"NaN velocity", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, V: r3.Vec{X: testrig.NaN}, Radius: .15, Mass: 7}, .05},
		{"NaN kinematic velocity", testrig.Ball{Kind: engine.Kinematic, X: r3.Vec{X: .8, Y: .3, Z: .4}, V: r3.Vec{X: testrig.NaN}, Radius: .15, Mass: 7}, .05},
		{"infinite spin", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, W: r3.Vec{X: testrig.Inf}, Radius: .15, Mass: 7}, .05},
		{"NaN mass", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, Radius: .15, Mass: testrig.NaN}, .05},
		{"no mass", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, Radius: .15, Mass: 0}, .05},
		{"negative mass", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, Radius: .15, Mass: -7}, .05},
		{"NaN radius", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, Radius: testrig.NaN, Mass: 7}, .005},
		{"no size", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, Mass: 1e-3}, .005},
		{"larger than the domain", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: .8, Y: .3, Z: .4}, Radius: 5, Mass: 1e5}, 1},
		{"outside", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: -50, Y: .3, Z: .4}, V: r3.Vec{X: 1}, Radius: .15, Mass: 7}, .005},
		{"far outside", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: 1e300, Y: .3, Z: .4}, Radius: .15, Mass: 7}, .005},
		{"across the wall", testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{Y: .3, Z: .4}, Radius: .2, Mass: 7}, .05},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := testrig.Tub(t)
			p := testrig.NewPuppet(c.ball)
			l.Couple(p)
			survives(t, l, 8, c.part)
			// Without the body the water finds back to rest.
			l.Couple(nil)
			r := survives(t, l, 40, c.part)
			if r.Err != nil {
				t.Errorf("without the body: %s", r.Err)
			}
			if math.Abs(r.Ledger.DriftL) > .01*512 {
				t.Errorf("without the body the ledger is still off by %.3g litres", r.Ledger.DriftL)
			}
		})
	}
}

// A body of physics as fast as that package takes them.
func TestFastRigidBody(t *testing.T) {
	l := testrig.Tub(t)
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .3, Y: .3, Z: .4}, Velocity: r3.Vec{X: 1e4}, AngularVelocity: r3.Vec{Z: 1e4}},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .3, .3)), Density: 500})
	l.Couple(w.Coupling())
	survives(t, l, 20, .1)
}

func TestDrainAllThenRefill(t *testing.T) {
	l := testrig.Tub(t)
	testrig.GoesOn(t, l, 3)
	for range 2 {
		testrig.Must(t, l.Drain(fluid.Box(l.Def().Domain)))
		r := testrig.GoesOn(t, l, 3)
		// A cell's part of liquid is told in single precision.
		if r.Ledger.HeldL != 0 || math.Abs(r.Ledger.DriftL) > 1e-7*r.Ledger.FilledL || len(l.Surface().Indices) != 0 || r.MaxSpeed != 0 {
			t.Errorf("drained: %+v, %d indices of surface, %g m/s", r.Ledger, len(l.Surface().Indices), r.MaxSpeed)
		}
		testrig.Must(t, l.Fill(fluid.Below(.4)))
		if r = testrig.GoesOn(t, l, 3); math.Abs(r.Ledger.HeldL-512) > .01*512 {
			t.Errorf("refilled to 512 litres, holds %g", r.Ledger.HeldL)
		}
	}
}

// Full to the brim, with a body and a tap in it: nowhere to go, so nothing goes.
func TestFullToTheBrim(t *testing.T) {
	l := testrig.Tub(t)
	testrig.Must(t, l.Fill(fluid.Box(l.Def().Domain)))
	l.Couple(testrig.NewPuppet(cork(.8, .4, .4)))
	if _, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .4, Y: .4, Z: .4}, .15), Rate: 10, Velocity: r3.Vec{Y: -1}}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		r := *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		if r.Ledger.HeldL > 1024+.01 {
			t.Fatalf("%g litres in a tank of 1024", r.Ledger.HeldL)
		}
		if math.Abs(r.Ledger.DriftL) > .05*1024 {
			t.Fatalf("drift %g litres", r.Ledger.DriftL)
		}
	}
}

// A tap flows, or is told to be blocked, however thin its mouth is against the cells.
func TestThinEmitterFlows(t *testing.T) {
	for _, c := range []struct {
		name  string
		mouth fluid.SDF
	}{
		{"disc", fluid.Cylinder(r3.Vec{X: .8, Y: .65, Z: .4}, r3.Vec{X: .8, Y: .66, Z: .4}, .05)},
		{"drop", fluid.Sphere(r3.Vec{X: .83, Y: .61, Z: .42}, .01)},
		{"sheet", fluid.Box(r3.Box{Min: r3.Vec{X: .3, Y: .649, Z: .3}, Max: r3.Vec{X: .5, Y: .651, Z: .5}})},
		{"outside", fluid.Sphere(r3.Vec{X: 5}, .2)},
		{"in a solid", fluid.Sphere(r3.Vec{X: 1.3, Y: .7, Z: .4}, .05)},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := testrig.Tub(t)
			if _, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: 1.1, Y: .5, Z: .1}, Max: r3.Vec{X: 1.5, Y: .8, Z: .7}})); err != nil {
				t.Fatal(err)
			}
			testrig.GoesOn(t, l, 1)
			id, err := l.AddEmitter(fluid.EmitterDef{Shape: c.mouth, Rate: 5, Velocity: r3.Vec{Y: -1}})
			if err != nil {
				t.Fatal(err)
			}
			steps := testrig.InShort(300, 600)
			r := testrig.GoesOn(t, l, steps)
			blocked := slices.Contains(l.Events().Blocked, id)
			want := 5 * float64(steps) * testrig.Frame
			flowed := r.Ledger.EmittedL > want-14 && r.Ledger.EmittedL < want+1e-9 // it may still owe a drop 1.5 cells in radius
			if !flowed && !blocked {
				t.Errorf("emitted %.3g of %.3g litres, and is not blocked", r.Ledger.EmittedL, want)
			}
			if blocked && r.Ledger.EmittedL > 0 {
				t.Errorf("blocked, yet emitted %g litres", r.Ledger.EmittedL)
			}
			if (c.name == "outside" || c.name == "in a solid") != blocked {
				t.Errorf("blocked: %v", blocked)
			}
		})
	}
}

// Obstacles that leave nothing, or next to nothing, of the domain.
func TestObstacleOverAll(t *testing.T) {
	for name, s := range map[string]fluid.SDF{
		"all": fluid.Below(2), "all but a slit": fluid.Below(.79), "cut by a wall": fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .8, Y: 2, Z: 2}}),
		"thin sheet": fluid.Box(r3.Box{Min: r3.Vec{Y: .2}, Max: r3.Vec{X: 1.6, Y: .201, Z: .8}}), "none of it": fluid.Sphere(r3.Vec{X: 50}, 1),
	} {
		t.Run(name, func(t *testing.T) {
			l := testrig.Tub(t)
			testrig.GoesOn(t, l, 1)
			id, err := l.AddObstacle(s)
			if err != nil {
				t.Fatal(err)
			}
			survives(t, l, 3, 2)
			testrig.Must(t, l.MoveObstacle(id, fluid.Motion{Rotation: quat.Number{Real: 1, Imag: 1}, Velocity: r3.Vec{Y: 3}, AngularVelocity: r3.Vec{X: 5}}))
			survives(t, l, 3, 2)
			testrig.Must(t, l.RemoveObstacle(id))
			r := survives(t, l, 3, 2)
			if r.Err != nil {
				t.Error(r.Err)
			}
		})
	}
}

// A tap that its mouth throttles says so, and books what comes out of it.
func TestEmitterWithTooSmallAMouth(t *testing.T) {
	l := testrig.Tub(t)
	if _, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .8, Y: .2, Z: .4}, .1), Rate: 1e6}); err != nil {
		t.Fatal(err)
	}
	warned := false
	for range 60 {
		r := *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		warned = warned || slices.ContainsFunc(r.Warnings, func(w fluid.Warning) bool { return w.Knob == "EmitterDef.Shape" })
		if r.Ledger.HeldL > 1024+.01 || math.Abs(r.Ledger.DriftL) > .1*1024 {
			t.Fatalf("ledger %+v in a tank of 1024 litres", r.Ledger)
		}
	}
	if !warned {
		t.Error("no warning")
	}
}
