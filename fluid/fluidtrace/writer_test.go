package fluidtrace

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// event is a trace event as its document describes it.
type event struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	TS    *float64       `json:"ts"`
	Dur   *float64       `json:"dur"`
	PID   *int           `json:"pid"`
	TID   *int           `json:"tid"`
	Scope string         `json:"s"`
	Args  map[string]any `json:"args"`
}

// parse reads a trace, whole or cut off, as a viewer does: up to its last whole line.
func parse(t *testing.T, text string) []event {
	t.Helper()
	if !strings.HasSuffix(text, "]\n") {
		whole := strings.LastIndexByte(text, '\n')
		if whole < 0 {
			return nil
		}
		text = strings.TrimSuffix(text[:whole], ",") + "]"
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var events []event
	if err := d.Decode(&events); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return events
}

// check holds an event to the fields that the format asks of its phase.
func check(t *testing.T, e event) {
	t.Helper()
	if e.Name == "" || e.TS == nil || e.PID == nil || e.TID == nil || *e.TS < 0 {
		t.Fatalf("%+v lacks name, ts, pid or tid", e)
	}
	if (e.Dur != nil) != (e.Phase == "X") || (e.Scope != "") != (e.Phase == "i") {
		t.Fatalf("%+v: dur belongs to X, s to i", e)
	}
	switch e.Phase {
	case "X":
		if *e.Dur < 0 {
			t.Fatalf("%s takes %g µs", e.Name, *e.Dur)
		}
	case "i":
		if !strings.Contains("gpt", e.Scope) {
			t.Fatalf("scope %q", e.Scope)
		}
	case "C":
		if len(e.Args) == 0 {
			t.Fatalf("counter %s counts nothing", e.Name)
		}
		for k, v := range e.Args {
			if _, ok := v.(float64); !ok {
				t.Fatalf("counter %s: %s is %v", e.Name, k, v)
			}
		}
	case "M":
		if _, ok := e.Args["name"].(string); !ok || e.Name != "process_name" && e.Name != "thread_name" {
			t.Fatalf("%+v names nothing", e)
		}
	default:
		t.Fatalf("phase %q", e.Phase)
	}
}

func find(events []event, phase, name string) (found []event) {
	for _, e := range events {
		if e.Phase == phase && e.Name == name {
			found = append(found, e)
		}
	}
	return found
}

// splash is a tank in which a block of water falls, beside a pyramid of it that is held.
func splash(t testing.TB) *fluid.Liquid {
	t.Helper()
	l, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1.6, Y: 1.6, Z: 1.6}}, CellSize: .05, Resources: fluid.Resources{Workers: 2}, Budget: fluid.Budget{Step: time.Microsecond}, WhiteWater: 1000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	if err := l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .8, Y: 1.2, Z: 1.6}})); err != nil {
		t.Fatal(err)
	}
	pyramid, err := control.NewLive([][3]int32{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}, []r3.Vec{{X: .9, Z: .4}, {X: 1.5, Z: .4}, {X: 1.2, Z: 1}, {X: 1.2, Y: .6, Z: .6}})
	if err == nil {
		_, err = l.AddControl(fluid.ControlDef{Clip: pyramid, Strength: 1, Arrival: control.Appear})
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A liquid's own steps: every event has its fields, and no two of a track cross each other.
func TestTraceOfALiquid(t *testing.T) {
	l := splash(t)
	if err := l.Profile(fluid.Profiling{WorkerSpans: 4096}); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := NewWriter(&b, Options{PID: 7, Process: "test"})
	const steps = 12
	for range steps {
		r := *l.Step(1. / 60)
		w.Step(&r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(b.Bytes()) {
		t.Fatal("the closed trace is no JSON")
	}
	events := parse(t, b.String())
	ends := map[int]float64{}
	for _, e := range events {
		check(t, e)
		if *e.PID != 7 {
			t.Fatalf("%s belongs to process %d", e.Name, *e.PID)
		}
		if e.Phase != "X" || e.Name == "Liquid.Step" {
			continue
		}
		const rounding = 2e-3 // µs
		if *e.TS < ends[*e.TID]-rounding {
			t.Fatalf("%s on track %d begins at %g µs; the one before ends at %g", e.Name, *e.TID, *e.TS, ends[*e.TID])
		}
		ends[*e.TID] = *e.TS + *e.Dur
	}
	if n := len(find(events, "X", "Liquid.Step")); n != steps {
		t.Errorf("%d steps, want %d", n, steps)
	}
	for s := range fluid.StageCount {
		if n := len(find(events, "X", s.Marker())); n < steps {
			t.Errorf("%d times %s", n, s.Marker())
		}
	}
	for _, name := range []string{"Liquid unknowns", "Liquid cells", "Liquid step", "Liquid budget", "Liquid residual", "Liquid iterations"} {
		if n := len(find(events, "C", name)); n != steps {
			t.Errorf("%d values of %s, want %d", n, name, steps)
		}
	}
	if n := len(find(events, "i", "missed")); n != steps {
		t.Errorf("%d misses of a budget that nothing keeps, want %d", n, steps)
	}
	if ends[workerTrack] == 0 {
		t.Error("the first worker has no track")
	}
}

// eventful are two steps in which everything happens that a trace shows.
func eventful() []fluid.Report {
	began := time.Unix(1000, 0)
	first := fluid.Report{Step: 1, Started: began, Duration: 9 * time.Millisecond, Substeps: 1, AsleepBlocks: 3,
		Budget: fluid.Budget{Step: 8 * time.Millisecond}, Unknowns: []int{100, 20, 3, 0}, Residual: math.NaN(),
		Plan:        fluid.Plan{Reason: "all detail fits", TargetUnknowns: 4000, Tolerance: 1e-4},
		StageSpans:  []fluid.Span{{Stage: fluid.StageSolve, Start: time.Millisecond, Length: 2 * time.Millisecond}},
		WorkerSpans: []fluid.Span{{Stage: fluid.StageSolve, Worker: 1, Start: time.Millisecond, Length: time.Millisecond}},
		Warnings:    []fluid.Warning{{Knob: "dt", Text: "too \"long\"\n\x01\xff"}}}
	second := first
	second.Step, second.Started, second.AsleepBlocks = 2, began.Add(time.Second/60), 0
	second.Plan.Reason = "looser solver tolerance"
	second.Err = errors.New("not finite")
	return []fluid.Report{first, second}
}

func TestInstants(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, Options{Zero: time.Unix(999, 0)})
	reports := eventful()
	for i := range reports {
		w.Step(&reports[i])
	}
	w.Span("frame", time.Unix(1000, 0), time.Millisecond)
	w.Instant("level loaded", time.Unix(1000, 500))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	events := parse(t, b.String())
	for name, want := range map[string]int{"missed": 2, "rolled back": 1, "plan: all detail fits": 1, "plan: looser solver tolerance": 1,
		"sleeps": 1, "wakes": 1, "warning": 1, "level loaded": 1} {
		got := find(events, "i", name)
		if len(got) != want {
			t.Errorf("%d instants %q, want %d", len(got), name, want)
		}
	}
	if w := find(events, "i", "warning"); len(w) == 1 && w[0].Args["text"] != "too \"long\"\n\x01\uFFFD" {
		t.Errorf("the warning says %q", w[0].Args["text"])
	}
	if f := find(events, "X", "frame"); len(f) != 1 || *f[0].TS != 1e6 || *f[0].Dur != 1e3 || *f[0].TID != gameTrack {
		t.Errorf("the game's span is %+v", f)
	}
	if s := find(events, "X", "Liquid.Solve"); len(s) != 4 || *s[0].TS != 1e6+1e3 || *s[0].Dur != 2e3 {
		t.Errorf("the solves are %+v", s)
	}
}

// Cut off at any byte, what is whole of a trace is good.
func TestTraceCutOff(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, Options{})
	reports := eventful()
	for i := range reports {
		w.Step(&reports[i])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	all := len(parse(t, text))
	last := 0
	for n := range text {
		events := parse(t, text[:n])
		if len(events) < last || len(events) > last+1 {
			t.Fatalf("%d events in %d bytes, %d in one less", len(events), n, last)
		}
		for _, e := range events[last:] {
			check(t, e)
		}
		last = len(events)
	}
	if last != all {
		t.Errorf("%d events without the last bytes, %d with them", last, all)
	}
}

// full is a disk that takes so many writes.
type full struct{ left, tried int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	f.tried++
	if f.left--; f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrorIsKept(t *testing.T) {
	f := &full{left: 1}
	w := NewWriter(f, Options{})
	reports := eventful()
	for range 5 {
		w.Step(&reports[0])
	}
	if err := w.Close(); !errors.Is(err, errFull) || f.tried != 2 {
		t.Errorf("%v after %d writes, want the first error after 2", err, f.tried)
	}
}

func TestTracingAllocatesNothing(t *testing.T) {
	w := NewWriter(&full{left: math.MaxInt}, Options{})
	r := eventful()[0]
	r.Budget.Step = time.Second
	w.Step(&r)
	if n := testing.AllocsPerRun(50, func() { w.Step(&r) }); n > 0 {
		t.Errorf("%g allocations per step", n)
	}
}

func BenchmarkWriterStep(b *testing.B) {
	l := splash(b)
	if err := l.Profile(fluid.Profiling{WorkerSpans: 4096}); err != nil {
		b.Fatal(err)
	}
	var r fluid.Report
	for range 20 {
		r = *l.Step(1. / 60)
	}
	w := NewWriter(&full{left: math.MaxInt}, Options{})
	for b.Loop() {
		w.Step(&r)
	}
	b.ReportMetric(float64(len(r.WorkerSpans)+len(r.StageSpans)), "spans")
}
