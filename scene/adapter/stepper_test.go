package adapter

import (
	"math"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Update takes no more steps than MaxSteps, tells of each, and says that there is another picture once.
func TestStepperUpdate(t *testing.T) {
	src := newFake()
	calls := 0
	s := NewStepper(src, Options{MaxSteps: 2, BeforeStep: func() {
		if calls != src.steps {
			t.Errorf("before step %d each has been called %d times", src.steps+1, calls)
		}
	}})
	defer s.Close()
	f := s.Update(100*time.Millisecond, func(*fluid.Report) { calls++ })
	if f.Steps != 2 || calls != 2 || src.steps != 2 || f.Report.Step != 2 || f.Dropped == 0 || s.Dropped() != f.Dropped || !f.Stepped() || !f.SurfaceChanged {
		t.Errorf("%d steps, %d calls, source %d, report %d, dropped %v, fresh %v", f.Steps, calls, src.steps, f.Report.Step, f.Dropped, f.SurfaceChanged)
	}
	if f = s.Update(0); f.Stepped() || f.SurfaceChanged {
		t.Error("a frame without time stepped, or showed another picture")
	}
	s.Refresh(0.5)
	if f = s.Update(0); !f.SurfaceChanged {
		t.Error("no frame tells of the picture that Refresh took")
	}
}

// A first picture is there before the first step, and a frame tells of it.
func TestStepperHasAPictureAtOnce(t *testing.T) {
	for _, async := range []bool{false, true} {
		s := NewStepper(newFake(), Options{Async: async})
		if f := s.Update(0); !s.Surface().Complete() || s.Lag() < 0 || !f.SurfaceChanged {
			t.Errorf("async %v: complete %v, fresh %v", async, s.Surface().Complete(), f.SurfaceChanged)
		}
		s.Close()
	}
}

// A surface vertex goes back along its velocity, a body between its poses: both show the same moment.
func TestBackAndAlphaAgree(t *testing.T) {
	s := NewStepper(newFake(), Options{Timestep: 10 * time.Millisecond})
	defer s.Close()
	f := s.Update(14 * time.Millisecond)
	if math.Abs(f.Alpha-0.4) > 1e-9 || math.Abs(s.Lag()-0.006) > 1e-9 {
		t.Errorf("alpha %v, back %v s", f.Alpha, s.Lag())
	}
}

func TestStepperFollows(t *testing.T) {
	src := newFake()
	s := NewStepper(src, Options{})
	defer s.Close()
	s.Follow(func(dst []fluid.View) []fluid.View { return append(dst, drifting(0), drifting(1)) })
	s.Update(0)
	s.Update(0)
	if src.views != 2 {
		t.Errorf("%d views, want one per Update", src.views)
	}
	s.Follow(nil)
	s.Update(0)
	s.Update(0)
	if src.views != 3 {
		t.Errorf("%d views; want one more that clears, then none", src.views)
	}
}

// several is a source that follows several cameras.
type several struct {
	*fakeLiquid
	seen []int // views of each call
}

func (s *several) SetViews(views ...fluid.View) error {
	s.seen = append(s.seen, len(views))
	return nil
}

// Several cameras are told of at once, one alone as ever, none once.
func TestStepperFollowsSeveral(t *testing.T) {
	src := &several{fakeLiquid: newFake()}
	s := NewStepper(src, Options{})
	defer s.Close()
	cameras := 2
	s.Follow(func(dst []fluid.View) []fluid.View {
		for i := range cameras {
			dst = append(dst, drifting(float32(i)))
		}
		return dst
	})
	for _, cameras = range []int{2, 3, 1, 0, 0} {
		s.Update(0)
	}
	if len(src.seen) != 2 || src.seen[0] != 2 || src.seen[1] != 3 || src.views != 2 {
		t.Errorf("told of %v cameras at once, and %d times of one or none; want 2 and 3, and 2 times", src.seen, src.views)
	}
	if n := testing.AllocsPerRun(10, func() { s.Update(0) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestMisusePanics(t *testing.T) {
	place := new(node).place
	for name, f := range map[string]func(){
		"nil source":    func() { NewStepper(nil, Options{}) },
		"negative":      func() { NewStepper(newFake(), Options{MaxSteps: -1}) },
		"clock":         func() { new(Clock).Advance(1) },
		"nil bodies":    func() { new(Binder).Bind(nil, 0, place) },
		"nil place":     func() { new(Binder).Bind(&twoBodies{ids: []uint64{1}, x: []float64{1}}, 0, nil) },
		"no body":       func() { new(Binder).Bind(&twoBodies{}, 0, place) },
		"no such body":  func() { new(Binder).BindBody(physics.Body{}, place) },
		"nothing drawn": func() { new(Binder).BindBody(physics.Body{}, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestUpdateAllocatesNothing(t *testing.T) {
	s := NewStepper(newFake(), Options{})
	defer s.Close()
	s.Bind(&glider{newGated(nil)}, 0, new(node).place)
	s.Update(tick)
	if n := testing.AllocsPerRun(50, func() { s.Update(tick) }); n > 0 {
		t.Errorf("%v allocations per Update", n)
	}
}

// What moves with the frames goes before each step a part of its way such that it is always where the liquid is, if it moves evenly.
func TestStride(t *testing.T) {
	for _, async := range []bool{false, true} {
		var s *Stepper
		var frame, at float64 // s: where what moves is to go, and is
		s = NewStepper(newFake(), Options{Async: async, Timestep: 10 * time.Millisecond, MaxSteps: 4, BeforeStep: func() {
			dt, part := s.Stride()
			before := at
			at += part * (frame - at)
			if d := at - before - dt; math.Abs(d) > 1e-9 {
				t.Errorf("async %v: at %.3f s it goes %g s too far in %g s", async, before, d, dt)
			}
		}})
		if dt, part := s.Stride(); dt != 0 || part != 1 {
			t.Errorf("before the first step: %v s, part %v", dt, part)
		}
		for _, ms := range []time.Duration{3, 12, 27, 1, 38, 10, 5, 5, 5, 16} {
			frame += float64(ms) / 1e3
			s.Update(ms * time.Millisecond)
			s.Wait()
		}
		if want := 0.12; math.Abs(at-want) > 1e-9 {
			t.Errorf("async %v: after %.3f s it is where it was at %.3f s; want %.3f", async, frame, at, want)
		}
		s.Close()
	}
}

// What a step that has run beside the frames reports of controls outlives the step.
func TestStepResultCopiesControls(t *testing.T) {
	var o stepResult
	r := fluid.Report{Controls: []fluid.ControlReport{{ID: 1, HeldL: 5}}}
	o.copyFrom(&r, &fluid.Events{})
	r.Controls[0].HeldL = 6
	if len(o.report.Controls) != 1 || o.report.Controls[0].HeldL != 5 {
		t.Errorf("the copy has %+v", o.report.Controls)
	}
}
