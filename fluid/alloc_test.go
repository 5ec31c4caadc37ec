package fluid

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// rocking is a scene that never comes to rest and is much the same in every second: half a tank of
// water, pushed to and fro by a field and a paddle, with two bodies and a column.
func rocking(t testing.TB, workers int) *Liquid {
	t.Helper()
	l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .05, Viscosity: 1e-4, Budget: Budget{Work: 3}, Workers: workers})
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
	must(l.MoveObstacle(paddle, Motion{Translation: r3.Vec{X: .4, Y: .35, Z: .4}, Spin: r3.Vec{Y: 4}}))
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, density := range []float64{300, 600} {
		b, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .7 + .3*float64(i), Y: .45, Z: .4}})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(.2, .15, .2), Density: density})
		must(err)
	}
	for _, side := range []struct{ normal, at r3.Vec }{
		{r3.Vec{Y: 1}, r3.Vec{}}, {r3.Vec{X: 1}, r3.Vec{}}, {r3.Vec{Z: 1}, r3.Vec{}}, {r3.Vec{X: -1}, r3.Vec{X: 1.6}}, {r3.Vec{Z: -1}, r3.Vec{Z: .8}},
	} {
		b, err := w.CreateBody(physics.BodyDef{Kind: physics.Static, Position: side.at})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(side.normal)})
		must(err)
	}
	l.Couple(w)
	return l
}

// A step allocates for what is larger than ever before: a wave, a piece of liquid more, a block that
// a body has not met. After the first seconds that is seldom, and a step that asks for nothing new
// allocates nothing. What several workers do is recorded meanwhile.
func TestStepAllocatesNothing(t *testing.T) {
	if poolAllocates() {
		t.Skip("sync.Pool allocates in this build")
	}
	const warm, steps = 120, 30
	for _, workers := range []int{1, 2} {
		l := rocking(t, workers)
		if err := l.Profile(Profiling{Work: 1024 * (workers - 1), Labels: context.Background()}); err != nil {
			t.Fatal(err)
		}
		for range warm {
			sound(t, l, l.Step(frame))
		}
		var seen [steps]uint64
		none := 0
		// On a machine that others use too a helper parks more often, and the runtime makes what it parks on
		// once per processor: that ends.
		for range 3 {
			none = 0
			for n := range seen {
				var r Report
				if seen[n] = mallocs(func() { r = l.Step(frame) }); seen[n] == 0 {
					none++
				}
				if r.AsleepBlocks > 0 || r.RolledBack {
					t.Errorf("step %d: asleep in %d blocks, %s", r.Step, r.AsleepBlocks, r.Reason)
				}
			}
			if none >= steps*3/4 {
				break
			}
		}
		if none < steps*3/4 {
			t.Errorf("%d workers: %d of %d steps allocate nothing: %d", workers, none, steps, seen)
		}
		t.Logf("%d workers: allocations per step: %d", workers, seen)
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
	l := rocking(t, 1)
	for range 30 {
		l.Step(frame)
	}
	pts := []r3.Vec{{X: .8, Y: .2, Z: .4}, {X: .8, Y: .7, Z: .4}, {X: 9}}
	dst := make([]Sample, len(pts))
	region := Sphere(r3.Vec{X: .8, Y: .3, Z: .4}, .2)
	levels := l.Levels(nil)
	for name, read := range map[string]func(){
		"Sample": func() { l.Sample(pts, dst) }, "Surface": func() { l.Surface() }, "Events": func() { l.Events() },
		"Load": func() { l.Load(0) }, "Ledger": func() { l.Ledger() }, "Levels": func() { levels = l.Levels(levels[:0]) },
		"VolumeIn": func() { _, _ = l.VolumeIn(region) }, "DensityIn": func() { _, _ = l.DensityIn(region) },
	} {
		if n := testing.AllocsPerRun(10, read); n > 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
}
