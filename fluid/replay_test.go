package fluid_test

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A plan lasts for a step, also for one that sleeps, but not for one that was refused.
func TestReplayLastsForAStep(t *testing.T) {
	l := testrig.Tub(t)
	plan := l.Step(testrig.Frame).Plan
	plan.Reason = "told to"
	testrig.Must(t, l.Replay(plan))
	l.Step(testrig.NaN)
	if r := *l.Step(testrig.Frame); r.Plan != plan {
		t.Errorf("the step followed %+v", r.Plan)
	}
	if r := *l.Step(testrig.Frame); r.Plan.Reason == plan.Reason {
		t.Error("the plan was followed twice")
	}
	testrig.GoesOn(t, l, 100)
	if err := l.Replay(plan); err != nil || !testrig.Around(l).Sleep.Asleep {
		t.Fatal(err, testrig.Around(l).Sleep.Asleep)
	}
	if r := *l.Step(testrig.Frame); r.Plan != (fluid.Plan{}) {
		t.Errorf("a step that sleeps reports the plan %+v", r.Plan)
	}
	fluid.WakeAll(l)
	if r := *l.Step(testrig.Frame); r.Plan.Reason == plan.Reason {
		t.Error("a plan was kept for later")
	}
}
