package budget_test

import (
	"strings"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A server plans by the clock and records its plans; a replay that is given them, on a machine with any budget, gives
// the same bits.
func TestReplayOfAWallBudget(t *testing.T) {
	const steps = 60
	var plans [steps]fluid.Plan
	var hashes [steps]uint64
	a, _ := testrig.Lively(t, 2)
	different := map[fluid.Plan]bool{}
	for n := range steps {
		testrig.Must(t, a.SetBudget(fluid.Budget{Step: []time.Duration{time.Microsecond, time.Second}[n/20%2]}))
		testrig.StirLively(t, a, n)
		plans[n] = a.Step(testrig.Frame).Plan
		hashes[n] = a.Hash()
		different[plans[n]] = true
	}
	if len(different) < 3 {
		t.Errorf("the clock led to %d different plans only", len(different))
	}
	for _, budget := range []fluid.Budget{{}, {Step: 20 * time.Millisecond}} {
		b, _ := testrig.Lively(t, 1)
		testrig.Must(t, b.SetBudget(budget))
		for n, plan := range plans {
			testrig.StirLively(t, b, n)
			testrig.Must(t, b.Replay(plan))
			if r := *b.Step(testrig.Frame); r.Plan != plan || b.Hash() != hashes[n] {
				t.Fatalf("budget %v: step %d of the replay followed %+v and gave other bits: %v", budget, n+1, r.Plan, b.Hash() != hashes[n])
			}
		}
		if r := *b.Step(testrig.Frame); budget == (fluid.Budget{}) && r.Plan == plans[steps-1] { // within a budget the clock may lead to the same one
			t.Error("a plan was followed twice")
		}
	}
}

func TestReplayRefusesBadPlans(t *testing.T) {
	l := testrig.Tub(t)
	good := l.Step(testrig.Frame).Plan
	for field, change := range map[string]func(p *fluid.Plan){
		"TargetUnknowns": func(p *fluid.Plan) { p.TargetUnknowns = -1 },
		"ViewGain":       func(p *fluid.Plan) { p.ViewGain = testrig.NaN },
		"InvisibleLevel": func(p *fluid.Plan) { p.InvisibleLevel = 4 },
		"Tolerance":      func(p *fluid.Plan) { p.Tolerance = 0 },
		"MaxIterations":  func(p *fluid.Plan) { p.MaxIterations = 0 },
		"Substeps":       func(p *fluid.Plan) { p.Substeps = 65 },
		"DetailInterval": func(p *fluid.Plan) { p.DetailInterval = 0 },
		"CutAfter":       func(p *fluid.Plan) { p.CutAfter = -1 },
	} {
		p := good
		change(&p)
		if err := l.Replay(p); err == nil || !strings.Contains(err.Error(), "fluid: Replay: Plan."+field+": ") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := l.Replay(fluid.Plan{}); err != nil {
		t.Error(err)
	}
	if r := *l.Step(testrig.Frame); r.Plan != good {
		t.Errorf("after plans that were refused the step followed %+v", r.Plan)
	}
}
