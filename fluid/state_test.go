package fluid

import (
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
	"github.com/meniscus3d/meniscus/physics"
)

// pairOf is a liquid with its bodies, as a game keeps two of for rollback.
type pairOf struct {
	l *Liquid
	w *physics.World
}

func (p pairOf) copyTo(t testing.TB, dst pairOf) {
	t.Helper()
	p.w.CopyTo(dst.w)
	if err := p.l.CopyTo(dst.l); err != nil {
		t.Fatal(err)
	}
	if p.l.Hash() != dst.l.Hash() || p.w.Hash() != dst.w.Hash() {
		t.Fatal("a copy has another hash")
	}
}

// step is step n of the lively scene: its calls, then Step. It returns a digest of all that a game reads then.
func (p pairOf) step(t testing.TB, n int) uint64 {
	t.Helper()
	stirLively(t, p.l, n)
	r := p.l.Step(frame)
	if r.RolledBack {
		t.Fatalf("step %d: %s", n, r.Reason)
	}
	return digest(p.l, r, p.w.Coupling())
}

// livelier is the lively scene with a paddle that turns.
func livelier(t testing.TB, workers int) pairOf {
	t.Helper()
	l, w := lively(t, workers)
	paddle, err := l.AddObstacle(Box(r3.Box{Min: r3.Vec{X: -.15, Y: -.1, Z: -.03}, Max: r3.Vec{X: .15, Y: .1, Z: .03}}))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.MoveObstacle(paddle, Motion{Translation: r3.Vec{X: 1, Y: .15, Z: .6}, AngularVelocity: r3.Vec{Y: 3}}); err != nil {
		t.Fatal(err)
	}
	return pairOf{l, w}
}

// bare is a liquid and a world to copy the lively scene to.
func bare(t testing.TB, def Def, workers int) pairOf {
	t.Helper()
	def.Workers = workers
	p := pairOf{mustNew(t, def), physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})}
	p.l.Couple(p.w.Coupling())
	return p
}

// What was copied goes on as the original does, in every bit of what a game reads, through edits, and for another number
// of workers; copied back, it takes the original back.
func TestCopyGoesOnAlike(t *testing.T) {
	a := livelier(t, 2)
	b := bare(t, a.l.Def(), 1)
	for n := range 30 {
		a.step(t, n)
	}
	a.copyTo(t, b)
	droplets, foam := 0, false
	for n := 30; n < 80; n++ {
		if a.step(t, n) != b.step(t, n) {
			t.Fatalf("step %d: the copy gives other bits", n)
		}
		droplets, foam = max(droplets, fvOf(a.l).Spray.Len()), foam || blocksOf(a.l).Foam.Some()
	}
	if markers := blocksOf(a.l).Surface.Tracker().(*levelset.Shared).Markers.Len(); droplets == 0 || !foam || markers == 0 {
		t.Errorf("the scene is too calm: %d droplets, foam %v, %d markers", droplets, foam, markers)
	}
	for n := range 10 { // the original runs ahead, and is taken back
		a.step(t, 80+n)
	}
	b.copyTo(t, a)
	for n := range 10 {
		if a.step(t, 80+n) != b.step(t, 80+n) {
			t.Fatalf("step %d: what was taken back gives other bits", n)
		}
	}
}

// Whatever a game calls first after a copy, it gives the same bits in both.
func TestCopyTakesCallsAlike(t *testing.T) {
	ball := Sphere(r3.Vec{X: .8, Y: .35, Z: .4}, .2)
	for name, call := range map[string]func(p pairOf) error{
		"fill":  func(p pairOf) error { return p.l.Fill(ball) },
		"drain": func(p pairOf) error { return p.l.Drain(ball) },
		"obstacle": func(p pairOf) error {
			_, err := p.l.AddObstacle(ball)
			return err
		},
		"removal": func(p pairOf) error { return p.l.RemoveObstacle(0) },
		"emitter": func(p pairOf) error { return p.l.StopEmitter(0) },
		"no emitter": func(p pairOf) error {
			p.l.sim.around.Flows.Emitters.All[0].Debt += 1e-4 // to come in drops
			return p.l.RemoveEmitter(0)
		},
		"impulse": func(p pairOf) error { return p.l.Impulse(r3.Vec{X: .8, Y: .1, Z: .4}, .3, r3.Vec{X: 1}) },
		"wind":    func(p pairOf) error { return p.l.SetWind(Wind{Velocity: r3.Vec{X: 10}}) },
		"rollback": func(p pairOf) error {
			setStrength(p.l, nan)
			p.l.Step(frame)
			setStrength(p.l, 2)
			return nil
		},
		"uncouple": func(p pairOf) error { p.l.Couple(nil); return nil },
		"view":     func(p pairOf) error { return p.l.SetView(View{}) },
	} {
		t.Run(name, func(t *testing.T) {
			a := livelier(t, 1)
			b := bare(t, a.l.Def(), 1)
			for n := range inShort(4, 12) {
				a.step(t, n)
			}
			a.copyTo(t, b)
			for _, p := range []pairOf{a, b} {
				if err := call(p); err != nil {
					t.Fatal(err)
				}
			}
			for n := range 5 {
				ra, rb := a.l.Step(frame), b.l.Step(frame)
				if digest(a.l, ra, a.w.Coupling()) != digest(b.l, rb, b.w.Coupling()) {
					t.Fatalf("step %d differs", n+1)
				}
			}
		})
	}
}

// Liquid that is calming down, or sleeps, is copied so, falls asleep and wakes in both.
func TestCopySleeps(t *testing.T) {
	for _, after := range []int{5, 28, 100} {
		a := tub(t)
		b := mustNew(t, a.Def())
		goesOn(t, a, after)
		if err := a.CopyTo(b); err != nil {
			t.Fatal(err)
		}
		slept := false
		for n := range 120 {
			if n == 100 {
				for _, l := range []*Liquid{a, b} {
					if err := l.Fill(Sphere(r3.Vec{X: .4, Y: .5, Z: .4}, .15)); err != nil {
						t.Fatal(err)
					}
				}
			}
			ra, rb := a.Step(frame), b.Step(frame)
			if a.Hash() != b.Hash() || ra.MaxSpeed != rb.MaxSpeed || a.sim.around.Sleep != b.sim.around.Sleep {
				t.Fatalf("copied after %d steps: step %d differs", after, n+1)
			}
			slept = slept || b.sim.around.Sleep.Asleep
		}
		if !slept || b.sim.around.Sleep.Asleep {
			t.Errorf("copied after %d steps: slept %v, woke %v", after, slept, !b.sim.around.Sleep.Asleep)
		}
	}
}

// A liquid of another definition is refused, and left as it was.
func TestCopyRefusesOthers(t *testing.T) {
	a := tub(t)
	for field, change := range map[string]func(d *Def){
		"Domain":           func(d *Def) { d.Domain.Max.X *= 2 },
		"CellSize":         func(d *Def) { d.CellSize /= 2 },
		"Sides":            func(d *Def) { d.Sides.MaxX = Open },
		"Levels":           func(d *Def) { d.Levels = 2 },
		"InvisibleLevel":   func(d *Def) { d.InvisibleLevel = 2 },
		"Solver.CFL":       func(d *Def) { d.Solver.CFL = 1 },
		"Solver.Tolerance": func(d *Def) { d.Solver.Tolerance = 1e-3 },
	} {
		d := a.Def()
		change(&d)
		b := mustNew(t, d)
		was := b.Hash()
		err := a.CopyTo(b)
		if err == nil || !strings.Contains(err.Error(), "fluid: CopyTo: Def: "+field+" ") || b.Hash() != was {
			t.Errorf("%s: %v; changed: %v", field, err, b.Hash() != was)
		}
	}
	d := a.Def()
	d.Budget, d.Workers, d.MaxMemory = Budget{Work: 9}, 3, 1<<30
	if err := a.CopyTo(mustNew(t, d)); err != nil {
		t.Error(err)
	}
	if err := a.CopyTo(nil); err == nil {
		t.Error("a copy to nothing")
	}
}

func TestCopyAllocatesNothing(t *testing.T) {
	if poolAllocates() {
		t.Skip("sync.Pool, which shapes use, allocates in this build")
	}
	a := livelier(t, 2)
	b := bare(t, a.l.Def(), 2)
	for n := range 20 {
		a.step(t, n)
	}
	for range 3 {
		a.copyTo(t, b)
		b.copyTo(t, a)
	}
	if n := testing.AllocsPerRun(10, func() { a.copyTo(t, b); b.copyTo(t, a) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkCopyTo(b *testing.B) {
	p := livelier(b, 2)
	q := bare(b, p.l.Def(), 2)
	for n := range 60 {
		p.step(b, n)
	}
	for b.Loop() {
		if err := p.l.CopyTo(q.l); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHash(b *testing.B) {
	p := livelier(b, 2)
	for n := range 60 {
		p.step(b, n)
	}
	for b.Loop() {
		p.l.Hash()
	}
}

// Copies share nothing but shapes: each may go on in a goroutine of its own. The race detector looks closer.
func TestCopiesShareNothing(t *testing.T) {
	a := livelier(t, 1)
	b := bare(t, a.l.Def(), 1)
	for n := range 5 {
		a.step(t, n)
	}
	a.copyTo(t, b)
	var hash [2]uint64
	var wait sync.WaitGroup
	for i, p := range []pairOf{a, b} {
		wait.Go(func() {
			for range 5 {
				p.l.Step(frame)
				hash[i] = 31*hash[i] + p.l.Hash()
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
	a := tub(t)
	paddle, err := a.AddObstacle(Sphere(r3.Vec{}, .15))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.MoveObstacle(paddle, Motion{Translation: r3.Vec{X: .8, Y: .2, Z: .4}}); err != nil {
		t.Fatal(err)
	}
	goesOn(t, a, 100)
	b := mustNew(t, a.Def())
	if err := a.CopyTo(b); err != nil || !b.sim.around.Sleep.Asleep {
		t.Fatal(err, b.sim.around.Sleep.Asleep)
	}
	region := Box(r3.Box{Min: r3.Vec{X: .6, Z: .2}, Max: r3.Vec{X: 1, Y: .3, Z: .6}})
	for step := range 2 {
		va, _ := a.VolumeIn(region)
		vb, _ := b.VolumeIn(region)
		da, _ := a.DensityIn(region)
		db, _ := b.DensityIn(region)
		if va != vb || da != db || va == 0 {
			t.Errorf("step %d: %v litres at %v kg/m³ in the copy, %v at %v in the original", step, vb, db, va, da)
		}
		a.Step(frame)
		b.Step(frame)
	}
}
