package fluid

import (
	"strings"
	"testing"
	"time"
)

// A server plans by the clock and records its plans; a replay that is given them, on a machine with any budget, gives
// the same bits.
func TestReplayOfAWallBudget(t *testing.T) {
	const steps = 60
	var plans [steps]Plan
	var hashes [steps]uint64
	a, _ := lively(t, 2)
	different := map[Plan]bool{}
	for n := range steps {
		if err := a.SetBudget(Budget{Step: []time.Duration{time.Microsecond, time.Second}[n/20%2]}); err != nil {
			t.Fatal(err)
		}
		stirLively(t, a, n)
		plans[n] = a.Step(frame).Plan
		hashes[n] = a.Hash()
		different[plans[n]] = true
	}
	if len(different) < 3 {
		t.Errorf("the clock led to %d different plans only", len(different))
	}
	for _, budget := range []Budget{{}, {Step: 20 * time.Millisecond}} {
		b, _ := lively(t, 1)
		if err := b.SetBudget(budget); err != nil {
			t.Fatal(err)
		}
		for n, plan := range plans {
			stirLively(t, b, n)
			if err := b.Replay(plan); err != nil {
				t.Fatal(err)
			}
			if r := b.Step(frame); r.Plan != plan || b.Hash() != hashes[n] {
				t.Fatalf("budget %v: step %d of the replay followed %+v and gave other bits: %v", budget, n+1, r.Plan, b.Hash() != hashes[n])
			}
		}
		if r := b.Step(frame); budget == (Budget{}) && r.Plan == plans[steps-1] { // within a budget the clock may lead to the same one
			t.Error("a plan was followed twice")
		}
	}
}

// A plan lasts for a step, also for one that sleeps, but not for one that was refused.
func TestReplayLastsForAStep(t *testing.T) {
	l := tub(t)
	plan := l.Step(frame).Plan
	plan.Reason = "told to"
	if err := l.Replay(plan); err != nil {
		t.Fatal(err)
	}
	l.Step(nan)
	if r := l.Step(frame); r.Plan != plan {
		t.Errorf("the step followed %+v", r.Plan)
	}
	if r := l.Step(frame); r.Plan.Reason == plan.Reason {
		t.Error("the plan was followed twice")
	}
	goesOn(t, l, 100)
	if err := l.Replay(plan); err != nil || !l.sim.around.Sleep.Asleep {
		t.Fatal(err, l.sim.around.Sleep.Asleep)
	}
	if r := l.Step(frame); r.Plan != (Plan{}) {
		t.Errorf("a step that sleeps reports the plan %+v", r.Plan)
	}
	l.sim.sleep.wakeAll()
	if r := l.Step(frame); r.Plan.Reason == plan.Reason {
		t.Error("a plan was kept for later")
	}
}

func TestReplayRefusesBadPlans(t *testing.T) {
	l := tub(t)
	good := l.Step(frame).Plan
	for field, change := range map[string]func(p *Plan){
		"TargetUnknowns": func(p *Plan) { p.TargetUnknowns = -1 },
		"ViewGain":       func(p *Plan) { p.ViewGain = nan },
		"InvisibleLevel": func(p *Plan) { p.InvisibleLevel = 4 },
		"Tolerance":      func(p *Plan) { p.Tolerance = 0 },
		"MaxIterations":  func(p *Plan) { p.MaxIterations = 0 },
		"Substeps":       func(p *Plan) { p.Substeps = 65 },
		"DetailInterval": func(p *Plan) { p.DetailInterval = 0 },
		"CutAfter":       func(p *Plan) { p.CutAfter = -1 },
	} {
		p := good
		change(&p)
		if err := l.Replay(p); err == nil || !strings.Contains(err.Error(), "fluid: Replay: Plan."+field+": ") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := l.Replay(Plan{}); err != nil {
		t.Error(err)
	}
	if r := l.Step(frame); r.Plan != good {
		t.Errorf("after plans that were refused the step followed %+v", r.Plan)
	}
}
