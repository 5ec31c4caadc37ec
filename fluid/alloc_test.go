package fluid_test

import (
	"context"
	"runtime/debug"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
	"github.com/meniscus3d/meniscus/physics"
)

// steeredRocking is rocking with a ball that the liquid follows wholly and one that it follows by half, both refilled from the tank.
func steeredRocking(t testing.TB, workers int) (*fluid.Liquid, *physics.World) {
	t.Helper()
	l, w := testrig.Rocking(t, workers)
	testrig.Steer(t, l, [2]float64{1, .5})
	return l, w
}

// whiteRocking is rocking with white water.
func whiteRocking(t testing.TB, workers int) (*fluid.Liquid, *physics.World) {
	t.Helper()
	l, w := testrig.RockingWith(t, fluid.Def{Resources: fluid.Resources{Workers: workers}, WhiteWater: 2000})
	makeWhite(l)
	return l, w
}

// makeWhite has white water come at a fifth of the speeds that water needs.
func makeWhite(l *fluid.Liquid) {
	t := &testrig.WhiteWater(l).Tuning
	t.Speed, t.Entrained, t.Torn, t.Unbroken = whitewater.Range{From: .2, To: .8}, whitewater.Range{From: .16, To: .64}, whitewater.Range{From: .8, To: 4}, .5
}

// A step allocates for what is larger than ever before, a wave, a piece of liquid more, a block that a body has not met, and for nothing else:
// the same steps taken again allocate nothing, not one of them. What several workers do is recorded meanwhile. Which worker meets
// what, and on which processor a pool of scratch is asked, is left to chance, so that it may take a few rounds until each has met all.
func TestStepAllocatesNothing(t *testing.T) {
	testrig.SkipIfChecking(t)
	if testrig.PoolAllocates() {
		t.Skip("sync.Pool allocates in this build")
	}
	// A collection between two steps would empty the pools of scratch, which the next then fills anew.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const warm, most = 120, 30
	steps := testrig.InShort(10, most)
	type scene struct {
		name    string
		workers int
		of      func(t testing.TB, workers int) (*fluid.Liquid, *physics.World)
	}
	scenes := []scene{
		{"steered", 1, steeredRocking}, {"white", 2, whiteRocking}, {"rocking", 2, testrig.Rocking}, {"rocking", 1, testrig.Rocking}, {"steered", 2, steeredRocking},
		{"white", 1, whiteRocking}, {"wavy", 2, wavyRocking},
	}
	for _, scene := range scenes[:testrig.InShort(2, 7)] {
		workers := scene.workers
		l, w := scene.of(t, workers)
		testrig.Must(t, l.Profile(fluid.Profiling{WorkerSpans: 1024 * (workers - 1), Labels: context.Background()}))
		for range warm {
			testrig.Sound(t, l, *l.Step(testrig.Frame))
		}
		if n := len(l.Surface().WhiteWater.Kind); l.Def().WhiteWater > 0 && n < 50 {
			t.Errorf("%s: %d particles of white water", scene.name, n)
		}
		start, world := testrig.New(t, l.Def()), physics.NewWorld(physics.WorldDef{})
		w.CopyTo(world)
		start.Couple(world.Coupling())
		testrig.Must(t, l.CopyTo(start))
		const rounds = 8
		var of [most]uint64
		seen := of[:steps]
		quiet := 0 // of the first round, which is new
		for round := range rounds + 1 {
			world.CopyTo(w)
			testrig.Must(t, start.CopyTo(l))
			for n := range seen {
				var r fluid.Report
				seen[n] = testrig.Mallocs(func() { r = *l.Step(testrig.Frame) })
				if r.AsleepBlocks > 0 || r.Err != nil {
					t.Fatalf("step %d: asleep in %d blocks, %s", r.Step, r.AsleepBlocks, r.Err)
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
			if round > 0 && of == [most]uint64{} {
				break
			}
		}
		if of != [most]uint64{} {
			t.Errorf("%s, %d workers: steps taken again allocate: %d", scene.name, workers, seen)
		}
		if quiet < steps/2 {
			t.Errorf("%s, %d workers: %d of %d new steps allocate nothing", scene.name, workers, quiet, steps)
		}
	}
}

// Reading a step's results allocates nothing either.
func TestReadingAllocatesNothing(t *testing.T) {
	l, _ := testrig.Rocking(t, 1)
	for range 30 {
		l.Step(testrig.Frame)
	}
	pts := []r3.Vec{{X: .8, Y: .2, Z: .4}, {X: .8, Y: .7, Z: .4}, {X: 9}}
	dst := make([]fluid.Sample, len(pts))
	region := fluid.Sphere(r3.Vec{X: .8, Y: .3, Z: .4}, .2)
	levels := l.Levels(nil)
	faces, err := l.CutAway(nil, r3.Vec{X: .8}, r3.Vec{X: 1})
	testrig.Must(t, err)
	for name, read := range map[string]func(){
		"Sample": func() { l.Sample(dst, pts) }, "Surface": func() { l.Surface() }, "Events": func() { l.Events() },
		"BodyLoad": func() { l.BodyLoad(0) }, "Ledger": func() { l.Ledger() }, "Numerics.Levels": func() { levels = l.Levels(levels[:0]) },
		"CutAway":  func() { faces, _ = l.CutAway(faces[:0], r3.Vec{X: .8}, r3.Vec{X: 1}) },
		"VolumeIn": func() { _, _ = l.VolumeIn(region) }, "DensityIn": func() { _, _ = l.DensityIn(region) },
	} {
		if n := testrig.Allocations(t, 10, read); n > 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
}
