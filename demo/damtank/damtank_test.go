package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/fluid"
)

func TestMain(m *testing.M)                { playtest.MainOf(m, &demo, .1, run) }
func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-cell 0", "from 0.01 to 0.1"},
		{"-cell inf", "from 0.01 to 0.1"},
		{"-frames 0", "whole number"},
		{"-table -modes fast", "uniform, adaptive, view"},
		{"-table -modes view,view", "without repeats"},
		{"-table -modes=", "uniform, adaptive, view"},
		{"-modes view", "-modes is for -table"},
		{"-size 3x3", "from 64 to"},
		{"-work -1", "from 0 to"},
		{"now", "only flags"},
	} {
		_, _, err := readSettings(strings.Fields(c.args))
		asked = settings{modes: modes, band: 1, unseen: 2}
		if err == nil {
			t.Errorf("%s: no error", c.args)
		} else if text := err.Error(); !strings.HasPrefix(text, "damtank: ") || strings.Contains(text, "\n") || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %q, want one line with %q", c.args, text, c.want)
		}
	}
}

// The table needs no screen. Without flags it has its own number of steps, and no limit of work.
func TestTableWithoutScreen(t *testing.T) {
	if out, code := playtest.Run(t, "-table -cell .1 -frames 1 -modes view"); code != 0 || !strings.Contains(out, "16 × 20 × 32 cells, means over 1 steps") {
		t.Errorf("exit code %d: %s", code, out)
	}
	s, _, err := readSettings([]string{"-table"})
	asked = settings{modes: modes, band: 1, unseen: 2}
	if err != nil || s.frames != 60 || s.work != 0 || s.cell != .025 || len(s.modes) != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	s, _, err = readSettings([]string{"-table", "-cells", "tetrahedra"})
	asked = settings{modes: modes, band: 1, unseen: 2}
	if err != nil || s.cells != fluid.Tetrahedra {
		t.Errorf("cells: %v, %v", s.cells, err)
	}
}

// The flood's front runs as Ritter's, 2 √(g h), at most, and well over a half of that; three dams break at most.
func TestFlood(t *testing.T) {
	f, err := newFlood(fluid.Def{CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const steps = 24
	for range steps {
		if r, err := play.Step(f); err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
	}
	ritter := 2 * math.Sqrt(9.81*dam.Water.Max.Y)
	if v := f.Readings()[0].Value / (steps * play.Timestep); v < .4*ritter || v > ritter {
		t.Errorf("the front runs at %.2f m/s, Ritter's at %.2f", v, ritter)
	}
	for range most {
		if err := f.another(); err != nil {
			t.Fatal(err)
		}
	}
	if f.dams != most {
		t.Errorf("%d dams broke", f.dams)
	}
}

func TestTable(t *testing.T) {
	rows := []row{
		{mode: uniform, step: 400 * time.Millisecond, unknowns: 1000, nonzeros: 4000, bytes: 100 << 20},
		{mode: viewed, step: 100 * time.Millisecond, unknowns: 50, nonzeros: 200, bytes: 10 << 20, rolledBack: 2},
	}
	got := table(rows, settings{cell: .02, frames: 7})
	for _, want := range []string{"80 × 100 × 160 cells", "7 steps", "| uniform  |      0.4000 |      1000 |      4000 |   100.00 |",
		" 0.250 (0.041) |", " 0.050 (0.062) |", "0.100 (0.062)", "view: 2 steps were rolled back"} {
		if !strings.Contains(got, want) {
			t.Errorf("the table lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(table(rows[1:], settings{cell: .02, frames: 7}), "to uniform") {
		t.Error("ratios without the uniform grid")
	}
}

// A coarse run of a few steps: the modes work, and each has fewer unknowns than the one before.
func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	s := settings{cell: .05, frames: 3}
	last := math.MaxInt
	for _, mode := range modes {
		r, err := measure(mode, s, func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		if r.unknowns <= 0 || r.nonzeros < r.unknowns || r.step <= 0 || r.rolledBack > 0 {
			t.Errorf("%s: %+v", mode, r)
		}
		if r.unknowns > last {
			t.Errorf("%s has %d unknowns, more than the mode before, %d", mode, r.unknowns, last)
		}
		last = r.unknowns
		t.Logf("%s: %d unknowns", mode, r.unknowns)
	}
}
