package adapter

import (
	"testing"
	"time"
)

// The function has run when it was waited for, as often as it was started, on a goroutine that comes back after its end.
func TestWorker(t *testing.T) {
	runs := 0
	w := newWorker(func() { runs++ })
	w.end()
	for n := 1; n <= 6; n++ {
		w.start()
		if w.wait(); runs != n {
			t.Fatalf("ran %d times, started %d times", runs, n)
		}
		if n%3 == 0 {
			w.end()
			w.end()
		}
	}
	w.start()
	w.wait()
	if n := testing.AllocsPerRun(100, func() { w.start(); w.wait() }); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
	w.end()
}

// Update has the steps taken there, of the length that was asked for, and Close lets the goroutine go.
func TestUpdateStepsOnAWorker(t *testing.T) {
	src := newFake()
	s := NewStepper(src, Options{Timestep: 20 * time.Millisecond})
	for n := 1; n <= 6; n++ {
		f := s.Update(20 * time.Millisecond)
		if want := .02 * float64(n); f.Report.Step != n || src.steps != n || f.Report.Time < want-1e-9 || f.Report.Time > want+1e-9 {
			t.Fatalf("%d steps, the report is of step %d at %v s; want %d at %v", src.steps, f.Report.Step, f.Report.Time, n, want)
		}
	}
	if s.worker.begin == nil {
		t.Error("steps were taken without the goroutine")
	}
	if s.Close(); s.worker.begin != nil {
		t.Error("the goroutine is kept")
	}
}
