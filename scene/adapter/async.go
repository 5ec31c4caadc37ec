package adapter

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// ahead is how far beyond the last step a picture goes at most, in steps: until a step that
// takes twice its time is there. Further on, what moves is too far from where it will be.
const ahead = 1

// turn takes over the steps that were under way and starts those that are due, if it can.
func (s *Stepper) turn(dt time.Duration, each []func(*fluid.Report)) {
	f, b := &s.frame, s.background
	if !b.poll() {
		s.clock.Accumulate(dt)
		f.Late = s.clock.Alpha() >= 1
	} else {
		s.takeOver(each)
		n := 0
		if n, f.Dropped = s.clock.Advance(dt); n > 0 {
			s.look()
			s.prepare()
			if b.unshown {
				s.binder.publish()
				s.picture, s.fresh = b.picture(), true
			}
			b.start(n, s.binder.bindings, s.bodies())
		}
	}
	f.Alpha = min(s.clock.Alpha()+float64(b.lead()), 1+ahead)
}

// takeOver tells the game of the steps that were under way and lets it change what they made.
func (s *Stepper) takeOver(each []func(*fluid.Report)) {
	f, b := &s.frame, s.background
	if b.untaken {
		b.untaken = false
		m := b.latest()
		f.Steps = m.steps
		for i := range m.steps {
			f.Report, s.events = m.outcomes[i].report, &m.outcomes[i].events
			s.tell(each)
		}
	}
	start := time.Now()
	for i := 0; i < len(s.changes); i++ {
		s.changes[i]()
	}
	clear(s.changes)
	s.changes = s.changes[:0]
	s.played += time.Since(start)
}

// BetweenSteps calls f, which may read and change the liquid and the bodies: at once if no step waits
// to be taken over, or else in the Update that takes it over, after each. It is for what a key or
// the network asks for between frames; call it on the goroutine of Update.
func (s *Stepper) BetweenSteps(f func()) {
	s.waitForOthers()
	if s.background != nil && (s.background.busy || s.background.untaken) {
		s.changes = append(s.changes, f)
		return
	}
	f()
}

// Accumulate returns when no step is under way. Until the next Update, which takes the steps over as
// ever, liquid and bodies are the game's. Call it before the liquid is closed, and before it is
// saved outside of each. It waits for the steps of liquids that are coupled to the same bodies too.
func (s *Stepper) Wait() {
	s.waitForOthers()
	if s.background != nil {
		s.background.wait()
	}
}
