package scene

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// background takes steps on a goroutine of its own, a batch at a time. While one is under way
// that goroutine has the source, the bodies and the batch to itself, and the frames show the
// batch before.
type background struct {
	source  Source
	dt      float64 // of a step, s
	batches [2]batch
	making  int     // the batch under way, or made last
	busy    bool    // it is under way
	untaken bool    // its outcomes have not been handed over
	unshown bool    // its picture has not been shown
	worker  *worker // makes the latest batch
}

// batch is what steps made, in memory of its own.
type batch struct {
	steps    int
	outcomes []outcome
	bindings []*Binding // those that there were when it began
	picture  picture    // after the last step
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
func (b *background) picture() *picture {
	b.unshown = false
	return &b.latest().picture
}

// start has n steps taken from now on.
func (b *background) start(n int, bindings []*Binding) {
	b.making = 1 - b.making
	m := b.latest()
	m.steps = n
	m.bindings = append(m.bindings[:0], bindings...)
	for len(m.outcomes) < n {
		m.outcomes = append(m.outcomes, outcome{})
	}
	b.busy = true
	b.worker.start()
}

// end lets the goroutine go.
func (b *background) end() {
	b.wait()
	b.worker.end()
}

// make takes the batch's steps, of dt seconds.
func (m *batch) make(source Source, dt float64) {
	for i := range m.steps {
		o := &m.outcomes[i]
		report := source.Step(dt)
		o.keep(&report, source.Events())
		for _, k := range m.bindings {
			k.capture()
		}
	}
	m.picture.take(source.Surface())
}

// poll reports whether no step is under way.
func (b *background) poll() bool {
	if b.busy {
		select {
		case <-b.worker.done:
			b.finish()
		default:
		}
	}
	return !b.busy
}

// wait returns when no step is under way.
func (b *background) wait() {
	if b.busy {
		b.worker.wait()
		b.finish()
	}
}

func (b *background) finish() { b.busy, b.untaken, b.unshown = false, true, true }

// lead is how many steps more are under way than is usual now: one, or as many as each frame
// takes. The picture goes that much further, so that a step that comes late shows as little
// as can be, while in a game with few frames a second the picture does not run ahead of the
// steps all the time.
func (b *background) lead() int {
	return max(0, b.latest().steps-max(1, b.batches[1-b.making].steps))
}

// keep copies what a step said.
func (o *outcome) keep(r *fluid.Report, e *fluid.Events) {
	laps, work, warnings, views := o.report.Laps[:0], o.report.Work[:0], o.report.Warnings[:0], o.report.Views[:0]
	o.report = *r
	o.report.Laps = append(laps, r.Laps...)
	o.report.Work = append(work, r.Work...)
	o.report.Warnings = append(warnings, r.Warnings...)
	o.report.Views = append(views, r.Views...)
	o.events.Entered = append(o.events.Entered[:0], e.Entered...)
	o.events.Left = append(o.events.Left[:0], e.Left...)
	o.events.Splashes = append(o.events.Splashes[:0], e.Splashes...)
	o.events.Blocked = append(o.events.Blocked[:0], e.Blocked...)
}

// ahead is how far beyond the last step a picture goes at most, in steps: until a step that
// takes twice its time is there. Further on, what moves is too far from where it will be.
const ahead = 1

// turn takes over the steps that were under way and starts those that are due, if it can.
func (l *Liquid) turn(dt time.Duration, each []func(*fluid.Report)) {
	f, b := &l.frame, l.background
	if !b.poll() {
		l.clock.wait(dt)
		f.Late = l.clock.alpha() >= 1
	} else {
		l.takeOver(each)
		n := 0
		if n, f.Dropped = l.clock.advance(dt); n > 0 {
			l.look()
			l.prepare()
			if b.unshown {
				l.binder.publish()
				l.present(b.picture())
			}
			b.start(n, l.binder.bindings)
		}
	}
	f.Alpha = min(l.clock.alpha()+float64(b.lead()), 1+ahead)
}

// takeOver tells the game of the steps that were under way and lets it change what they made.
func (l *Liquid) takeOver(each []func(*fluid.Report)) {
	f, b := &l.frame, l.background
	if b.untaken {
		b.untaken = false
		m := b.latest()
		f.Steps = m.steps
		for i := range m.steps {
			f.Report, l.events = m.outcomes[i].report, &m.outcomes[i].events
			l.tell(each)
		}
	}
	start := time.Now()
	for i := 0; i < len(l.changes); i++ {
		l.changes[i]()
	}
	clear(l.changes)
	l.changes = l.changes[:0]
	l.played += time.Since(start)
}

// Between calls f, which may read and change the liquid and the bodies: at once if no step waits
// to be taken over, or else in the Update that takes it over, after each. It is for what a key or
// the network asks for between frames; call it on the goroutine of Update.
func (l *Liquid) Between(f func()) {
	l.waitForOthers()
	if l.background != nil && (l.background.busy || l.background.untaken) {
		l.changes = append(l.changes, f)
		return
	}
	f()
}

// Wait returns when no step is under way. Until the next Update, which takes the steps over as
// ever, liquid and bodies are the game's. Call it before the liquid is closed, and before it is
// saved outside of each. It waits for the steps of liquids that are coupled to the same bodies too.
func (l *Liquid) Wait() {
	l.waitForOthers()
	if l.background != nil {
		l.background.wait()
	}
}
