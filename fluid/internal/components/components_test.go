package components

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// hold sets the components' measured volumes.
func hold(t *Targets, held ...float64) {
	t.Resize(len(held))
	t.Measure()
	for c, v := range held {
		t.AddHeld(int32(c), v)
	}
}

// match is the data of a step: measured volumes, and volumes shared with the step before.
func match(t *Targets, held []float64, pairs ...Pair) {
	hold(t, held...)
	t.StartMatch()
	for _, p := range pairs {
		t.AddShared(p.From, p.To, p.Volume)
	}
	t.Distribute()
}

// begun returns targets equal to the measured volumes.
func begun(held ...float64) *Targets {
	t := Make()
	hold(&t, held...)
	t.ResetToHeld()
	return &t
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12 })
}

// Targets add up where components merge, and are shared by volume where one splits: their sum is constant.
func TestTargetsFollowComponents(t *testing.T) {
	v := begun(3, 5)
	match(v, []float64{7.5}, Pair{0, 0, 2.9}, Pair{1, 0, 4.6})
	if v.EndMatch(); !near(v.Target, []float64{8}) {
		t.Fatalf("merged: %v, want 8", v.Target)
	}
	match(v, []float64{1.5, 4.5}, Pair{0, 0, 1.5}, Pair{0, 1, 4}, Pair{0, 0, 0}, Pair{0, 1, .5})
	if v.EndMatch(); !near(v.Target, []float64{2, 6}) {
		t.Fatalf("split: %v, want 2 and 6", v.Target)
	}
}

// Volume that leaves all components takes its part of the target along, and volume that returns adds to a target.
func TestLooseLiquidKeepsItsTarget(t *testing.T) {
	v := begun(8, 3)
	hold(v, 6, 1)
	v.StartMatch()
	v.AddShared(0, 0, 6)
	v.AddLoose(0, 2)
	v.AddLoose(1, 3)
	v.AddBound(1, 1)
	v.Distribute()
	if v.IsOrphan(1) || v.Known(1) {
		t.Error("old 1 is of none as a whole; nothing tells where new 1 is from")
	}
	if v.EndMatch(); !near(v.Target, []float64{6, 1}) {
		t.Fatalf("loosened: %v, want 6 and 1", v.Target)
	}
	hold(v, 6.5, 3.9)
	v.StartMatch()
	v.AddShared(0, 0, 6.5)
	v.AddShared(1, 1, .9)
	v.AddBound(1, 3)
	v.Distribute()
	v.AddGain(1, 2)
	v.AddGain(1, 2)
	if v.EndMatch(); !near(v.Target, []float64{6, 5}) {
		t.Fatalf("bound: %v, want 6 and 5, since of what came 3 m³ are bound", v.Target)
	}
}

// Gained volume adds to the target, lost volume reduces it down to zero, and a component of gained volume alone
// has that as its target.
func TestGain(t *testing.T) {
	v := begun(3, 1)
	match(v, []float64{3, 1, .25}, Pair{0, 0, 3}, Pair{1, 1, 1})
	v.AddGain(0, .5)
	v.AddGain(1, -2)
	v.AddGain(2, .3)
	if v.EndMatch(); !near(v.Target, []float64{3.5, 0, .25}) {
		t.Errorf("%v, want 3.5, 0 and .25", v.Target)
	}
}

// A component that shares nothing with an old one takes its target from a parent, which keeps at least half; the target of one that is gone
// goes to a successor.
func TestOrphans(t *testing.T) {
	v := begun(4, 1)
	match(v, []float64{2, 3}, Pair{0, 0, 2})
	if !v.Unmatched() || !v.IsOrphan(1) || v.IsOrphan(0) || !v.Known(0) || v.Known(1) {
		t.Fatal("old 1 and new 1 share nothing")
	}
	v.Inherit(1, 0)
	v.Split(1, 0)
	if v.Unmatched() {
		t.Error("both are matched")
	}
	if v.EndMatch(); !near(v.Target, []float64{2.5, 2.5}) {
		t.Errorf("%v, want 2.5 twice", v.Target)
	}
	match(v, []float64{2.5, 2.5, .7}, Pair{0, 0, 1}, Pair{1, 1, 1})
	if v.EndMatch(); !near(v.Target, []float64{2.5, 2.5, .7}) {
		t.Errorf("%v, want for the new one what it holds", v.Target)
	}
}

// Pairs are ambiguous if the old component splits and the new one merges.
func TestAmbiguous(t *testing.T) {
	v := begun(1, 1)
	match(v, []float64{1, 1}, Pair{0, 0, 1}, Pair{1, 1, 1})
	if v.FindAmbiguous() {
		t.Error("two components that stay apart")
	}
	match(v, []float64{1, 1}, Pair{0, 0, .9}, Pair{0, 1, .1}, Pair{1, 1, .9})
	if !v.FindAmbiguous() || !v.Ambiguous(0, 1) || v.Ambiguous(0, 0) || v.Ambiguous(1, 1) {
		t.Error("only what 0 and 1 share is ambiguous")
	}
}

func TestBalance(t *testing.T) {
	v := begun(3, 1)
	v.Target[0] = 5
	v.Balance(.4) // 4 are held, 6 are asked for, 4.4 is right
	if s := 4.4 / 6; !near(v.Target, []float64{5 * s, s}) {
		t.Errorf("%v", v.Target)
	}
	v.Balance(1e9)
	if s := 1.5 * 4.4 / 6; !near(v.Target, []float64{5 * s, s}) {
		t.Errorf("%v: a step scales by no more than 1.5", v.Target)
	}
}

// Sources ignore errors within the measure's noise, and sealed components; they are bounded.
func TestRates(t *testing.T) {
	v := begun(1, 1, 1, 1, 0)
	copy(v.Target, []float64{1 + Noise/2, 1.001, 50, 50, 1})
	const dt = 1. / 60
	v.Defer()
	gr := &graph.Graph{Rows: 5, A: []int32{0, 1, 2, 3, 4}, Area: []float64{1, 1, 1, 1, 1}, Open: []float64{1, 1, 1, 1, 1}}
	for range gr.A {
		gr.B = append(gr.B, graph.Air)
	}
	c := &graph.Components{Label: []int32{0, 1, 2, 3, 4}, Closed: []bool{false, false, false, true, false}}
	v.ChooseRates(dt, gr, c)
	if want := []float64{0, rateGain * (.001 - Noise), RateLimit, 0, 0}; !near(v.Rate, want) {
		t.Errorf("%v, want %v", v.Rate, want)
	}
	gr.Area[2] = .2
	v.ChooseRates(dt, gr, c)
	if v.Rate[2] != 0 || v.Rate[1] == 0 {
		t.Errorf("%v: what has hardly a surface has no sources", v.Rate)
	}
	if v.Defers() {
		t.Error("it adopts in one step only")
	}
}

// A component's surface moves by the missing volume over its area, if that is more than the slack.
func TestPlanShifts(t *testing.T) {
	gr := &graph.Graph{
		Rows: 2, Size: []float32{.5, .5},
		A: []int32{0, graph.Air, 1}, B: []int32{graph.Air, 0, graph.Air}, Area: []float64{.25, .25, .25}, Open: []float64{1, .5, 1},
	}
	c := &graph.Components{Label: []int32{0, 1}, Closed: make([]bool, 2)}
	v := begun(1, 1)
	if by := v.PlanShifts(gr, c, Slack); by != nil {
		t.Errorf("%v though nothing is missing", by)
	}
	v.Target[0], v.Target[1] = 1.01, 1-Slack/2
	if by := v.PlanShifts(gr, c, Slack); !near(by, []float64{.01 / .375, 0}) {
		t.Errorf("%v m, want %g and 0", by, .01/.375)
	}
	v.Target[0] = 5
	if by := v.PlanShifts(gr, c, Slack); !near(by, []float64{shiftLimit * .5, 0}) {
		t.Errorf("%v m, want a tenth of a cell and 0", by)
	}
	c.Closed[0] = true
	if by := v.PlanShifts(gr, c, Slack); by != nil {
		t.Errorf("%v though no air touches it", by)
	}
}

// Liquid that falls asleep leaves the targets; liquid that wakes is a component of its own.
func TestAddToTargets(t *testing.T) {
	v := begun(2)
	v.Add(0, -.5)
	at := v.Begin()
	v.Add(at, .25)
	v.Add(0, -9)
	if at != 1 || !near(v.Target, []float64{0, .25}) {
		t.Errorf("%d, %v", at, v.Target)
	}
	if v.Restart(); !v.Empty() {
		t.Error("targets are left")
	}
}

func TestCode(t *testing.T) {
	v, w := begun(1, 2), begun(7)
	v.Defer()
	var c, d codec.Codec
	c.Write()
	v.CodeTargets(&c, 2)
	v.CodeDefer(&c)
	d.Read(bytes.Clone(c.Bytes()), 99)
	w.CodeTargets(&d, 2)
	w.CodeDefer(&d)
	if err := d.End(); err != nil || !near(w.Target, v.Target) || !w.Defers() {
		t.Error(err, w.Target, w.Defers())
	}
}

func TestDrift(t *testing.T) {
	g := Ledger{FilledL: 10, EmittedL: 2, DrainedL: 3, HeldL: 9.5}
	if d := g.Drift(); d != .5 {
		t.Errorf("%g l, want .5", d)
	}
}
