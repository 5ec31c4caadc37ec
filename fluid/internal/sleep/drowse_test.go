package sleep_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// flume is a channel 8 m long with a paddle at its low end.
type flume struct {
	l      *fluid.Liquid
	paddle fluid.ObstacleID
	steps  int
}

func newFlume(t testing.TB, workers int, awake bool) *flume {
	t.Helper()
	f := &flume{l: testrig.New(t, fluid.Def{Domain: testrig.Box(8, 1, .8), CellSize: .1, Resources: fluid.Resources{Workers: workers}, Numerics: fluid.Numerics{Undamped: awake}})}
	testrig.Must(t, f.l.Fill(fluid.Below(.53)))
	var err error
	if f.paddle, err = f.l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: -.15, Y: -.1, Z: -.1}, Max: r3.Vec{X: .15, Y: 1.1, Z: .9}})); err != nil {
		t.Fatal(err)
	}
	return f
}

// step takes a step in which the paddle makes waves, if it is to.
func (f *flume) step(t testing.TB, waves bool) fluid.Report {
	t.Helper()
	const stroke, rate = .06, 2 * math.Pi / 1.2
	phase := rate * float64(f.steps) / 60
	m := fluid.Motion{Translation: r3.Vec{X: .4 + stroke*math.Sin(phase)}}
	if waves {
		m.Velocity.X = stroke * rate * math.Cos(phase)
		f.steps++
	}
	testrig.Must(t, f.l.MoveObstacle(f.paddle, m))
	r := *f.l.Step(1. / 60)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

// level is how high the liquid stands at x, m.
func (f *flume) level(x float64) float64 {
	var s [1]fluid.Sample
	at := r3.Vec{X: x, Y: .3, Z: .4}
	f.l.Sample(s[:], []r3.Vec{at})
	return at.Y + s[0].Height
}

// Where nothing moves the liquid sleeps, though a paddle at the other end keeps the rest awake. Waves wake it, and go on as they would in
// liquid that never slept.
func TestWavesWakeWhatSleeps(t *testing.T) {
	f, awake := newFlume(t, 2, false), newFlume(t, 2, true)
	var r, q fluid.Report
	for range 240 {
		r, q = f.step(t, false), awake.step(t, false)
	}
	if r.AsleepBlocks < 8 || q.AsleepBlocks > 0 || r.UnknownCount() > q.UnknownCount()/4 {
		t.Fatalf("%d and %d blocks sleep, which leaves %d and %d unknowns; want 8, 0 and less than a fourth", r.AsleepBlocks, q.AsleepBlocks, r.UnknownCount(), q.UnknownCount())
	}
	highest := 0.
	for n := range 240 {
		f.step(t, true)
		awake.step(t, true)
		if n%15 != 14 {
			continue
		}
		for _, x := range [...]float64{1.5, 3, 4.5, 6, 7.5} {
			a, b := f.level(x), awake.level(x)
			if math.Abs(a-b) > .01 {
				t.Errorf("%.2f s: the liquid stands %.1f mm higher at %g m than it would have", float64(n)/60, 1e3*(a-b), x)
			}
			if x > 4 {
				highest = max(highest, a)
			}
		}
	}
	if highest < .56 {
		t.Errorf("no wave came beyond 4 m: the liquid was at %.3f m there at most", highest)
	}
}

// What is asleep is part of the state: a copy, and what was restored, go on in the same bits.
func TestSleepIsState(t *testing.T) {
	f := newFlume(t, 2, false)
	for range 240 {
		f.step(t, false)
	}
	copied, restored := newFlume(t, 1, false), newFlume(t, 2, false)
	testrig.Must(t, f.l.CopyTo(copied.l))
	var file bytes.Buffer
	testrig.Must(t, f.l.Save(&file))
	if err := f.l.CopyTo(restored.l); err != nil { // a file has no obstacles
		t.Fatal(err)
	}
	for range 20 {
		restored.step(t, true)
	}
	testrig.Must(t, restored.l.Restore(&file))
	copied.steps, restored.steps = f.steps, f.steps
	slept := false
	for n := range 60 {
		r := f.step(t, true)
		copied.step(t, true)
		restored.step(t, true)
		slept = slept || r.AsleepBlocks > 0
		if want := f.l.Hash(); copied.l.Hash() != want || restored.l.Hash() != want {
			t.Fatalf("step %d: a copy, or what was restored, goes on otherwise", n)
		}
	}
	if !slept {
		t.Error("nothing slept")
	}
}

// A basin sleeps beside another that is stirred, keeps its liquid to the bit, and wakes where a body falls in or a tap opens.
func TestCalmBasinSleeps(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(4, 1.2, .8), CellSize: .1})
	if _, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: 1.5, Y: -.1, Z: -.1}, Max: r3.Vec{X: 1.7, Y: 1.3, Z: .9}})); err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.Fill(fluid.Below(.56)))
	if _, err := l.AddField(fluid.Field{Kind: fluid.RadialField, Centre: r3.Vec{X: .7, Y: .3, Z: .4}, Radius: .6, Strength: 3}); err != nil {
		t.Fatal(err)
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	l.Couple(w.Coupling())
	right := fluid.Box(r3.Box{Min: r3.Vec{X: 1.7}, Max: r3.Vec{X: 4, Y: 1.2, Z: .8}})
	held := func() float64 {
		v, err := l.VolumeIn(right)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	run := func(steps int) (r fluid.Report) {
		for range steps {
			if r = *l.Step(1. / 60); r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		return r
	}
	r := run(120)
	if r.AsleepBlocks == 0 || r.MaxSpeed < .05 {
		t.Fatalf("%d blocks sleep, at up to %g m/s; want some, beside liquid that moves", r.AsleepBlocks, r.MaxSpeed)
	}
	before := held()
	if run(120); held() != before {
		t.Errorf("the basin that sleeps held %g l, and holds %g", before, held())
	}
	b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 3, Y: .8, Z: .4}, physics.Box(physics.Centred(.35, .35, .35)), 500)
	run(240)
	carried, under := 0., 0. // in its weights, and the part of it under water, on average: it bobs and rolls for long
	for range 240 {
		run(1)
		carried += l.BodyLoad(0).Force.Y / (9.81 * b.Mass()) / 240
		under += l.BodyLoad(0).Fraction / 240
	}
	if math.Abs(carried-1) > .04 || math.Abs(under-.5) > .04 {
		t.Errorf("a body that fell in is carried by %.3f of its weight, with %.3f of it under water", carried, under)
	}
	if tilt := math.Abs(b.Position().Y - .56); tilt > .1 {
		t.Errorf("the body is at %g m", b.Position().Y)
	}
	before = held()
	if _, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: 2.3, Y: .3, Z: .4}, .2), Rate: 20}); err != nil {
		t.Fatal(err)
	}
	run(120)
	if gained := held() - before; gained < 38 || gained > 42 {
		t.Errorf("a tap gave 40 l in the basin, which has %.2f more", gained)
	}
	if r := l.Ledger(); math.Abs(r.DriftL) > .002*r.FilledL {
		t.Errorf("the ledger drifts by %g of %g l", r.DriftL, r.FilledL)
	}
}
