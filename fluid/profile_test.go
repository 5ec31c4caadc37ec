package fluid_test

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// The laps follow each other without a gap, and a stage's add up to what the report says of it.
func TestLaps(t *testing.T) {
	l, _, _ := sloshing(t)
	for range 3 {
		r := *l.Step(4 * testrig.Frame) // several substeps
		var sum [fluid.StageCount]time.Duration
		if r.Dt != 4*testrig.Frame {
			t.Errorf("a step of %g s says it was one of %g s", 4*testrig.Frame, r.Dt)
		}
		at := time.Duration(0)
		for i, lap := range r.StageSpans {
			if lap.Start != at || lap.Length < 0 {
				t.Fatalf("lap %d, %v, begins at %v; the one before ended at %v", i, lap.Stage, lap.Start, at)
			}
			at += lap.Length
			sum[lap.Stage] += lap.Length
		}
		if at > r.Duration || r.Substeps < 2 || len(r.StageSpans) < 12*r.Substeps {
			t.Errorf("%d laps of %d substeps take %v of %v", len(r.StageSpans), r.Substeps, at, r.Duration)
		}
		for s, want := range r.Stages {
			if sum[s] != want.Duration {
				t.Errorf("%v: laps of %v, the report says %v", fluid.Stage(s), sum[s], want.Duration)
			}
		}
	}
}

// What the workers do is told on request, in order per worker, and what finds no room is counted.
func TestWork(t *testing.T) {
	l, _ := testrig.Rocking(t, 2)
	if r := *l.Step(testrig.Frame); len(r.WorkerSpans) != 0 {
		t.Error("work is recorded though nobody asked for it")
	}
	profileWith := func(n int) fluid.Report {
		testrig.Must(t, l.Profile(fluid.Profiling{WorkerSpans: n}))
		return *l.Step(testrig.Frame)
	}
	r := profileWith(4096)
	var last [2]time.Duration
	for _, s := range r.WorkerSpans {
		if s.Start < last[s.Worker] || s.Length < 0 || s.Start+s.Length > r.Duration || s.Stage >= fluid.StageCount {
			t.Fatalf("%+v after %v, in a step of %v", s, last[s.Worker], r.Duration)
		}
		last[s.Worker] = s.Start + s.Length
	}
	if r.LostSpans > 0 || last[0] == 0 {
		t.Errorf("%d stretches lost; the caller worked until %v", r.LostSpans, last[0])
	}
	t.Logf("%d stretches", len(r.WorkerSpans))
	if r = profileWith(1); r.LostSpans == 0 || len(r.WorkerSpans) > 2 {
		t.Errorf("%d stretches kept and %d lost with room for one per worker", len(r.WorkerSpans), r.LostSpans)
	}
	if r = profileWith(0); len(r.WorkerSpans) != 0 || r.LostSpans != 0 {
		t.Error("work is recorded though nobody asks for it any more")
	}
	for _, n := range []int{-1, fluid.MostWork + 1} {
		if err := l.Profile(fluid.Profiling{WorkerSpans: n}); err == nil || !strings.Contains(err.Error(), "Profiling.WorkerSpans") {
			t.Errorf("Work of %d: %v", n, err)
		}
	}
}

// While a trace runs every stage is a region of it.
func TestRegions(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("the tests themselves are traced")
	}
	l, _, _ := sloshing(t)
	_, err := l.AddControl(fluid.ControlDef{Clip: testrig.BallClip(t, .15, r3.Vec{}), Strength: 1, Pose: control.Pose{Position: r3.Vec{X: .4, Y: .3, Z: .4}}})
	testrig.Must(t, err)
	var b strings.Builder
	testrig.Must(t, trace.Start(&b))
	l.Step(testrig.Frame)
	trace.Stop()
	for s := range fluid.StageCount {
		if !strings.Contains(b.String(), s.Marker()) {
			t.Errorf("the trace has no region %s", s.Marker())
		}
	}
}

// watcher notes the labels that the stage of the bodies runs under.
type watcher struct {
	*testrig.Puppet
	seen string
}

func (w *watcher) Step(dt float64) {
	w.seen = labels()
	w.Puppet.Step(dt)
}

// labels lists those of all goroutines.
func labels() string {
	var b strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
	return b.String()
}

func TestLabels(t *testing.T) {
	l, p, _ := sloshing(t)
	w := &watcher{Puppet: p}
	l.Couple(w)
	mine := pprof.WithLabels(context.Background(), pprof.Labels("game", "mine"))
	testrig.Must(t, l.Profile(fluid.Profiling{Labels: mine}))
	defer pprof.SetGoroutineLabels(context.Background())
	l.Step(testrig.Frame)
	if !strings.Contains(w.seen, "Liquid.Bodies") || !strings.Contains(w.seen, "mine") {
		t.Error("in a step its goroutine lacks the stage's label or the game's")
	}
	if after := labels(); strings.Contains(after, "Liquid.") || !strings.Contains(after, "mine") {
		t.Error("after a step its goroutine keeps the stage's label or has lost the game's")
	}
	testrig.Must(t, l.Profile(fluid.Profiling{}))
	if l.Step(testrig.Frame); strings.Contains(w.seen, "Liquid.") {
		t.Error("labels are set though nobody asks for them any more")
	}
}
