package fluidtrace

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// shownSteps is how many of the last steps a summary lists.
const shownSteps = 24

// summary writes what a colleague reads first. start: the record whose state is kept, if any. lost: the steps that found
// no room since the last dump.
func (b *FlightRecorder) summary(out io.Writer, start *record, why string, lost int64) error {
	k := &b.keeper
	last := &k.newest().report
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if b.options.About != "" {
		fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(b.options.About))
	}
	fmt.Fprintf(w, "step %d, %.3f s simulated: %s\n", last.Step, last.Time, why)
	fmt.Fprintf(w, "%s %s/%s, %d of %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.NumCPU())
	fmt.Fprintf(w, "%d steps are kept; %d found no room since the last dump; %d further causes for a dump were held back\n",
		len(k.ring), lost, k.newest().held)
	fmt.Fprintf(w, "%s\n\n", b.replays(start))
	k.overview(w)
	k.stages(w)
	k.newestSteps(w)
	k.noted(w)
	return w.Flush()
}

// replays says which steps can be taken again from the state after start, nil if there is none.
func (b *FlightRecorder) replays(start *record) string {
	switch missing := b.missing.Load(); {
	case start != nil:
		from, to := start.report.Step, b.keeper.newest().report.Step
		return fmt.Sprintf("the state after step %d is kept: steps %d to %d can be taken again", from, from+1, to)
	case b.options.Liquid == nil:
		return "no state is kept: the recorder was given no liquid"
	default:
		return fmt.Sprintf("no state is kept that leads up to step %d; %d found no room", b.keeper.newest().report.Step, missing)
	}
}

// overview is the percentiles, the misses by cause, and the plan of the newest step.
func (k *keeper) overview(w io.Writer) {
	window := NewWindow(len(k.ring))
	var causes [causeCount]int
	k.each(func(e *record) {
		window.Step(&e.report)
		causes[e.miss.Cause]++
	})
	s := window.Statistics()
	fmt.Fprintf(w, "ms: p50 %.2f, p95 %.2f, p99 %.2f, max %.2f; budget %.2f\n",
		milliseconds(s.P50), milliseconds(s.P95), milliseconds(s.P99), milliseconds(s.Max), milliseconds(window.Last()))
	for c := Warmup; c < causeCount; c++ {
		if causes[c] > 0 {
			fmt.Fprintf(w, "missed %d times: %v\n", causes[c], c)
		}
	}
	p := &k.newest().report.Plan
	fmt.Fprintf(w, "plan: %s: %d unknowns, view gain %g, unseen surface at level %d, tolerance %.1e, %d iterations, %d substeps\n\n",
		p.Reason, p.TargetUnknowns, p.ViewGain, p.InvisibleLevel, p.Tolerance, p.MaxIterations, p.Substeps)
}

// stages sets the newest step's against the medians.
func (k *keeper) stages(w io.Writer) {
	last := &k.newest().report
	took := make([]time.Duration, 0, len(k.ring))
	fmt.Fprintln(w, "stage\tms\tmedian\tcount")
	for s := range fluid.StageCount {
		took = took[:0]
		k.each(func(e *record) { took = append(took, e.report.Stages[s].Duration) })
		slices.Sort(took)
		fmt.Fprintf(w, "%v\t%.3f\t%.3f\t%d\n", s, milliseconds(last.Stages[s].Duration), milliseconds(took[len(took)/2]), last.Stages[s].Count)
	}
	fmt.Fprintln(w)
}

// newestSteps lists the last ones.
func (k *keeper) newestSteps(w io.Writer) {
	fmt.Fprintln(w, "step\tms\tunknowns\ttarget\tsubsteps\titerations\tresidual\tm/s\tplan\tmiss")
	from := len(k.ring) - shownSteps
	k.each(func(e *record) {
		if from--; from >= 0 {
			return
		}
		r := &e.report
		miss := ""
		if e.miss.Cause != None {
			miss = fmt.Sprintf("%v, %v", e.miss.Cause, e.miss.Stage)
		}
		if r.Err != nil {
			miss = r.Err.Error()
		}
		fmt.Fprintf(w, "%d\t%.2f\t%d\t%d\t%d\t%d\t%.1e\t%.2f\t%s\t%s\n", r.Step, milliseconds(r.Duration), r.UnknownCount(),
			r.Plan.TargetUnknowns, r.Substeps, r.Iterations, r.Residual, r.MaxSpeed, r.Plan.Reductions(), miss)
	})
}

// noted lists what the game noted, and the liquid's warnings.
func (k *keeper) noted(w io.Writer) {
	fmt.Fprintln(w)
	k.each(func(e *record) {
		eachLine(e.notes, func(line string) { fmt.Fprintf(w, "before step %d: %s\n", e.report.Step, line) })
		for _, warning := range e.report.Warnings {
			fmt.Fprintf(w, "step %d warns: %s: %s\n", e.report.Step, warning.Knob, warning.Text)
		}
	})
}

// eachLine visits the lines of some text, each of which ends with a newline.
func eachLine(text []byte, visit func(line string)) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		visit(string(line))
		text = rest
	}
}
