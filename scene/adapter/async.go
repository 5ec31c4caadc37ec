package adapter

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// maxExtrapolation is how far beyond the last step the surface is extrapolated at most, in steps. It covers a step that
// takes twice its time; further on the error shows.
const maxExtrapolation = 1

// updateAsync takes over the steps that have finished and starts those that are due, if none is under way.
func (s *Stepper) updateAsync(dt time.Duration, each []func(*fluid.Report)) {
	f, b := &s.frame, s.background
	if !b.poll() {
		s.clock.Accumulate(dt)
		f.Late = s.clock.Alpha() >= 1
	} else {
		s.finishBatch(each)
		n := 0
		if n, f.Dropped = s.clock.Advance(dt); n > 0 {
			s.updateViews()
			s.stride, s.due = n, n
			s.callBeforeStep()
			if b.unshown {
				s.binder.publish()
				s.surface, s.surfaceChanged = b.surface(), true
			}
			s.wetness.ready(s.binder.bindings)
			b.start(n, s.binder.bindings, s.bodies())
		}
	}
	f.Alpha = min(s.clock.Alpha()+float64(b.extraSteps()), 1+maxExtrapolation)
}

// finishBatch reports the finished steps to the game and runs its deferred changes.
func (s *Stepper) finishBatch(each []func(*fluid.Report)) {
	f, b := &s.frame, s.background
	if b.unreported {
		b.unreported = false
		m := b.latest()
		f.Steps = m.steps
		for i := range m.steps {
			f.Report, s.events = m.results[i].report, &m.results[i].events
			s.callEach(each)
		}
	}
	start := time.Now()
	for i := 0; i < len(s.changes); i++ {
		s.changes[i]()
	}
	clear(s.changes)
	s.changes = s.changes[:0]
	s.callbackTime += time.Since(start)
}

// BetweenSteps calls f, which may read and change the liquid and the bodies: at once if no step waits
// to be taken over, or else in the Update that takes it over, after each. It is for what a key or
// the network asks for between frames; call it on the goroutine of Update.
func (s *Stepper) BetweenSteps(f func()) {
	s.waitForOthers()
	if s.background != nil && (s.background.busy || s.background.unreported) {
		s.changes = append(s.changes, f)
		return
	}
	f()
}

// Wait returns when no step is under way. Until the next Update, which takes the steps over as
// ever, liquid and bodies are the game's. Call it before the liquid is closed, and before it is
// saved outside of each. It waits for the steps of liquids that are coupled to the same bodies too.
func (s *Stepper) Wait() {
	s.waitForOthers()
	if s.background != nil {
		s.background.wait()
	}
}
