package budget

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestReliefComesInOrder(t *testing.T) {
	rank := map[string]int{WhyFits: 0, WhyTolerance: 1, WhyCadence: 2, WhyInvisible: 3, WhyGain: 4, WhySubsteps: 5, WhyOver: 6}
	last := 0
	seen := map[string]bool{}
	p := newSimulation(0, 1)
	for full := 8000; full < 200000; full += full / 20 {
		p.full, p.seen = full, full*3/4
		p.run(100, 0)
		why := rank[p.plan.Reason]
		if why < last {
			t.Fatalf("%d unknowns wanted: %q after a higher relief", full, p.plan.Reason)
		}
		last = why
		seen[p.plan.Reason] = true
		if why > 0 && p.plan.Tolerance <= 1e-4 || why > 1 && p.plan.Tolerance < .0099 || why > 2 && p.plan.DetailInterval < 2 {
			t.Fatalf("%d unknowns wanted: %+v", full, p.plan)
		}
		if p.plan.Substeps != 1 || p.plan.ViewGain != 1 {
			t.Fatalf("%+v", p.plan)
		}
	}
	if !seen[WhyFits] || !seen[WhyTolerance] || !seen[WhyInvisible] || !seen[WhyGain] {
		t.Fatalf("seen %v", seen)
	}
}

// White water is thinned first, by degrees and to a fourth at least, and comes back when there is time.
func TestWhiteWaterGoesFirst(t *testing.T) {
	p := newSimulation(0, 1)
	p.full, p.seen, p.white = 6000, 6000, 20_000
	if p.run(300, 0); p.plan.Reason != WhyFits || p.plan.Particles != p.white || p.alive < 19_000 {
		t.Fatalf("all fits: %+v, %d particles", p.plan, p.alive)
	}
	thinned := 0
	for full := 6000; full < 60_000; full += full / 20 {
		p.full, p.seen = full, full
		if p.run(200, 0); p.plan.Particles < p.white && p.plan.Particles > p.white/4 {
			thinned++
		}
		if p.plan.Reason == WhyTolerance && p.plan.Particles > p.white*3/10 {
			t.Fatalf("%d unknowns wanted: %+v before all white water that may go is gone", full, p.plan)
		}
		if p.plan.Reason == WhyWhite && p.plan.Tolerance > 1.01e-4 || p.plan.Particles < p.white/4 {
			t.Fatalf("%d unknowns wanted: %+v", full, p.plan)
		}
	}
	if p.plan.Particles != p.white/4 || thinned < 2 {
		t.Errorf("%+v; thinned by degrees in %d of the sizes", p.plan, thinned)
	}
	p.full, p.seen = 6000, 6000
	if p.run(600, 0); p.plan.Particles != p.white || p.plan.Reason != WhyFits {
		t.Errorf("it did not come back: %+v", p.plan)
	}
	p = newSimulation(.05, 2)
	p.white = 20_000
	if p.run(1000, 200); p.misses > 60 {
		t.Errorf("%d of 800 steps are late", p.misses)
	}
}

// A budget in work counts ten particles as an unknown.
func TestWhiteWaterInWork(t *testing.T) {
	m := New([]Kind{Particles}, Limits{})
	for full, want := range map[int]int{5000: 20_000, 9000: 4600, 20_000: 5000} {
		if p := m.Plan(Budget{Work: 10}, Demand{Full: full, Visible: full, Least: 600, Substeps: 1, MostParticles: 20_000}); max(want, 5000) != p.Particles {
			t.Errorf("%d unknowns wanted: %d particles, want %d", full, p.Particles, max(want, 5000))
		}
	}
	with := m.Plan(Budget{Work: 10}, Demand{Full: 20_000, Visible: 20_000, Substeps: 1, MostParticles: 20_000, Particles: 20_000})
	if got := with.TargetUnknowns; got != 8000 {
		t.Errorf("%d unknowns beside 20,000 particles, want 8000", got)
	}
}

func TestSubstepsGoLast(t *testing.T) {
	p := newSimulation(0, 1)
	p.subs = func(int) int { return 4 }
	p.least = 15000
	p.full = 15000
	p.run(400, 0)
	if p.plan.Substeps >= 4 || p.plan.DetailInterval != 2 || p.plan.Reason != WhySubsteps {
		t.Fatalf("%+v", p.plan)
	}
	p.least, p.full = 1000, 5000
	p.run(600, 0)
	if p.plan.Substeps != 4 {
		t.Fatalf("substeps did not come back: %+v", p.plan)
	}
	p.subs = func(int) int { return 1 }
	p.least, p.full = 500000, 500000
	if p.run(200, 0); p.plan.Reason != WhyOver || p.plan.Substeps != 1 {
		t.Fatalf("%+v", p.plan)
	}
}

func TestReliefIsGivenBack(t *testing.T) {
	p := newSimulation(.02, 1)
	p.full = 300000
	p.run(300, 0)
	if p.plan.DetailInterval != 2 || p.plan.Reason != WhyGain {
		t.Fatalf("%+v", p.plan)
	}
	p.full = 10000
	p.run(400, 0)
	if p.plan.DetailInterval != 1 || p.plan.Tolerance > 1.01e-4 || p.plan.Reason != WhyFits {
		t.Fatalf("%+v", p.plan)
	}
}

// Detail in every step may raise the number of unknowns; if they then do not fit, the cadence must not oscillate.
func TestRaisesThatFailAreTriedLessOften(t *testing.T) {
	p := newSimulation(.02, 1)
	changes, last := 0, p.plan.DetailInterval
	for range 3000 {
		p.full = 14000 + 100000*(2-p.plan.DetailInterval)
		p.advance()
		if p.plan.DetailInterval != last {
			changes++
		}
		last = p.plan.DetailInterval
	}
	if changes < 4 || changes > 24 {
		t.Fatalf("the cadence changed %d times in 3000 steps", changes)
	}
}

func TestWorkBudgetReadsNoClock(t *testing.T) {
	run := func(seed uint64) []Plan {
		r := rand.New(rand.NewPCG(seed, 2)) // the clock
		c := rand.New(rand.NewPCG(1, 2))    // the scene
		m := New([]Kind{Fixed, Surface, Solver}, Limits{})
		var plans []Plan
		for range 500 {
			p := m.Plan(Budget{Work: 37.5}, Demand{Full: c.IntN(100000), Least: c.IntN(40000), Substeps: 1 + c.IntN(4)})
			plans = append(plans, p)
			s := Step{Unknowns: c.IntN(40000), Substeps: p.Substeps, Tolerance: p.Tolerance, Total: time.Duration(r.IntN(1e8))}
			s.Stages[1], s.Stages[2] = time.Duration(r.IntN(1e7)), time.Duration(r.IntN(1e7))
			m.Observe(&s)
		}
		return plans
	}
	if !slices.Equal(run(1), run(2)) {
		t.Fatal("the clock changed the plan")
	}
	m := New(nil, Limits{})
	if p := m.Plan(Budget{Work: 30}, Demand{Substeps: 1}); p.TargetUnknowns != 30000 || p.Tolerance != 1e-4 || p.MaxIterations != 60 {
		t.Fatalf("%+v", p)
	}
	if p := m.Plan(Budget{Work: 30}, Demand{Substeps: 3}); p.TargetUnknowns != 10000 || p.Substeps != 3 {
		t.Fatalf("%+v", p)
	}
}

func TestNoBudget(t *testing.T) {
	m := New([]Kind{Surface}, Limits{Tolerance: 1e-6, ViewGain: .5})
	want := Plan{ViewGain: .5, Tolerance: 1e-6, MaxIterations: 60, Substeps: 2, DetailInterval: 1, Reason: WhyFree}
	if p := m.Plan(Budget{}, Demand{Substeps: 2}); p != want {
		t.Fatalf("%+v", p)
	}
}

func TestBadObservationsAreSurvived(t *testing.T) {
	p := newSimulation(.02, 1).run(300, 0)
	before := p.plan
	for _, s := range []Step{{}, {Total: -5, Unknowns: 4, Substeps: 1}, {Total: frame, Unknowns: -1, Substeps: 1}, {Total: frame, Unknowns: 9}} {
		p.model.Observe(&s)
	}
	if after := p.model.Plan(p.budget, Demand{Full: p.full, Least: p.least, Substeps: 1}); after.TargetUnknowns < before.TargetUnknowns*9/10 {
		t.Fatalf("%+v, before %+v", after, before)
	}
	for range 100 { // a dry domain
		p.model.Observe(&Step{Total: time.Millisecond, Substeps: 1})
		if q := p.model.Plan(p.budget, Demand{Full: 1, Substeps: 1}); q.TargetUnknowns < 512 || q.Tolerance <= 0 {
			t.Fatalf("%+v", q)
		}
	}
}

func TestModelLearnsTheCosts(t *testing.T) {
	p := newSimulation(.01, 1).run(500, 0)
	surface, solver := p.model.costs(1)
	if want := 120e-9 * math.Sqrt(20000); surface < .95*want || surface > 1.05*want {
		t.Errorf("the stages at the surface cost %v s per root, want %v", surface, want)
	}
	if want := 4 * solverCost; solver < .95*want || solver > 1.12*want {
		t.Errorf("the solver costs %v s per unknown and decade, want %v", solver, want)
	}
	if every, _ := p.model.costs(0); every > .9*surface {
		t.Errorf("of %v s per root %v are in every substep, want five sixths", surface, every)
	}
	want := .3e-3 + 20000*120e-9 + solverCost*math.Pow(20000, .75)*24
	if got := p.model.fixed + p.model.substep(1, 20000, 1e-2); got < .95*want || got > 1.12*want {
		t.Errorf("predicted %v s, want %v", got, want)
	}
}

// As many blocks may change as the time left by the plan allows: few under a target, many where all fits.
func TestChangesFitTheTimeLeft(t *testing.T) {
	for _, c := range []struct{ full, least, most int }{{1 << 30, leastChanges, 8}, {20000, 20, 60}} {
		p := newSimulation(.01, 1)
		p.full, p.fresh = c.full, func(step int) int { return 10 * (step % 2) }
		p.run(500, 0)
		if p.plan.Changes < c.least || p.plan.Changes > c.most {
			t.Errorf("%d unknowns wanted, blocks cost %.0f µs: %d may change, want %d to %d", c.full, 1e6*p.model.fresh, p.plan.Changes, c.least, c.most)
		}
	}
	p := newSimulation(.01, 1)
	p.budget = Budget{Work: 20}
	if p.run(100, 0); p.plan.Changes != 0 {
		t.Errorf("%d blocks may change within a budget of work", p.plan.Changes)
	}
}

// The reserve that the sizer leaves of its target is used, but work never exceeds its limit.
func TestTargetsMakeUpForTheSizersReserve(t *testing.T) {
	p := newSimulation(0, 1).run(500, 300)
	if m := p.model; m.over < leastOver || m.over > .995 {
		t.Errorf("%v unknowns per planned unknown", m.over)
	}
	if p.share() < .93 {
		t.Errorf("steps take %v of the budget", p.share())
	}
	p = newSimulation(0, 1)
	p.budget = Budget{Work: 20}
	if p.run(500, 0); p.plan.TargetUnknowns > 20000 {
		t.Errorf("planned %d unknowns within 20,000", p.plan.TargetUnknowns)
	}
}

func TestPlanAllocatesNothing(t *testing.T) {
	p := newSimulation(.05, 1).run(4200, 0)
	p.target, p.use = make([]float64, 0, 300), make([]time.Duration, 0, 300)
	if n := testing.AllocsPerRun(200, p.advance); n != 0 {
		t.Fatalf("%v allocations a step", n)
	}
}
