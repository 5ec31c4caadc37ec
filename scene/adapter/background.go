package adapter

import (
	"github.com/meniscus3d/meniscus/fluid"
)

// background takes steps on a goroutine of its own, a batch at a time. While one is under way
// that goroutine has the source, the bodies and the batch to itself, and the frames show the
// batch before.
type background struct {
	source  Source
	dt      float64 // of a step, s
	batches [2]batch
	making  int          // the batch under way, or made last
	busy    bool         // it is under way
	untaken bool         // its outcomes have not been handed over
	unshown bool         // its picture has not been shown
	worker  *worker      // makes the latest batch
	bodies  fluid.Bodies // that the batch under way shares with other liquids; nil: none
}

// batch is what steps made, in memory of its own.
type batch struct {
	steps    int
	made     int // of them, once it is done: fewer if one panicked
	outcomes []outcome
	bindings []*Binding  // those that there were when it began
	picture  SurfaceCopy // after the last step
}

// outcome is what a step said.
type outcome struct {
	report fluid.Report
	events fluid.Events
}

func newBackground(source Source, dt float64) *background {
	b := &background{source: source, dt: dt}
	b.worker = newWorker(func() { b.latest().make(b.source, b.dt) })
	return b
}

// latest is the batch under way, or made last.
func (b *background) latest() *batch { return &b.batches[b.making] }

// picture is the latest batch's, to be shown.
func (b *background) picture() *SurfaceCopy {
	b.unshown = false
	return &b.latest().picture
}

// start has n steps taken from now on, which move the bodies.
func (b *background) start(n int, bindings []*Binding, bodies fluid.Bodies) {
	b.making = 1 - b.making
	m := b.latest()
	m.steps = n
	m.bindings = append(m.bindings[:0], bindings...)
	for len(m.outcomes) < n {
		m.outcomes = append(m.outcomes, outcome{})
	}
	b.busy = true
	b.enlist(bodies)
	b.worker.start()
}

// end lets the goroutine go.
func (b *background) end() {
	defer b.worker.end()
	b.wait()
}

// make takes the batch's steps, of dt seconds.
func (m *batch) make(source Source, dt float64) {
	m.made = 0
	for i := range m.steps {
		o := &m.outcomes[i]
		report := source.Step(dt)
		o.keep(&report, source.Events())
		for _, k := range m.bindings {
			k.capture()
		}
		m.made++
	}
	m.picture.CopyFrom(source.Surface())
}

// poll reports whether no step is under way.
func (b *background) poll() bool {
	if b.busy {
		select {
		case <-b.worker.done:
			b.finish()
			b.worker.tell()
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
		b.worker.tell()
	}
}

// finish notes that a batch is done. One that a panic ended has no picture.
func (b *background) finish() {
	m := b.latest()
	m.steps = m.made
	b.busy, b.untaken, b.unshown = false, true, b.worker.failed == nil
	b.strike()
}

// lead is how many steps more are under way than is usual now: one, or as many as each frame
// takes. The picture goes that much further, so that a step that comes late shows as little
// as can be, while in a game with few frames a second the picture does not run ahead of the
// steps all the time.
func (b *background) lead() int {
	return max(0, b.latest().steps-max(1, b.batches[1-b.making].steps))
}

// keep copies what a step said.
func (o *outcome) keep(r *fluid.Report, e *fluid.Events) {
	laps, work, warnings, views := o.report.StageSpans[:0], o.report.WorkerSpans[:0], o.report.Warnings[:0], o.report.Views[:0]
	o.report = *r
	o.report.StageSpans = append(laps, r.StageSpans...)
	o.report.WorkerSpans = append(work, r.WorkerSpans...)
	o.report.Warnings = append(warnings, r.Warnings...)
	o.report.Views = append(views, r.Views...)
	o.events.Entered = append(o.events.Entered[:0], e.Entered...)
	o.events.Left = append(o.events.Left[:0], e.Left...)
	o.events.Splashes = append(o.events.Splashes[:0], e.Splashes...)
	o.events.Blocked = append(o.events.Blocked[:0], e.Blocked...)
}
