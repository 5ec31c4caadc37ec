package fluidtrace

import (
	"encoding/json"
	"errors"
	"expvar"
	"runtime"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// usual is a step of 1000 unknowns: the solve takes 3 ms of 5.
func usual() fluid.Report {
	r := fluid.Report{Started: time.Now().Add(-time.Hour), Duration: 5 * time.Millisecond, Substeps: 1, Iterations: 10, Unknowns: []int{1000}}
	r.Stages[fluid.StageSolve].Duration = 3 * time.Millisecond
	r.Stages[fluid.StageAdvect].Duration = 2 * time.Millisecond
	return r
}

// scaled is that step with so many times the work, taking accordingly long.
func scaled(unknowns, iterations float64, substeps int) fluid.Report {
	r := usual()
	r.Unknowns[0] = int(1000 * unknowns)
	r.Iterations, r.Substeps = int(10*iterations), substeps
	solve, advect := 3*unknowns*iterations, 2*unknowns*float64(substeps)
	r.Stages[fluid.StageSolve].Duration = time.Duration(1e6 * solve)
	r.Stages[fluid.StageAdvect].Duration = time.Duration(1e6 * advect)
	r.Duration = time.Duration(1e6 * (solve + advect))
	return r
}

func TestCauses(t *testing.T) {
	const budget = 8 * time.Millisecond
	light := func() fluid.Report { // a tenth of the solve more is .3 ms
		r := scaled(1, 1.1, 1)
		r.Duration = 5100 * time.Microsecond
		return r
	}
	slow := usual()
	slow.Duration, slow.Stages[fluid.StageAdvect].Duration = 12*time.Millisecond, 9*time.Millisecond
	for _, c := range []struct {
		name   string
		r      fluid.Report
		budget time.Duration
		want   Miss
	}{
		{"in time", usual(), budget, Miss{}},
		{"no budget", scaled(9, 1, 1), 0, Miss{}},
		{"as long as allowed", usual(), 5 * time.Millisecond, Miss{}},
		{"unknowns", scaled(2, 1, 1), budget, Miss{Unknowns, 0, 2 * time.Millisecond}},
		{"iterations", scaled(1, 3, 1), budget, Miss{Iterations, 0, 3 * time.Millisecond}},
		{"substeps", scaled(1, 3, 3), budget, Miss{Substeps, 0, 7 * time.Millisecond}},
		{"iterations of little weight", light(), 4 * time.Millisecond, Miss{Budget, 0, 1100 * time.Microsecond}},
		{"too small", usual(), 4 * time.Millisecond, Miss{Budget, 0, time.Millisecond}},
		{"processor", slow, budget, Miss{Machine, fluid.StageAdvect, 4 * time.Millisecond}},
	} {
		var j MissClassifier
		for range 30 {
			r := usual()
			j.Step(&r, budget)
		}
		got := j.Step(&c.r, c.budget)
		if c.want.Stage == 0 {
			got.Stage = 0 // all took what is usual
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	var j MissClassifier
	r := scaled(2, 1, 1)
	if got := j.Step(&r, budget); got.Cause != Warmup {
		t.Errorf("the first step's cause is %v", got.Cause)
	}
}

// What blocks cost that change their level is learnt from steps in which some do.
func TestChangedBlocksAreFound(t *testing.T) {
	changed := func(blocks int) fluid.Report {
		r := usual()
		more := time.Duration(blocks) * 100 * time.Microsecond
		r.Stages[fluid.StageSizing].Count = blocks
		r.Stages[fluid.StageAdvect].Duration += more
		r.Duration += more
		return r
	}
	var j MissClassifier
	for i := range 400 {
		blocks := 0
		if i%5 == 0 {
			blocks = 12
		}
		r := changed(blocks)
		if m := j.Step(&r, 8*time.Millisecond); m.Cause != None {
			t.Fatalf("step %d: %v", i, m.Cause)
		}
	}
	r := changed(40)
	if m := j.Step(&r, 8*time.Millisecond); m.Cause != Changes {
		t.Errorf("40 blocks changed: %v", m.Cause)
	}
	r = changed(0)
	r.Duration, r.Stages[fluid.StageAdvect].Duration = 9*time.Millisecond, 6*time.Millisecond
	if m := j.Step(&r, 8*time.Millisecond); m.Cause != Machine {
		t.Errorf("none changed: %v", m.Cause)
	}
}

// A mesh that was carried on is no work that a step should have had time for.
func TestCarriedMeshIsNoWork(t *testing.T) {
	meshed := func() fluid.Report {
		r := usual()
		r.Stages[fluid.StageMesh].Duration = 2 * time.Millisecond
		r.Duration += 2 * time.Millisecond
		return r
	}
	var j MissClassifier
	for i := range 100 {
		r := meshed()
		if i%3 == 2 {
			r = usual()
			r.Plan.SurfaceExtrapolated = true
		}
		j.Step(&r, 0)
	}
	carried, own := usual(), meshed()
	carried.Plan.SurfaceExtrapolated, carried.Duration = true, 7*time.Millisecond
	if m := j.Step(&carried, 6*time.Millisecond); m.Cause != Machine {
		t.Errorf("without a mesh: %v", m.Cause)
	}
	if m := j.Step(&own, 6*time.Millisecond); m.Cause != Budget {
		t.Errorf("with one: %v", m.Cause)
	}
}

// A step during which the collector stopped the world is the collector's.
func TestCollectorIsFound(t *testing.T) {
	var j MissClassifier
	for range 30 {
		r := usual()
		j.Step(&r, 0)
	}
	r := usual()
	r.Started = time.Now()
	runtime.GC()
	r.Duration = time.Since(r.Started) + 6*time.Millisecond
	if got := j.Step(&r, 6*time.Millisecond); got.Cause != GarbageCollection {
		t.Errorf("the cause is %v", got.Cause)
	}
}

func TestWindow(t *testing.T) {
	w := NewWindow(100)
	if s := w.Statistics(); s != (Statistics{}) {
		t.Errorf("empty window: %+v", s)
	}
	step := func(ms int, budget time.Duration) {
		w.Step(&fluid.Report{Duration: time.Duration(ms) * time.Millisecond, Budget: fluid.Budget{Step: budget}})
	}
	step(7, 0)
	if s := w.Statistics(); s.P50 != 7*time.Millisecond || s.P99 != s.Max || s.Misses != 0 {
		t.Errorf("one step: %+v", s)
	}
	for i := 300; i > 0; i-- { // the window keeps 100 down to 1
		step(i, 90*time.Millisecond)
	}
	want := Statistics{Count: 100, P50: 50 * time.Millisecond, P95: 95 * time.Millisecond,
		P99: 99 * time.Millisecond, Max: 100 * time.Millisecond, Misses: 10}
	want.Causes[Warmup] = 10
	if s := w.Statistics(); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if oldest, missed := w.At(0); oldest != 100*time.Millisecond || !missed {
		t.Errorf("the oldest took %v, missed: %v", oldest, missed)
	}
	if newest, missed := w.At(99); newest != time.Millisecond || missed || w.Last() != 90*time.Millisecond {
		t.Errorf("the newest took %v of %v, missed: %v", newest, w.Last(), missed)
	}
	w.Budget = time.Millisecond
	if step(2, time.Second); w.Statistics().Misses != 10 || w.Last() != time.Millisecond {
		t.Errorf("the window's own budget counts for nothing: %+v", w.Statistics())
	}
}

func TestCounters(t *testing.T) {
	var c Counters
	var _ expvar.Var = &c
	for i := range 3 {
		r := usual()
		r.Budget.Step = 4 * time.Millisecond
		if i == 2 {
			r.Err = errors.New("not finite")
		}
		r.Surface.Repairs, r.Surface.Flown = 1, 2
		c.Step(&r)
	}
	var got map[string]int64
	if err := json.Unmarshal([]byte(c.String()), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"steps": 3, "missed": 3, "rolled_back": 1, "iterations": 30, "unknowns": 1000,
		"surface_repairs": 3, "surface_flown": 6, "Liquid.Step": 15e6, "Liquid.Solve": 9e6, "Liquid.Publish": 0} {
		if got[name] != want {
			t.Errorf("%s is %d, want %d", name, got[name], want)
		}
	}
}
