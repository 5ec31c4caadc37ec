package main

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

func newTestFlood(t *testing.T, cell float64) *flood {
	t.Helper()
	f, err := newFlood(fluid.Def{CellSize: cell})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func step(t *testing.T, f *flood) *fluid.Report {
	t.Helper()
	r, err := play.Step(f)
	if err != nil || r.Err != nil {
		t.Fatal(err, r.Err)
	}
	return r
}

// The strut bears what the reservoir's water presses on the gate, about its hinge, until the ball
// comes; then the flood turns the wheel, and what the wheel takes from the water is what it spins with
// and what the mill used up.
func TestFloodTurnsWheel(t *testing.T) {
	if testing.Short() {
		t.Skip("four seconds")
	}
	f := newTestFlood(t, .05)
	for f.Time < letGoAt {
		step(t, f)
	}
	// The load on a wall of a depth: ½ρgh²b at two thirds of the depth.
	const thrust = .5 * 1000 * 9.81 * level * level
	moment := thrust * domain.Size().Z * (gateTop - level/3)
	head, foot := strutHead(), strutFoot()
	along := r3.Unit(r3.Sub(foot, head))
	lever := r3.Cross(r3.Sub(head, r3.Vec{Y: gateTop}), along).Z
	want := moment / math.Abs(lever)
	if got := r3.Norm(f.strut.Force()); math.Abs(got-want) > .05*want {
		t.Errorf("the strut bears %.0f N, want %.0f", got, want)
	}
	if a := math.Abs(f.hinge.Angle()); a > .01 {
		t.Errorf("the gate stands at %g rad", a)
	}
	dry := f.Liquid().Ledger().DrainedL
	for f.Time < 4.5 {
		if r := step(t, f); r.MaxSpeed > 15 {
			t.Fatalf("%.2f s: the water moves at %g m/s", f.Time, r.MaxSpeed)
		}
		if f.flowing && f.Time < 1 {
			t.Fatalf("the strut is gone at %.2f s, before the ball can have hit", f.Time)
		}
	}
	if !f.flowing || f.hinge.Angle() < .1 {
		t.Errorf("the gate did not open: %g rad", f.hinge.Angle())
	}
	if l := f.Liquid().Ledger(); dry != 0 || l.DrainedL < .1*l.FilledL {
		t.Errorf("%g l left by the open end before, %g of %g after", dry, l.DrainedL, l.FilledL)
	}
	inertia := f.wheel.MassProperties().Inertia[2][2]
	kept := inertia*f.spin*f.spin/2 + brake*f.turns*fullTurn
	t.Logf("%.0f J from the water, %.0f in the wheel and the mill; %.1f turns, %.0f W at best", f.energy, kept, f.turns, f.peak)
	if math.Abs(f.energy-kept) > .02*f.energy {
		t.Errorf("the wheel took %g J from the water and has and gave %g", f.energy, kept)
	}
	if f.turns < .5 || f.peak < 50 {
		t.Errorf("the wheel turned %g times, %g W at best", f.turns, f.peak)
	}
}

// The ball swings past the wheel and reaches the gate.
func TestBallMissesWheel(t *testing.T) {
	f := newTestFlood(t, .1)
	if err := f.letGo(); err != nil {
		t.Fatal(err)
	}
	hit := false
	for range 90 {
		step(t, f)
		for _, e := range f.World().Events().Begin {
			for _, s := range []physics.Shape{e.A, e.B} {
				switch s.Body() {
				case f.wheel:
					t.Fatal("something touches the wheel")
				case f.gate:
					hit = true
				}
			}
		}
	}
	if !hit {
		t.Error("the ball does not reach the gate")
	}
}

// The same calls give the same bits.
func TestDeterminism(t *testing.T) {
	hash := func() [2]uint64 {
		f := newTestFlood(t, .1)
		for range 20 {
			step(t, f)
		}
		return [2]uint64{f.Liquid().Hash(), f.World().Hash()}
	}
	if a, b := hash(), hash(); a != b {
		t.Error("two runs differ")
	}
}
