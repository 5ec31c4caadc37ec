package adapter

import (
	"github.com/meniscus3d/meniscus/fluid"
)

// background runs steps on a goroutine of its own, a batch at a time. While a batch is under way that goroutine alone
// uses the source, the bodies and the batch, and frames show the batch before.
type background struct {
	source     Source
	dt         float64 // of a step, s
	wetness    *wetness
	batches    [2]batch
	current    int          // the batch under way, or made last
	busy       bool         // it is under way
	unreported bool         // its results have not been reported
	unshown    bool         // its surface has not been shown
	worker     *worker      // makes the latest batch
	bodies     fluid.Bodies // that the batch under way shares with other liquids; nil: none
}

// batch holds the results of some steps.
type batch struct {
	steps     int
	completed int // of them, when it is done: fewer if one panicked
	results   []stepResult
	bindings  []*Binding  // those present when it began
	surface   SurfaceCopy // after the last step
}

// stepResult is a step's report and events.
type stepResult struct {
	report fluid.Report
	events fluid.Events
}

func newBackground(source Source, dt float64, w *wetness) *background {
	b := &background{source: source, dt: dt, wetness: w}
	b.worker = newWorker(func() { b.latest().run(b.source, b.dt, b.wetness) })
	return b
}

// latest is the batch under way, or made last.
func (b *background) latest() *batch { return &b.batches[b.current] }

// surface is the latest batch's surface, marked as shown.
func (b *background) surface() *SurfaceCopy {
	b.unshown = false
	return &b.latest().surface
}

// start starts n steps on the goroutine. bodies: those that the steps move, shared with other liquids; nil for none.
func (b *background) start(n int, bindings []*Binding, bodies fluid.Bodies) {
	b.current = 1 - b.current
	m := b.latest()
	m.steps = n
	m.bindings = append(m.bindings[:0], bindings...)
	for len(m.results) < n {
		m.results = append(m.results, stepResult{})
	}
	b.busy = true
	b.register(bodies)
	b.worker.start()
}

// end waits for the batch under way and ends the goroutine.
func (b *background) end() {
	defer b.worker.end()
	b.wait()
}

// run runs the batch's steps, of dt seconds.
func (m *batch) run(source Source, dt float64, w *wetness) {
	m.completed = 0
	for i := range m.steps {
		o := &m.results[i]
		report := source.Step(dt)
		o.copyFrom(report, source.Events())
		for _, k := range m.bindings {
			k.capture()
		}
		w.update(source, dt, m.bindings)
		m.completed++
	}
	m.surface.take(source, w)
}

// poll reports whether no step is under way.
func (b *background) poll() bool {
	if b.busy {
		select {
		case <-b.worker.done:
			b.finish()
			b.worker.rethrow()
		default:
		}
	}
	return !b.busy
}

// wait returns when no step is under way.
func (b *background) wait() {
	if b.busy {
		<-b.worker.done
		b.finish()
		b.worker.rethrow()
	}
}

// finish marks the batch as done. One that a panic ended has no surface to show.
func (b *background) finish() {
	m := b.latest()
	m.steps = m.completed
	b.busy, b.unreported, b.unshown = false, true, b.worker.failed == nil
	b.unregister()
}

// extraSteps is how many more steps are under way than usual, which is one, or as many as each frame takes. The shown
// moment goes that much further, so that a late step shows as little as possible, while at low frame rates the shown
// moment does not stay ahead of the steps.
func (b *background) extraSteps() int {
	return max(0, b.latest().steps-max(1, b.batches[1-b.current].steps))
}

// copyFrom copies a step's report and events.
func (o *stepResult) copyFrom(r *fluid.Report, e *fluid.Events) {
	laps, work, warnings, views := o.report.StageSpans[:0], o.report.WorkerSpans[:0], o.report.Warnings[:0], o.report.Views[:0]
	controls := o.report.Controls[:0]
	o.report = *r
	o.report.StageSpans = append(laps, r.StageSpans...)
	o.report.WorkerSpans = append(work, r.WorkerSpans...)
	o.report.Warnings = append(warnings, r.Warnings...)
	o.report.Views = append(views, r.Views...)
	o.report.Controls = append(controls, r.Controls...)
	o.events.Entered = append(o.events.Entered[:0], e.Entered...)
	o.events.Left = append(o.events.Left[:0], e.Left...)
	o.events.Splashes = append(o.events.Splashes[:0], e.Splashes...)
	o.events.Blocked = append(o.events.Blocked[:0], e.Blocked...)
	o.events.Sounds = append(o.events.Sounds[:0], e.Sounds...)
}
