package fluid

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
	"github.com/meniscus3d/meniscus/physics"
)

// rocking is a scene that never comes to rest and is much the same in every second: half a tank of
// water, pushed to and fro by a field and a paddle, with two bodies and a column.
func rocking(t testing.TB, workers int) (*Liquid, *physics.World) {
	t.Helper()
	return rockingWith(t, workers, 0)
}

// rockingWith is rocking with so many particles of white water at most.
func rockingWith(t testing.TB, workers, particles int) (*Liquid, *physics.World) {
	t.Helper()
	l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .05, Viscosity: 1e-4, Budget: Budget{Work: 3}, Workers: workers, WhiteWater: particles})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(l.Fill(Below(.4)))
	_, err := l.AddObstacle(Cylinder(r3.Vec{X: 1.2, Z: .3}, r3.Vec{X: 1.2, Y: .8, Z: .3}, .1))
	must(err)
	_, err = l.AddField(Field{Kind: VortexField, Centre: r3.Vec{X: .8, Z: .4}, Axis: r3.Vec{Y: 1}, Radius: .5, Strength: 2})
	must(err)
	_, err = l.AddEmitter(EmitterDef{Shape: Sphere(r3.Vec{X: 1.3, Y: .6, Z: .55}, .08), Velocity: r3.Vec{Y: -1}, Rate: 4})
	must(err)
	_, err = l.AddSink(Sphere(r3.Vec{X: .1, Y: .1, Z: .4}, .1), 4)
	must(err)
	paddle, err := l.AddObstacle(Box(r3.Box{Min: r3.Vec{X: -.1, Y: -.1, Z: -.01}, Max: r3.Vec{X: .1, Y: .1, Z: .01}}))
	must(err)
	must(l.MoveObstacle(paddle, Motion{Translation: r3.Vec{X: .4, Y: .35, Z: .4}, AngularVelocity: r3.Vec{Y: 4}}))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, density := range []float64{300, 600} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .7 + .3*float64(i), Y: .45, Z: .4}})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, .15, .2)), Density: density})
		must(err)
	}
	for _, side := range []struct{ normal, at r3.Vec }{
		{r3.Vec{Y: 1}, r3.Vec{}}, {r3.Vec{X: 1}, r3.Vec{}}, {r3.Vec{Z: 1}, r3.Vec{}}, {r3.Vec{X: -1}, r3.Vec{X: 1.6}}, {r3.Vec{Z: -1}, r3.Vec{Z: .8}},
	} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: side.at})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, side.normal)})
		must(err)
	}
	l.Couple(w.Coupling())
	return l, w
}

// steeredRocking is rocking with a ball that the liquid follows wholly and one that it follows by half, both refilled from the tank.
func steeredRocking(t testing.TB, workers int) (*Liquid, *physics.World) {
	t.Helper()
	l, w := rocking(t, workers)
	steer(t, l, [2]float64{1, .5})
	return l, w
}

// whiteRocking is rocking with white water.
func whiteRocking(t testing.TB, workers int) (*Liquid, *physics.World) {
	t.Helper()
	l, w := rockingWith(t, workers, 2000)
	makeWhite(l)
	return l, w
}

// makeWhite has white water come at a fifth of the speeds that water needs.
func makeWhite(l *Liquid) {
	t := &l.sim.whiteWater.Tuning
	t.Speed, t.Entrained, t.Torn, t.Unbroken = whitewater.Range{From: .2, To: .8}, whitewater.Range{From: .16, To: .64}, whitewater.Range{From: .8, To: 4}, .5
}

// A step allocates for what is larger than ever before, a wave, a piece of liquid more, a block that a body has not met, and for nothing else:
// the same steps taken again allocate nothing, not one of them. What several workers do is recorded meanwhile. Which worker meets
// what, and on which processor a pool of scratch is asked, is left to chance, so that it may take a few rounds until each has met all.
func TestStepAllocatesNothing(t *testing.T) {
	skipIfChecking(t)
	if poolAllocates() {
		t.Skip("sync.Pool allocates in this build")
	}
	// A collection between two steps would empty the pools of scratch, which the next then fills anew.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const warm, steps = 120, 30
	type scene struct {
		name    string
		workers int
		of      func(t testing.TB, workers int) (*Liquid, *physics.World)
	}
	scenes := []scene{
		{"rocking", 2, rocking}, {"steered", 1, steeredRocking}, {"white", 2, whiteRocking}, {"rocking", 1, rocking}, {"steered", 2, steeredRocking},
		{"white", 1, whiteRocking},
	}
	for _, scene := range scenes[:inShort(3, 6)] {
		workers := scene.workers
		l, w := scene.of(t, workers)
		if err := l.Profile(Profiling{WorkerSpans: 1024 * (workers - 1), Labels: context.Background()}); err != nil {
			t.Fatal(err)
		}
		for range warm {
			sound(t, l, l.Step(frame))
		}
		if n := len(l.Surface().WhiteWater.Kind); l.Def().WhiteWater > 0 && n < 50 {
			t.Errorf("%s: %d particles of white water", scene.name, n)
		}
		start, world := mustNew(t, l.Def()), physics.NewWorld(physics.WorldDef{})
		w.CopyTo(world)
		start.Couple(world.Coupling())
		if err := l.CopyTo(start); err != nil {
			t.Fatal(err)
		}
		const rounds = 8
		var seen [steps]uint64
		quiet := 0 // of the first round, which is new
		for round := range rounds + 1 {
			world.CopyTo(w)
			if err := start.CopyTo(l); err != nil {
				t.Fatal(err)
			}
			for n := range seen {
				var r Report
				seen[n] = mallocs(func() { r = l.Step(frame) })
				if r.AsleepBlocks > 0 || r.RolledBack {
					t.Fatalf("step %d: asleep in %d blocks, %s", r.Step, r.AsleepBlocks, r.Reason)
				}
				if len(r.Warnings) > 0 {
					seen[n] = 0 // its words
				}
			}
			if round == 0 {
				for _, n := range seen {
					if n == 0 {
						quiet++
					}
				}
			}
			if round > 0 && seen == [steps]uint64{} {
				break
			}
		}
		if seen != [steps]uint64{} {
			t.Errorf("%s, %d workers: steps taken again allocate: %d", scene.name, workers, seen)
		}
		if quiet < steps/2 {
			t.Errorf("%s, %d workers: %d of %d new steps allocate nothing", scene.name, workers, quiet, steps)
		}
	}
}

// mallocs counts what f allocates, in this and all other goroutines.
func mallocs(f func()) uint64 {
	// A collection would empty the pools of scratch, which then are filled anew.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// Reading a step's results allocates nothing either.
func TestReadingAllocatesNothing(t *testing.T) {
	l, _ := rocking(t, 1)
	for range 30 {
		l.Step(frame)
	}
	pts := []r3.Vec{{X: .8, Y: .2, Z: .4}, {X: .8, Y: .7, Z: .4}, {X: 9}}
	dst := make([]Sample, len(pts))
	region := Sphere(r3.Vec{X: .8, Y: .3, Z: .4}, .2)
	levels := l.Levels(nil)
	for name, read := range map[string]func(){
		"Sample": func() { l.Sample(pts, dst) }, "Surface": func() { l.Surface() }, "Events": func() { l.Events() },
		"BodyLoad": func() { l.BodyLoad(0) }, "Ledger": func() { l.Ledger() }, "Levels": func() { levels = l.Levels(levels[:0]) },
		"VolumeIn": func() { _, _ = l.VolumeIn(region) }, "DensityIn": func() { _, _ = l.DensityIn(region) },
	} {
		if n := allocations(t, 10, read); n > 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
}

// allocations is testing.AllocsPerRun for what takes steps. Where invariants are checked in every step, which allocates, there is nothing to measure.
func allocations(t *testing.T, runs int, f func()) float64 {
	t.Helper()
	skipIfChecking(t)
	return testing.AllocsPerRun(runs, f)
}

func skipIfChecking(t *testing.T) {
	t.Helper()
	if graph.Checking {
		t.Skip("built with the tag check, whose checks allocate")
	}
}
