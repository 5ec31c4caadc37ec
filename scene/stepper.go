package scene

import "github.com/meniscus3d/meniscus/fluid"

// stepper takes steps on a goroutine of its own, one at a time, while its caller waits. A caller that is locked to OpenGL's thread
// is slow to go on where the runtime has stopped it, and to wake who helps it: at 60 frames a second its steps hold three quarters
// of the unknowns that others hold, and twice as many are late.
type stepper struct {
	source Source
	dt     float64       // s
	begin  chan struct{} // has the goroutine take a step; nil without one
	done   chan struct{} // says that it is taken
	report fluid.Report
}

// step takes a step and returns its report.
func (s *stepper) step() fluid.Report {
	if s.begin == nil {
		s.begin, s.done = make(chan struct{}), make(chan struct{})
		go s.serve(s.begin)
	}
	s.begin <- struct{}{}
	<-s.done
	return s.report
}

// serve takes steps until begin is closed.
func (s *stepper) serve(begin <-chan struct{}) {
	for range begin {
		s.report = s.source.Step(s.dt)
		s.done <- struct{}{}
	}
}

// end lets the goroutine go.
func (s *stepper) end() {
	if s.begin != nil {
		close(s.begin)
		s.begin = nil
	}
}
