package main

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .1) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1, "-alpha .7") }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }
func TestAsync(t *testing.T)               { playtest.Async(t) }

func newTestDancer(t *testing.T, def fluid.Def, alpha float64) *dancer {
	t.Helper()
	d, err := newDancer(def, alpha, 60, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func run(t *testing.T, d *dancer, seconds float64) (r *fluid.Report) {
	t.Helper()
	for range int(math.Round(seconds / play.Timestep)) {
		var err error
		if r, err = play.Step(d); err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
	}
	return r
}

// top is how high the liquid reaches over the pool's level, m, but for drops.
func (d *dancer) top() float64 {
	for y := domain.Max.Y - level - .02; ; y -= .02 {
		above := fluid.Box(r3.Box{Min: r3.Vec{X: domain.Min.X, Y: level + y, Z: domain.Min.Z}, Max: domain.Max})
		litres, err := d.Liquid().VolumeIn(above)
		if err != nil || litres > 1 {
			return y
		}
	}
}

// The figure rises out of the pool, holds the litres that its shape has, and falls when it is broken; then it rises again.
func TestFigureRisesAndFalls(t *testing.T) {
	if testing.Short() {
		t.Skip("six seconds of the dance")
	}
	const cell = .06
	d := newTestDancer(t, fluid.Def{CellSize: cell}, 1)
	run(t, d, shapes.Risen+.2)
	up, told := d.top(), d.told
	t.Logf("%.2f m up, %.1f of %.1f l, %.1f mm off", up, told.HeldL, told.WantedL, 1000*told.Error)
	if up < 1 || told.HeldL < .93*told.WantedL || told.Error > cell/2 {
		t.Errorf("the figure is %.2f m high, holds %.1f of %.1f l and is %.1f mm off", up, told.HeldL, told.WantedL, 1000*told.Error)
	}
	if err := d.toggle(); err != nil {
		t.Fatal(err)
	}
	run(t, d, .6) // before the jet that its fall throws up
	if up := d.top(); up > .4 {
		t.Errorf("broken, the figure still stands %.2f m high", up)
	}
	if err := d.toggle(); err != nil {
		t.Fatal(err)
	}
	r := run(t, d, 1.8)
	if up := d.top(); up < .5 {
		t.Errorf("the figure does not rise again: %.2f m", up)
	}
	if l := r.Ledger; math.Abs(l.DriftL) > .005*l.FilledL {
		t.Errorf("%.1f l went astray", l.DriftL)
	}
}

// The crate is put on the hand when that is held out, and goes with it, turned and lifted, as long as it is held out: it stays on the palm, and the water
// bears its weight all the while.
func TestCrateRidesOnHand(t *testing.T) {
	if testing.Short() {
		t.Skip("four seconds of the dance on fine cells")
	}
	d := newTestDancer(t, fluid.Def{CellSize: .04, Budget: fluid.Budget{Work: 20}}, 1)
	if err := d.breakOff(); err != nil {
		t.Fatal(err)
	}
	def := d.def
	def.Start, def.Arrival = shapes.Offered-.2, control.Appear
	id, err := d.Liquid().AddControl(def)
	if err != nil {
		t.Fatal(err)
	}
	d.figure, d.held, d.told.Time = id, true, def.Start
	run(t, d, .5)
	begun, way := d.crate.Position(), 0.
	aside, low, high, load, steps := 0., math.Inf(1), math.Inf(-1), 0., 0.
	for d.clock() < shapes.Withdrawn {
		before := d.crate.Position()
		run(t, d, play.Timestep)
		way += r3.Norm(r3.Sub(d.crate.Position(), before))
		off := r3.Sub(d.crate.Position(), d.palm().Position)
		aside = max(aside, math.Hypot(off.X, off.Z))
		low, high = min(low, off.Y), max(high, off.Y)
		load += d.load.Y
		steps++
	}
	load /= steps
	weight := 9.81 * d.crate.Mass()
	t.Logf("%.2f m along, to %.2f m from where it was; at most %.3f m from the palm's middle, %.3f to %.3f m over it; %.1f N for %.1f N", way,
		r3.Norm(r3.Sub(d.crate.Position(), begun)), aside, low, high, load, weight)
	if way < 1 {
		t.Errorf("the crate went only %.2f m", way)
	}
	if aside > .15 || low < 0 || high > crateEdge {
		t.Errorf("the crate was up to %.3f m from the middle of the palm and %.3f to %.3f m over it", aside, low, high)
	}
	if math.Abs(load-weight) > .1*weight {
		t.Errorf("on the mean it is borne with %.1f N; it weighs %.1f", load, weight)
	}
}

// The key of the dial goes round its settings, and the liquid is told.
func TestDial(t *testing.T) {
	d := newTestDancer(t, fluid.Def{CellSize: .1}, 1)
	for _, want := range []float64{.7, .3, 1} {
		if err := d.loosen(); err != nil {
			t.Fatal(err)
		}
		if run(t, d, play.Timestep); d.told.Strength != want {
			t.Errorf("α is %g, want %g", d.told.Strength, want)
		}
	}
}

// After the dance it begins again where the figure has risen.
func TestEncore(t *testing.T) {
	clip, err := dance()
	if err != nil {
		t.Fatal(err)
	}
	e := encore{clip, shapes.Risen}
	for at, want := range map[float64]float64{0: 0, 1: 1, shapes.Risen: shapes.Risen, 9: 9, shapes.End + 1: shapes.Risen + 1, 2*shapes.End - shapes.Risen + .5: shapes.Risen + .5} {
		if got := e.within(at); math.Abs(got-want) > 1e-9 {
			t.Errorf("at %g s the dance is at %g s, want %g", at, got, want)
		}
	}
}

// The same calls give the same bits.
func TestDeterminism(t *testing.T) {
	hash := func() [2]uint64 {
		d := newTestDancer(t, fluid.Def{CellSize: .1}, .7)
		run(t, d, .3)
		return [2]uint64{d.Liquid().Hash(), d.World().Hash()}
	}
	if a, b := hash(), hash(); a != b {
		t.Error("two runs differ")
	}
}

func TestDecor(t *testing.T) { playtest.Decor(t, decor.Theatre(domain, wallTop), domain) }
