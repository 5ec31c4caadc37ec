package budget

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

const frame = 8 * time.Millisecond

// simulation is a simulated step: its cost, and the demand of its scene.
type simulation struct {
	r      *rand.Rand
	sigma  float64                // of the noise, relative
	full   int                    // unknowns wanted
	seen   int                    // of those; 0 means all
	least  int                    // unknowns needed
	subs   func(step int) int     // substeps wanted
	cost   func(step int) float64 // factor on the time of the stages
	power  float64                // of the unknowns that the time of the stages at the surface goes with
	stolen func(step int) float64 // factor on the whole step
	fresh  func(step int) int     // blocks whose level is to change
	each   float64                // what such a block takes, s
	white  int                    // particles of white water wanted
	alive  int                    // that there are
	obeys  bool                   // no more of them change in a step than the plan says
	model  *Model
	budget Budget

	step    int
	plan    Plan
	short   int // steps in a row without their last stage
	waiting int // blocks whose level is to change
	n       float64
	use     []time.Duration
	misses  int
	target  []float64
}

// solverCost is the time of an iteration, s. Four iterations take a decade, and the set-up as long as four decades.
const solverCost = 2.4e-8

func newSimulation(sigma float64, seed uint64) *simulation {
	return &simulation{
		r: rand.New(rand.NewPCG(seed, 1)), sigma: sigma, full: 1 << 30, least: 1000,
		subs: func(int) int { return 1 }, cost: func(int) float64 { return 1 }, stolen: func(int) float64 { return 1 }, fresh: func(int) int { return 0 },
		model:  New([]Kind{Fixed, Surface, Surface, Solver, Surface, Once, Particles}, Limits{}),
		budget: Budget{Step: frame}, power: .5, each: .1e-3,
	}
}

// run takes steps, and clears the statistics of the first ones.
func (p *simulation) run(steps, settle int) *simulation {
	for i := range steps {
		if i == settle {
			p.misses, p.target, p.use = 0, p.target[:0], p.use[:0]
		}
		p.advance()
	}
	return p
}

// advance takes a step: the sizer follows the target within a tenth, and so do the times.
func (p *simulation) advance() {
	p.step++
	subs := p.subs(p.step)
	seen := p.seen
	if seen == 0 {
		seen = p.full
	}
	p.plan = p.model.Plan(p.budget, Demand{Full: p.full, Visible: seen, Least: p.least, Substeps: subs, Particles: p.alive, MostParticles: p.white})
	n := float64(p.full)
	if p.plan.TargetUnknowns > 0 {
		n = min(n, float64(p.plan.TargetUnknowns)*(.96+.03*math.Sin(float64(p.step)/20)))
	}
	p.n = max(n, float64(p.least))
	noise := func(sigma float64) float64 { return max(1+sigma*p.r.NormFloat64(), .3) }
	s := Step{Unknowns: int(p.n), Substeps: p.plan.Substeps, Tolerance: p.plan.Tolerance}
	if p.white > 0 { // they live for a second or so
		p.alive += (p.plan.Particles - p.alive) / 20
		s.Particles = p.alive
	}
	if p.waiting += p.fresh(p.step); p.obeys && p.plan.Changes > 0 {
		s.Fresh = min(p.waiting, p.plan.Changes)
	} else {
		s.Fresh = p.waiting
	}
	p.waiting -= s.Fresh
	pace := p.cost(p.step) * p.stolen(p.step) * float64(p.plan.Substeps)
	surface := pace * 20000 * math.Pow(p.n/20000, p.power)
	decades := -math.Log10(p.plan.Tolerance)
	turns := min(int(math.Ceil(4*decades*noise(.05))), p.plan.MaxIterations)
	whole := noise(p.sigma)
	total := (.3e-3 + p.each*float64(s.Fresh)) * p.stolen(p.step) * whole
	stage := func(i int, seconds float64) {
		seconds *= whole * noise(p.sigma/2)
		total += seconds
		s.Stages[i] = time.Duration(1e9 * seconds)
	}
	stage(1, 80e-9*surface)
	stage(2, 10e-9*surface)
	stage(3, solverCost*pace*math.Pow(p.n, .75)*float64(16+turns))
	if p.step%p.plan.DetailInterval == 0 {
		stage(4, 10e-9*surface)
	}
	elapsed := time.Duration(1e9 * total)
	if s.Short = p.short < 2 && p.budget.Step > 0 && elapsed+p.model.After(4, s.Unknowns, 0, s.Tolerance) > p.budget.Step; s.Short {
		p.short++
	} else {
		p.short = 0
		stage(5, 20e-9*surface/float64(p.plan.Substeps))
	}
	if p.white > 0 {
		stage(6, 1e-7*float64(1000+p.alive)*p.stolen(p.step))
	}
	s.Total = time.Duration(1e9 * total)
	p.use = append(p.use, s.Total)
	if s.Total > frame {
		p.misses++
	}
	p.target = append(p.target, float64(p.plan.TargetUnknowns))
	p.model.Observe(&s)
}

// share returns the part of the frame that the median step takes.
func (p *simulation) share() float64 {
	sorted := slices.Sorted(slices.Values(p.use))
	return sorted[(len(sorted)+1)/2-1].Seconds() / frame.Seconds()
}

func (p *simulation) missed() float64 { return float64(p.misses) / float64(len(p.use)) }

func TestSteadyNoise(t *testing.T) {
	for _, sigma := range []float64{0, .01, .02, .05} {
		misses, steps, least := 0, 0, 1.
		for seed := range uint64(5) {
			p := newSimulation(sigma, seed).run(3000, 300)
			misses += p.misses
			steps += len(p.use)
			least = min(least, p.share())
		}
		rate := float64(misses) / float64(steps)
		t.Logf("σ %.2f: median use ≥ %.3f, %.2f %% missed", sigma, least, 100*rate)
		if rate > .01 || least < .75 {
			t.Errorf("σ %.2f: median use ≥ %.3f, %.2f %% missed", sigma, least, 100*rate)
		}
	}
}

func TestTargetDoesNotOscillate(t *testing.T) {
	p := newSimulation(.02, 3).run(3000, 1000)
	mean, square, turns := 0., 0., 0
	for i, v := range p.target {
		mean += v / float64(len(p.target))
		if i > 1 && (v-p.target[i-1])*(p.target[i-1]-p.target[i-2]) < 0 {
			turns++
		}
	}
	for _, v := range p.target {
		square += (v - mean) * (v - mean) / float64(len(p.target))
	}
	t.Logf("target %.0f ± %.1f %%, %d turns in %d steps", mean, 100*math.Sqrt(square)/mean, turns, len(p.target))
	if math.Sqrt(square) > .04*mean || turns > len(p.target)/10 {
		t.Fatal("the target swings")
	}
}

func TestSpikesAndBursts(t *testing.T) {
	burst := func(every, long int, factor float64) func(int) float64 {
		return func(step int) float64 {
			if step%every < long {
				return factor
			}
			return 1
		}
	}
	for _, c := range []struct {
		name   string
		change func(*simulation)
		use    float64
		missed float64 // beyond the spikes that nobody could foresee
	}{
		{"single spikes of 2x", func(p *simulation) { p.stolen = burst(100, 1, 2) }, .75, .021},
		{"a single spike of 2x in 20 steps", func(p *simulation) { p.stolen = burst(20, 1, 2) }, .75, .06},
		{"bursts of 2x, 3 steps in 50", func(p *simulation) { p.stolen, p.least = burst(50, 3, 2), 15000 }, .7, .062}, // half the unknowns do not save the third
		{"bursts of 2x, 10 steps", func(p *simulation) { p.stolen = burst(200, 10, 2) }, .75, .02},
		{"half the CPU stolen for 2 s of 5", func(p *simulation) { p.stolen = burst(300, 120, 2) }, .7, .02},
		{"cost per unknown drifts by half in 3 s", func(p *simulation) {
			p.cost = func(step int) float64 { return 1.25 + .25*math.Sin(float64(step)*math.Pi/180) }
		}, .75, .012},
		{"cost per unknown doubles for good", func(p *simulation) {
			p.cost = func(step int) float64 { return float64(1 + step/1500) }
		}, .75, .012},
		{"machine suspended for 10 s", func(p *simulation) {
			p.stolen = func(step int) float64 {
				if step == 1000 {
					return 1250
				}
				return 1
			}
		}, .75, .012},
		{"substeps come and go", func(p *simulation) {
			p.subs = func(step int) int { return 1 + step/100%3 }
		}, .75, .012},
	} {
		for _, power := range []float64{.4, .5, 1} {
			p := newSimulation(.03, 9)
			p.power = power
			c.change(p)
			p.run(3000, 300)
			t.Logf("%s, power %.1f: median use %.3f, %.2f %% missed", c.name, power, p.share(), 100*p.missed())
			if p.share() < c.use || p.missed() > c.missed {
				t.Errorf("%s, power %.1f: median use %.3f, want %.2f; %.2f %% missed, want %.2f", c.name, power, p.share(), c.use, 100*p.missed(), 100*c.missed)
			}
		}
	}
}

// A step in which blocks change their level takes longer, and causes no relief.
func TestFreshBlocksAreNoStrain(t *testing.T) {
	p := newSimulation(.02, 5)
	p.obeys = true
	p.fresh = func(step int) int {
		if step%40 < 3 {
			return 30
		}
		return 0
	}
	p.run(3000, 300)
	least, most := slices.Min(p.target), slices.Max(p.target)
	t.Logf("target %.0f to %.0f, median use %.3f", least, most, p.share())
	if least < .8*most || p.share() < .75 {
		t.Errorf("the target goes from %.0f to %.0f, median use %.3f", least, most, p.share())
	}
}

// The cost of a few blocks is within the noise, and must not enter the spread, nor the fixed
// time of every step.
func TestFewBlocksAreNotBlamedForTheNoise(t *testing.T) {
	for _, sigma := range []float64{.02, .05} {
		most, fixed := 0., 0.
		for seed := range uint64(5) {
			p := newSimulation(sigma, seed)
			p.fresh = func(step int) int {
				if step%100 == 0 {
					return 24
				}
				return step % 2
			}
			p.run(200, 0)
			for range 2000 {
				p.advance()
				most, fixed = max(most, p.model.fresh), max(fixed, p.model.fixed)
			}
		}
		t.Logf("σ %.2f: a block is thought to cost up to %.0f µs of 100, a step without any up to %.2f ms of .3", sigma, 1e6*most, 1e3*fixed)
		if most > 1.6e-4 || fixed > .5e-3 {
			t.Errorf("σ %.2f: a block is thought to cost up to %.0f µs of 100, a step without any up to %.2f ms of .3", sigma, 1e6*most, 1e3*fixed)
		}
	}
}

// With any noise the state of the model is decoded as it was encoded, also if a block whose level changes costs nothing.
func TestNoiseIsStoredAndRead(t *testing.T) {
	var c codec.Codec
	for seed := range uint64(4) {
		p := newSimulation(.05, seed)
		p.each = 0
		p.fresh = func(step int) int { return step % 12 }
		for range 2000 {
			p.advance()
			c.Write()
			p.model.CodeTimes(&c)
			c.Check(bytes.Clone(c.Bytes()), math.MaxInt)
			p.model.CodeTimes(&c)
			if err := c.End(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, p.step, err)
			}
		}
	}
}

func TestShedsAtOnceAndGrowsSlowly(t *testing.T) {
	p := newSimulation(0, 1).run(500, 0)
	before := float64(p.plan.TargetUnknowns)
	p.stolen = func(int) float64 { return 2 }
	p.advance() // late once, which may be anybody's doing
	if p.advance(); float64(p.plan.TargetUnknowns) < .98*before {
		t.Fatalf("target %d after a lone late step, %v before", p.plan.TargetUnknowns, before)
	}
	p.advance() // the first plan that knows of the second
	if after := float64(p.plan.TargetUnknowns); after > .55*before || after < .3*before {
		t.Fatalf("target %v after a step of twice the time, %v before", after, before)
	}
	p.stolen = func(int) float64 { return 1 }
	steps := 0
	for last := p.plan.TargetUnknowns; float64(last) < .97*before; steps++ {
		p.advance()
		most := growth
		if float64(last) < regained*before {
			most = regrowth
		}
		if now := p.plan.TargetUnknowns; float64(now) > most*float64(last)+1 || steps > 120 {
			t.Fatalf("target grew from %d to %d in step %d", last, now, steps)
		} else {
			last = now
		}
	}
	t.Logf("recovered in %d steps", steps)
}

// Two late steps in a row may be caused by the machine: they cost little detail, unless they took half as long again.
func TestTwoLateStepsCostLittle(t *testing.T) {
	p := newSimulation(0, 1).run(500, 0)
	before := float64(p.plan.TargetUnknowns)
	p.stolen = func(int) float64 { return 1.3 }
	p.advance()
	p.advance()
	p.stolen = func(int) float64 { return 1 }
	p.advance()
	if after := float64(p.plan.TargetUnknowns); after > .9*before || after < .65*before {
		t.Fatalf("target %v after two steps that took 1.3 times as long, %v before", after, before)
	}
	steps := 0
	for ; float64(p.plan.TargetUnknowns) < .95*before; steps++ {
		if p.advance(); steps > 30 {
			t.Fatalf("target %d after %d steps, %v before", p.plan.TargetUnknowns, steps, before)
		}
	}
	t.Logf("recovered in %d steps", steps)
}

// A faster machine is used soon: only the target's growth is limited.
func TestTakesWhatAFasterMachineGives(t *testing.T) {
	for _, power := range []float64{.4, .5, .6} {
		p := newSimulation(.02, 4)
		p.power = power
		p.stolen = func(step int) float64 { return 1 + .5*float64(step/1000%2) }
		p.run(2000, 0)
		slow, fast := p.target[1990], p.target[990]
		for len(p.target) < 2200 && p.target[len(p.target)-1] < .9*fast {
			p.advance()
		}
		steps, least := len(p.target)-2000, math.Log(.9*fast/slow)/math.Log(growth)
		t.Logf("power %.1f: from %.0f to nine tenths of %.0f in %d steps; growth alone takes %.0f", power, slow, fast, steps, least)
		if float64(steps) > 1.5*least+10 {
			t.Errorf("power %.1f: from %.0f to nine tenths of %.0f took %d steps", power, slow, fast, steps)
		}
	}
}

func BenchmarkObserveAndPlan(b *testing.B) {
	p := newSimulation(.05, 1).run(200, 0)
	s := Step{Unknowns: 30000, Substeps: 1, Total: frame, Tolerance: 1e-2}
	s.Stages[1], s.Stages[3] = 3*time.Millisecond, 4*time.Millisecond
	for range b.N {
		p.model.Observe(&s)
		p.plan = p.model.Plan(p.budget, Demand{Substeps: 1})
	}
}
