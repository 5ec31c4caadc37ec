package contour_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A pool at rest stays so with a surface of its own, wherever its level is in a cell.
func TestFollowedPoolStaysAtRest(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.Contouring, fluid.ExplicitMesh} {
		for _, level := range []float64{.43, .4}[:testrig.InShort(1, 2)] {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: tracker, Numerics: fluid.Numerics{Undamped: true}})
			testrig.Must(t, l.Fill(fluid.Below(level)))
			var r fluid.Report
			top := 0.
			for range 600 {
				r = *l.Step(testrig.Frame)
				testrig.Sound(t, l, r)
				top = max(top, r.MaxSpeed)
			}
			t.Logf("tracker %d, %g m: %.2g m/s at most, %.2g at the end", tracker, level, top, r.MaxSpeed)
			if r.MaxSpeed > 1e-3 {
				t.Errorf("tracker %d: %g m/s after 10 s at rest, want less than 0.001", tracker, r.MaxSpeed)
			}
		}
	}
}

// Calm liquid falls asleep with a surface of its own, and wakes when something falls in.
func TestFollowedPoolSleepsAndWakes(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.Contouring, fluid.ExplicitMesh} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 1, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
		testrig.Must(t, l.Fill(fluid.Below(.43)))
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		l.Couple(w.Coupling())
		asleep := 0
		for range 120 {
			if r := *l.Step(testrig.Frame); r.AsleepBlocks > 0 {
				asleep++
			}
		}
		if asleep < 60 {
			t.Fatalf("tracker %d slept in %d of 120 steps, want 60 or more", tracker, asleep)
		}
		testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .6, Y: .8, Z: .4}, Velocity: r3.Vec{Y: -1}},
			physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .3, .3)), Density: 500})
		top := 0.
		for range 40 {
			top = max(top, l.Step(testrig.Frame).MaxSpeed)
		}
		if top < .1 {
			t.Errorf("tracker %d: greatest speed %g m/s after a box fell in, want more than 0.1", tracker, top)
		}
	}
}

// A pool with a mesh that sways allocates nothing once it has met all that it meets.
func TestFollowedStepAllocatesNothing(t *testing.T) {
	testrig.SkipIfChecking(t)
	if testrig.PoolAllocates() {
		t.Skip("sync.Pool allocates in this build")
	}
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 1, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: fluid.ExplicitMesh, Numerics: fluid.Numerics{Undamped: true}})
	testrig.Must(t, l.Fill(fluid.Below(.43)))
	_, err := l.AddField(fluid.Field{Kind: fluid.VortexField, Centre: r3.Vec{X: .6, Z: .4}, Axis: r3.Vec{Y: 1}, Radius: .5, Strength: .1})
	testrig.Must(t, err)
	for range 120 {
		l.Step(testrig.Frame)
	}
	quiet := 0
	for range 60 {
		if testrig.Mallocs(func() { l.Step(testrig.Frame) }) == 0 {
			quiet++
		}
	}
	if quiet < 40 {
		t.Errorf("%d of 60 steps allocated nothing, want 40 or more", quiet)
	}
}
