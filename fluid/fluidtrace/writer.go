package fluidtrace

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// Options of a Writer. The zero value of every field is a good default.
type Options struct {
	// Zero is the moment that the trace's times count from. The zero value means when the first step
	// began. With the game's own the two traces lie beside each other.
	Zero time.Time
	// PID and Process are what the tracks are grouped under. Default 1 and "Meniscus".
	PID     int
	Process string
}

// The tracks. A worker's is workerTrack more than its number.
const (
	liquidTrack = 0
	workerTrack = 1
	gameTrack   = 1000
)

// Writer streams steps as trace events that Chrome (chrome://tracing) and Perfetto (ui.perfetto.dev)
// open. A step is one write of whole lines, an event each: a file that was cut off is good up to its last
// whole line. It is for one goroutine at a time and allocates nothing once its buffer has grown.
type Writer struct {
	w          io.Writer
	options    Options
	encoder    encoder
	classifier MissClassifier
	workers    int // whose tracks are named
	gaming     bool
	asleep     bool
	why        string // of the last plan
	warned     []string
	err        error
}

// NewWriter returns a Writer that streams to w. What w is, a file say, the caller closes.
func NewWriter(w io.Writer, o Options) *Writer {
	o.PID = cmp.Or(o.PID, 1)
	o.Process = cmp.Or(o.Process, "Meniscus")
	t := &Writer{w: w, options: o}
	t.encoder.pid = o.PID
	return t
}

// Step writes a step that was taken. After an error, which Close returns, it does nothing.
func (t *Writer) Step(r *fluid.Report) { t.write(r, t.classifier.Step(r, r.Budget.Step)) }

// write writes a step that has been classified.
func (t *Writer) write(r *fluid.Report, m Miss) {
	t.open(r.Started)
	t.step(r)
	for _, lap := range r.StageSpans {
		t.span(lap.Stage.Marker(), liquidTrack, t.since(r.Started)+lap.Start, lap.Length)
		t.encoder.end()
	}
	for _, s := range r.WorkerSpans {
		t.nameWorkers(s.Worker + 1)
		t.span(s.Stage.Marker(), workerTrack+s.Worker, t.since(r.Started)+s.Start, s.Length)
		t.encoder.end()
	}
	t.counters(r)
	t.instants(r, m)
	t.flush()
}

// Span writes something that the game did, on a track of its own.
func (t *Writer) Span(name string, start time.Time, length time.Duration) {
	t.openGame(start)
	t.span(name, gameTrack, t.since(start), length)
	t.encoder.end()
	t.flush()
}

// Instant writes a moment of the game's, on the same track.
func (t *Writer) Instant(name string, at time.Time) {
	t.openGame(at)
	t.instant(name, gameTrack, t.since(at))
	t.encoder.end()
	t.flush()
}

// Close ends the trace and returns the first error of a write. The Writer must not be used afterwards.
func (t *Writer) Close() error {
	t.open(time.Time{})
	t.encoder.buf = append(t.encoder.buf, "\n]\n"...)
	t.flush()
	return t.err
}

// open writes what leads the trace, once.
func (t *Writer) open(now time.Time) {
	if t.encoder.some {
		return
	}
	if t.options.Zero.IsZero() {
		t.options.Zero = now
	}
	t.encoder.buf = append(t.encoder.buf, "[\n"...)
	t.name("process_name", liquidTrack, t.options.Process)
	t.name("thread_name", liquidTrack, "Liquid")
}

func (t *Writer) openGame(now time.Time) {
	t.open(now)
	if !t.gaming {
		t.gaming = true
		t.name("thread_name", gameTrack, "Game")
	}
}

// nameWorkers names the tracks of the first n workers.
func (t *Writer) nameWorkers(n int) {
	for ; t.workers < n; t.workers++ {
		t.name("thread_name", workerTrack+t.workers, "worker "+strconv.Itoa(t.workers))
	}
}

// name writes what a track, or the process, is called.
func (t *Writer) name(what string, track int, name string) {
	e := &t.encoder
	e.begin(metadata, what, track, 0)
	e.text("name", name)
	e.end()
}

func (t *Writer) since(at time.Time) time.Duration { return at.Sub(t.options.Zero) }

// span opens a complete event.
func (t *Writer) span(name string, track int, start, length time.Duration) {
	t.encoder.begin(complete, name, track, start)
	t.encoder.length(length)
}

// instant opens an instant.
func (t *Writer) instant(name string, track int, at time.Duration) {
	t.encoder.begin(instant, name, track, at)
	t.encoder.scope()
}

// step writes the step as a whole, with its numbers and its plan.
func (t *Writer) step(r *fluid.Report) {
	e := &t.encoder
	t.span("Liquid.Step", liquidTrack, t.since(r.Started), r.Duration)
	e.number("step", float64(r.Step))
	e.number("time_s", r.Time)
	e.number("substeps", float64(r.Substeps))
	e.number("workers", float64(r.Workers))
	e.number("unknowns", float64(r.UnknownCount()))
	e.number("nonzeros", float64(r.Nonzeros))
	e.number("iterations", float64(r.Iterations))
	e.number("residual", r.Residual)
	e.number("max_speed", r.MaxSpeed)
	e.number("drift_l", r.Ledger.DriftL)
	e.number("asleep_blocks", float64(r.AsleepBlocks))
	e.text("plan", r.Plan.Reason)
	e.number("plan_view_gain", r.Plan.ViewGain)
	e.number("plan_invisible_level", float64(r.Plan.InvisibleLevel))
	e.number("plan_iterations", float64(r.Plan.MaxIterations))
	e.number("plan_substeps", float64(r.Plan.Substeps))
	e.end()
}

// levelNames are the series of counters that have one per level, the finest first. More levels have none.
var levelNames = [...]string{"level 0", "level 1", "level 2", "level 3", "level 4", "level 5", "level 6", "level 7"}

// counters writes what is drawn over time.
func (t *Writer) counters(r *fluid.Report) {
	e := &t.encoder
	at := t.since(r.Started)
	for _, c := range [...]struct {
		name   string
		levels []int
	}{{"Liquid unknowns", r.Unknowns}, {"Liquid cells", r.Cells}} {
		if len(c.levels) == 0 { // of a step that was refused
			continue
		}
		e.begin(counter, c.name, liquidTrack, at)
		for level, n := range c.levels[:min(len(c.levels), len(levelNames))] {
			e.number(levelNames[level], float64(n))
		}
		e.end()
	}
	if m := &r.Surface; m.Vertices > 0 {
		e.begin(counter, "Liquid surface", liquidTrack, at)
		for _, c := range [...]struct {
			name string
			n    int
		}{{"vertices", m.Vertices}, {"merges", m.Merges}, {"splits", m.Splits}, {"collisions", m.Collisions}, {"repairs", m.Repairs}, {"flown", m.Flown}} {
			e.number(c.name, float64(c.n))
		}
		e.end()
	}
	t.counter("Liquid step", at, "ms", milliseconds(r.Duration))
	t.counter("Liquid budget", at, "ms", milliseconds(r.Budget.Step))
	t.counter("Liquid target unknowns", at, "unknowns", float64(r.Plan.TargetUnknowns))
	t.counter("Liquid tolerance", at, "relative", r.Plan.Tolerance)
	t.counter("Liquid residual", at, "relative", r.Residual)
	t.counter("Liquid iterations", at, "iterations", float64(r.Iterations))
}

// counter writes a counter of one series, unless its value is not finite.
func (t *Writer) counter(name string, at time.Duration, series string, v float64) {
	if v-v != 0 {
		return
	}
	t.encoder.begin(counter, name, liquidTrack, at)
	t.encoder.number(series, v)
	t.encoder.end()
}

// instants writes what happened: misses, rollbacks, work shed or taken up again, sleep, warnings.
func (t *Writer) instants(r *fluid.Report, m Miss) {
	e := &t.encoder
	at := t.since(r.Started)
	end := at + r.Duration
	if m.Cause != None {
		t.instant("missed", liquidTrack, end)
		e.text("cause", m.Cause.String())
		e.text("stage", m.Stage.Marker())
		e.number("over_ms", milliseconds(m.Over))
		e.end()
	}
	if r.Plan.CutAfter > 0 {
		t.instant("solve cut short", liquidTrack, end)
		e.number("iterations", float64(r.Plan.CutAfter))
		e.number("residual", r.Residual)
		e.end()
	}
	if r.Plan.SurfaceExtrapolated {
		t.instant("mesh carried on", liquidTrack, end)
		e.end()
	}
	if r.Err != nil {
		t.instant("rolled back", liquidTrack, end)
		e.text("reason", r.Err.Error())
		e.end()
	}
	if r.Plan.Reason != t.why && r.Plan.Reason != "" {
		t.instant("plan: "+r.Plan.Reason, liquidTrack, at)
		e.text("before", t.why)
		e.number("target_unknowns", float64(r.Plan.TargetUnknowns))
		e.number("tolerance", r.Plan.Tolerance)
		e.number("invisible_level", float64(r.Plan.InvisibleLevel))
		e.number("substeps", float64(r.Plan.Substeps))
		e.end()
		t.why = r.Plan.Reason
	}
	if asleep := r.AsleepBlocks > 0; asleep != t.asleep {
		t.asleep = asleep
		name := "wakes"
		if asleep {
			name = "sleeps"
		}
		t.instant(name, liquidTrack, at)
		e.end()
	}
	t.warnings(r, end)
}

// warnings writes those that the step before didn't have.
func (t *Writer) warnings(r *fluid.Report, at time.Duration) {
	for _, w := range r.Warnings {
		if !slices.Contains(t.warned, w.Knob) {
			t.instant("warning", liquidTrack, at)
			t.encoder.text("knob", w.Knob)
			t.encoder.text("text", w.Text)
			t.encoder.end()
		}
	}
	t.warned = t.warned[:0]
	for _, w := range r.Warnings {
		t.warned = append(t.warned, w.Knob)
	}
}

func (t *Writer) flush() {
	if t.err == nil {
		_, t.err = t.w.Write(t.encoder.buf)
	}
	t.encoder.buf = t.encoder.buf[:0]
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }
