package main

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/fluid"
)

func newTestPump(t *testing.T, cell float64) *pump {
	t.Helper()
	p, err := newPump(fluid.Def{CellSize: cell})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func step(t *testing.T, p *pump) *fluid.Report {
	t.Helper()
	r, err := play.Step(p)
	if err != nil || r.Err != nil {
		t.Fatal(err, r.Err)
	}
	return r
}

// Every stroke lifts most of what the piston sweeps, though the tank's surface rises above the
// source's, and next to nothing flows back through a shut valve. The first stroke begins with the
// liquid at rest.
func TestStrokes(t *testing.T) {
	if testing.Short() {
		t.Skip("three strokes")
	}
	p := newTestPump(t, .05)
	before := p.tank(t)
	for p.strokes < 3 {
		n := p.strokes
		r := step(t, p)
		if drift := math.Abs(r.Ledger.DriftL) / r.Ledger.FilledL; drift > .005 {
			t.Fatalf("%.2f s: the ledger drifts by %.2f %%", p.phase, 100*drift)
		}
		// A flap that starts to open leaves a slit: 5 mm for 70 l/s make 28 m/s.
		if r.MaxSpeed > 28 {
			t.Fatalf("%.2f s: the liquid moves at %g m/s", p.phase, r.MaxSpeed)
		}
		for _, v := range []*valve{p.inlet, p.outlet} {
			if a := v.hinge.Angle(); a < -.01 || a > flapOpen+.01 {
				t.Fatalf("%.2f s: the %s is at %g rad, beyond its stops", p.phase, v.flap.Name(), a)
			}
		}
		if p.strokes == n {
			continue
		}
		t.Logf("stroke %d: %.1f l of %.1f swept, %.2f l back through a shut valve", p.strokes, p.last, swept(), p.leaked)
		if p.last < .8*swept() || p.last > 1.02*swept() {
			t.Errorf("stroke %d lifts %.1f l, the piston sweeps %.1f", p.strokes, p.last, swept())
		}
		if p.leaked > .01*swept() {
			t.Errorf("stroke %d: %.2f l flow back through a shut valve, more than 1 %% of %.1f", p.strokes, p.leaked, swept())
		}
	}
	// The meter against what the tank holds. The volume controller mends what the surface loses on the
	// one side also on the other, and cells read whole are worth a litre or two.
	apart := math.Abs(p.tank(t)-before-p.total) / p.total
	if apart > .05 {
		t.Errorf("the meter counts %.1f l, the tank gained %.1f: %.1f %% apart, wanted 5", p.total, p.tank(t)-before, 100*apart)
	}
}

// tank is what is in the tank on the right, litres.
func (p *pump) tank(t *testing.T) float64 {
	t.Helper()
	b := domain
	b.Min.X = outside
	v, err := p.Liquid().VolumeIn(fluid.Box(b))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The piston rests at its ends and its strokes join.
func TestPistonPath(t *testing.T) {
	if face(0) != lowest || math.Abs(face(.5*period)-lowest-stroke) > 1e-12 || math.Abs(face(7*period)-lowest) > 1e-9 {
		t.Errorf("faces at %g, %g, %g", face(0), face(.5*period), face(7*period))
	}
	for s := 0.; s < 2*period; s += play.Timestep {
		if d := math.Abs(face(s+play.Timestep) - face(s)); d > .6*play.Timestep {
			t.Errorf("%g s: %g m in a step", s, d)
		}
	}
}

// When the source is low the pipe brings back what is missing, and what it takes it gives.
func TestPipeFillsSource(t *testing.T) {
	p := newTestPump(t, .1)
	p.resting = true
	p.back.level = sourceLow - .01
	step(t, p)
	if !p.back.open {
		t.Fatal("the pipe stays shut")
	}
	for range 30 {
		r := step(t, p)
		p.back.level = min(p.back.level, level) // the level is full: keep the pipe open
		if l := r.Ledger; math.Abs(l.EmittedL-l.DrainedL) > .1*l.EmittedL+2 {
			t.Fatalf("%g l in, %g l out", l.EmittedL, l.DrainedL)
		}
	}
	p.back.level = level + .01
	step(t, p)
	if p.back.open {
		t.Error("the pipe stays open")
	}
}

// The same calls give the same bits.
func TestDeterminism(t *testing.T) {
	hash := func() [2]uint64 {
		p := newTestPump(t, .1)
		for range 20 {
			step(t, p)
		}
		return [2]uint64{p.Liquid().Hash(), p.World().Hash()}
	}
	if a, b := hash(), hash(); a != b {
		t.Error("two runs differ")
	}
}

// With so few cells that slivers of liquid are shut in behind the flaps, these stay on their hinges and
// within their stops, and the solve goes on converging.
func TestCoarseCellsHoldFlaps(t *testing.T) {
	p := newTestPump(t, .05)
	if err := p.Liquid().SetBudget(fluid.Budget{Work: .4}); err != nil {
		t.Fatal(err)
	}
	camera := play.NewMover("orbit", demo.Views)
	for range 150 {
		if err := p.Liquid().SetView(play.ViewOf(camera.Advance(play.Timestep, p.Subject()), option.Size{Width: 1280, Height: 720})); err != nil {
			t.Fatal(err)
		}
		if r := step(t, p); r.Residual > .01 {
			t.Fatalf("%.2f s: the solve leaves %g", p.phase, r.Residual)
		}
		for _, v := range []*valve{p.inlet, p.outlet} {
			if a := v.hinge.Angle(); a < -.01 || a > flapOpen+.01 {
				t.Fatalf("%.2f s: the %s is at %g rad", p.phase, v.flap.Name(), a)
			}
		}
	}
}
