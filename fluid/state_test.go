package fluid_test

import (
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
)

// livelier is the lively scene with a paddle that turns.
func livelier(t testing.TB, workers int) testrig.PairOf {
	t.Helper()
	l, w := testrig.Lively(t, workers)
	paddle, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: -.15, Y: -.1, Z: -.03}, Max: r3.Vec{X: .15, Y: .1, Z: .03}}))
	if err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: 1, Y: .15, Z: .6}, AngularVelocity: r3.Vec{Y: 3}}))
	return testrig.PairOf{L: l, W: w}
}

// What was copied goes on as the original does, in every bit of what a game reads, through edits, and for another number
// of workers; copied back, it takes the original back.
func TestCopyGoesOnAlike(t *testing.T) {
	a := livelier(t, 2)
	b := testrig.Bare(t, a.L.Def(), 1)
	for n := range 30 {
		a.Step(t, n)
	}
	a.CopyTo(t, b)
	droplets, foam := 0, false
	for n := 30; n < 80; n++ {
		if a.Step(t, n) != b.Step(t, n) {
			t.Fatalf("step %d: the copy gives other bits", n)
		}
		droplets, foam = max(droplets, testrig.FV(a.L).Spray.Len()), foam || testrig.Blocks(a.L).Foam.Some()
	}
	if markers := testrig.Blocks(a.L).Surface.Tracker().(*levelset.Shared).Markers.Len(); droplets == 0 || !foam || markers == 0 {
		t.Errorf("the scene is too calm: %d droplets, foam %v, %d markers", droplets, foam, markers)
	}
	for n := range 10 { // the original runs ahead, and is taken back
		a.Step(t, 80+n)
	}
	b.CopyTo(t, a)
	for n := range 10 {
		if a.Step(t, 80+n) != b.Step(t, 80+n) {
			t.Fatalf("step %d: what was taken back gives other bits", n)
		}
	}
}

// Whatever a game calls first after a copy, it gives the same bits in both.
func TestCopyTakesCallsAlike(t *testing.T) {
	ball := fluid.Sphere(r3.Vec{X: .8, Y: .35, Z: .4}, .2)
	for name, call := range map[string]func(p testrig.PairOf) error{
		"fill":  func(p testrig.PairOf) error { return p.L.Fill(ball) },
		"drain": func(p testrig.PairOf) error { return p.L.Drain(ball) },
		"obstacle": func(p testrig.PairOf) error {
			_, err := p.L.AddObstacle(ball)
			return err
		},
		"removal": func(p testrig.PairOf) error { return p.L.RemoveObstacle(0) },
		"emitter": func(p testrig.PairOf) error { return p.L.StopEmitter(0) },
		"no emitter": func(p testrig.PairOf) error {
			testrig.Around(p.L).Flows.Emitters.All[0].Debt += 1e-4 // to come in drops
			return p.L.RemoveEmitter(0)
		},
		"impulse": func(p testrig.PairOf) error { return p.L.Impulse(r3.Vec{X: .8, Y: .1, Z: .4}, .3, r3.Vec{X: 1}) },
		"wind":    func(p testrig.PairOf) error { return p.L.SetWind(fluid.Wind{Velocity: r3.Vec{X: 10}}) },
		"rollback": func(p testrig.PairOf) error {
			setStrength(p.L, testrig.NaN)
			p.L.Step(testrig.Frame)
			setStrength(p.L, 2)
			return nil
		},
		"uncouple": func(p testrig.PairOf) error { p.L.Couple(nil); return nil },
		"view":     func(p testrig.PairOf) error { return p.L.SetView(fluid.View{}) },
	} {
		t.Run(name, func(t *testing.T) {
			a := livelier(t, 1)
			b := testrig.Bare(t, a.L.Def(), 1)
			for n := range testrig.InShort(4, 12) {
				a.Step(t, n)
			}
			a.CopyTo(t, b)
			for _, p := range []testrig.PairOf{a, b} {
				testrig.Must(t, call(p))
			}
			for n := range 5 {
				ra, rb := *a.L.Step(testrig.Frame), *b.L.Step(testrig.Frame)
				if testrig.Digest(a.L, ra, a.W.Coupling()) != testrig.Digest(b.L, rb, b.W.Coupling()) {
					t.Fatalf("step %d differs", n+1)
				}
			}
		})
	}
}

// Liquid that is calming down, or sleeps, is copied so, falls asleep and wakes in both.
func TestCopySleeps(t *testing.T) {
	for _, after := range []int{5, 28, 100} {
		a := testrig.Tub(t)
		b := testrig.New(t, a.Def())
		testrig.GoesOn(t, a, after)
		testrig.Must(t, a.CopyTo(b))
		slept := false
		for n := range 120 {
			if n == 100 {
				for _, l := range []*fluid.Liquid{a, b} {
					testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .4, Y: .5, Z: .4}, .15)))
				}
			}
			ra, rb := *a.Step(testrig.Frame), *b.Step(testrig.Frame)
			if a.Hash() != b.Hash() || ra.MaxSpeed != rb.MaxSpeed || testrig.Around(a).Sleep != testrig.Around(b).Sleep {
				t.Fatalf("copied after %d steps: step %d differs", after, n+1)
			}
			slept = slept || testrig.Around(b).Sleep.Asleep
		}
		if !slept || testrig.Around(b).Sleep.Asleep {
			t.Errorf("copied after %d steps: slept %v, woke %v", after, slept, !testrig.Around(b).Sleep.Asleep)
		}
	}
}

// A liquid of another definition is refused, and left as it was.
func TestCopyRefusesOthers(t *testing.T) {
	a := testrig.Tub(t)
	for field, change := range map[string]func(d *fluid.Def){
		"Domain":                  func(d *fluid.Def) { d.Domain.Max.X *= 2 },
		"CellSize":                func(d *fluid.Def) { d.CellSize /= 2 },
		"Sides":                   func(d *fluid.Def) { d.Sides.MaxX = fluid.Open },
		"Numerics.Levels":         func(d *fluid.Def) { d.Numerics.Levels = 2 },
		"Numerics.InvisibleLevel": func(d *fluid.Def) { d.Numerics.InvisibleLevel = 2 },
		"Numerics.Sizing":         func(d *fluid.Def) { d.Numerics.Sizing.Distance = .1 },
		"Numerics.ViewGain":       func(d *fluid.Def) { d.Numerics.ViewGain = .5 },
		"Numerics.CFL":            func(d *fluid.Def) { d.Numerics.CFL = 1 },
		"Numerics.Tolerance":      func(d *fluid.Def) { d.Numerics.Tolerance = 1e-3 },
	} {
		d := a.Def()
		change(&d)
		b := testrig.New(t, d)
		was := b.Hash()
		err := a.CopyTo(b)
		if err == nil || !strings.Contains(err.Error(), "fluid: CopyTo: Def: "+field+" ") || b.Hash() != was {
			t.Errorf("%s: %v; changed: %v", field, err, b.Hash() != was)
		}
	}
	d := a.Def()
	d.Numerics.Sizing.Vorticity = 7
	sized := testrig.New(t, d)
	d.Numerics.Sizing.Vorticity = 6
	for _, b := range []*fluid.Liquid{a, testrig.New(t, d)} { // without, and with another one
		if err := sized.CopyTo(b); err == nil || !strings.Contains(err.Error(), "fluid: CopyTo: Def: Numerics.Sizing ") {
			t.Errorf("with Sizing to %+v: %v", b.Def().Numerics.Sizing, err)
		}
	}
	d = a.Def()
	d.Numerics.ViewGain = .25
	if err := testrig.New(t, d).CopyTo(a); err == nil || !strings.Contains(err.Error(), "fluid: CopyTo: Def: Numerics.ViewGain ") {
		t.Errorf("with a ViewGain: %v", err)
	}
	d = a.Def()
	d.Budget, d.Resources.Workers, d.Resources.MaxMemory = fluid.Budget{Work: 9}, 3, 1<<30
	if err := a.CopyTo(testrig.New(t, d)); err != nil {
		t.Error(err)
	}
	if err := a.CopyTo(nil); err == nil {
		t.Error("a copy to nothing")
	}
}

func TestCopyAllocatesNothing(t *testing.T) {
	if testrig.PoolAllocates() {
		t.Skip("sync.Pool, which shapes use, allocates in this build")
	}
	a := livelier(t, 2)
	b := testrig.Bare(t, a.L.Def(), 2)
	for n := range 20 {
		a.Step(t, n)
	}
	for range 3 {
		a.CopyTo(t, b)
		b.CopyTo(t, a)
	}
	if n := testing.AllocsPerRun(10, func() { a.CopyTo(t, b); b.CopyTo(t, a) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkCopyTo(b *testing.B) {
	p := livelier(b, 2)
	q := testrig.Bare(b, p.L.Def(), 2)
	for n := range 60 {
		p.Step(b, n)
	}
	for b.Loop() {
		testrig.Must(b, p.L.CopyTo(q.L))
	}
}

func BenchmarkHash(b *testing.B) {
	p := livelier(b, 2)
	for n := range 60 {
		p.Step(b, n)
	}
	for b.Loop() {
		p.L.Hash()
	}
}

// Copies share nothing but shapes: each may go on in a goroutine of its own. The race detector looks closer.
func TestCopiesShareNothing(t *testing.T) {
	a := livelier(t, 1)
	b := testrig.Bare(t, a.L.Def(), 1)
	for n := range 5 {
		a.Step(t, n)
	}
	a.CopyTo(t, b)
	var hash [2]uint64
	var wait sync.WaitGroup
	for i, p := range []testrig.PairOf{a, b} {
		wait.Go(func() {
			for range 5 {
				p.L.Step(testrig.Frame)
				hash[i] = 31*hash[i] + p.L.Hash()
			}
		})
	}
	wait.Wait()
	if hash[0] != hash[1] {
		t.Error("the copy gives other bits")
	}
}

// What solids take of a region is known of a copy at once, and of one that sleeps too.
func TestCopyKnowsItsVolumes(t *testing.T) {
	a := testrig.Tub(t)
	paddle, err := a.AddObstacle(fluid.Sphere(r3.Vec{}, .15))
	if err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, a.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: .8, Y: .2, Z: .4}}))
	testrig.GoesOn(t, a, 100)
	b := testrig.New(t, a.Def())
	if err := a.CopyTo(b); err != nil || !testrig.Around(b).Sleep.Asleep {
		t.Fatal(err, testrig.Around(b).Sleep.Asleep)
	}
	region := fluid.Box(r3.Box{Min: r3.Vec{X: .6, Z: .2}, Max: r3.Vec{X: 1, Y: .3, Z: .6}})
	for step := range 2 {
		va, _ := a.VolumeIn(region)
		vb, _ := b.VolumeIn(region)
		da, _ := a.DensityIn(region)
		db, _ := b.DensityIn(region)
		if va != vb || da != db || va == 0 {
			t.Errorf("step %d: %v litres at %v kg/m³ in the copy, %v at %v in the original", step, vb, db, va, da)
		}
		a.Step(testrig.Frame)
		b.Step(testrig.Frame)
	}
}
