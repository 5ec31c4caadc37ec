package scene

import (
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// counted is a source that counts its steps.
type counted struct {
	Source
	steps int
	dt    float64
}

func (c *counted) Step(dt float64) fluid.Report {
	c.steps++
	c.dt = dt
	return fluid.Report{Step: c.steps, Duration: time.Millisecond}
}

// A step is taken when it is asked for, and done when its report is there, with a goroutine that comes back after its end.
func TestStepper(t *testing.T) {
	c := &counted{}
	s := stepper{source: c, dt: .02}
	s.end()
	for n := 1; n <= 6; n++ {
		if r := s.step(); r.Step != n || c.steps != n || c.dt != .02 {
			t.Fatalf("%d steps of %v s, the report is of step %d; want %d of .02 s", c.steps, c.dt, r.Step, n)
		}
		if n%3 == 0 {
			s.end()
			s.end()
		}
	}
	s.step()
	if n := testing.AllocsPerRun(100, func() { s.step() }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
	s.end()
}
