package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-cell 0", "from 0.01 to 0.1"},
		{"-cell inf", "from 0.01 to 0.1"},
		{"-frames 0", "whole number"},
		{"-modes fast", "uniform, adaptive, view"},
		{"-modes view,view", "without repeats"},
		{"-modes=", "uniform, adaptive, view"},
		{"-size 3x3", "the flags are -band -cell -frames -modes -unseen -work"},
		{"-work -1", "from 0 to"},
		{"now", "only flags"},
	} {
		_, _, err := readSettings(strings.Fields(c.args))
		if err == nil {
			t.Errorf("%s: no error", c.args)
		} else if text := err.Error(); !strings.HasPrefix(text, "damtank: ") || strings.Contains(text, "\n") || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %q, want one line with %q", c.args, text, c.want)
		}
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
