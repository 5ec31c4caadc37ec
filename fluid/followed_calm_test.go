package fluid

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// A pool at rest stays so with a surface of its own, wherever its level is in a cell.
func TestFollowedPoolStaysAtRest(t *testing.T) {
	for _, tracker := range []Tracker{Contouring, ExplicitMesh} {
		for _, level := range []float64{.43, .4} {
			l := mustNew(t, Def{Domain: box(1.2, .8, .8), CellSize: .1, Workers: 1, Tracker: tracker, Solver: SolverDef{Undamped: true}})
			must(t, l.Fill(Below(level)))
			var r Report
			top := 0.
			for range 600 {
				r = l.Step(frame)
				sound(t, l, r)
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
	for _, tracker := range []Tracker{Contouring, ExplicitMesh} {
		l := mustNew(t, Def{Domain: box(1.2, 1, .8), CellSize: .1, Workers: 1, Tracker: tracker})
		must(t, l.Fill(Below(.43)))
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		l.Couple(w.Coupling())
		asleep := 0
		for range 120 {
			if r := l.Step(frame); r.AsleepBlocks > 0 {
				asleep++
			}
		}
		if asleep < 60 {
			t.Fatalf("tracker %d slept in %d of 120 steps, want 60 or more", tracker, asleep)
		}
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .6, Y: .8, Z: .4}, Velocity: r3.Vec{Y: -1}})
		must(t, err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .3, .3)), Density: 500})
		must(t, err)
		top := 0.
		for range 40 {
			top = max(top, l.Step(frame).MaxSpeed)
		}
		if top < .1 {
			t.Errorf("tracker %d: greatest speed %g m/s after a box fell in, want more than 0.1", tracker, top)
		}
	}
}

// A pool with a mesh that sways allocates nothing once it has met all that it meets.
func TestFollowedStepAllocatesNothing(t *testing.T) {
	skipIfChecking(t)
	if poolAllocates() {
		t.Skip("sync.Pool allocates in this build")
	}
	l := mustNew(t, Def{Domain: box(1.2, 1, .8), CellSize: .1, Workers: 1, Tracker: ExplicitMesh, Solver: SolverDef{Undamped: true}})
	must(t, l.Fill(Below(.43)))
	_, err := l.AddField(Field{Kind: VortexField, Centre: r3.Vec{X: .6, Z: .4}, Axis: r3.Vec{Y: 1}, Radius: .5, Strength: .1})
	must(t, err)
	for range 120 {
		l.Step(frame)
	}
	quiet := 0
	for range 60 {
		if mallocs(func() { l.Step(frame) }) == 0 {
			quiet++
		}
	}
	if quiet < 40 {
		t.Errorf("%d of 60 steps allocated nothing, want 40 or more", quiet)
	}
}
