// Package budget turns the timings of past steps into the plan of the next: how many
// unknowns, how tight a tolerance, what to leave out. It reads no clock and does not depend on what the step computes.
//
// A step of N unknowns in S substeps, solved to D decades, is taken to cost
//
//	T = fixed + F·fresh + P·particle + N^½·once + S·(N^½·surface + N^¾·(4+D)·solver)
//
// where F is the number of blocks of liquid whose level changes, and P that of particles of white water. Most stages work at the surface: refined n times it has n² as
// many cells, and the liquid below it, which gets coarser with its depth, somewhat more. From 900 to 21,000 unknowns they took
// N^.45 as long in the pool, and from 900 to 15,000 N^.41 in the long tank; from 5,000 on it was N^.47 and N^.5. The
// pressure solve took N^.66 as long from 1,800 to 26,000 unknowns in the pool and N^.75 from 3,200 to 21,000 in play; setting it
// up took as long as 3.6 to 5.9 decades. The coefficients once, surface and solver are sums over the stages, smoothed
// exponentially. What that formula misses shows as spread, and the spread sets how far below the budget the plan stays.
package budget

import (
	"math"
	"time"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MaxStages is how many stages a step may have.
const MaxStages = 16

// Kind says what a stage's time grows with.
type Kind uint8

// What a stage's time grows with.
const (
	Fixed     Kind = iota // nothing that the plan could change
	Surface               // the square root of the unknowns
	Once                  // likewise, but once a step and not in every substep
	Solver                // N^¾ and the decades
	Particles             // particles of white water, once a step
)

// Step is what a step took.
type Step struct {
	Stages    [MaxStages]time.Duration // over all substeps; 0: a stage that did not run
	Total     time.Duration            // wall time, with what no stage counts
	Unknowns  int                      // of one substep
	Particles int                      // of white water
	Substeps  int
	Fresh     int     // blocks of liquid whose level changed
	Tolerance float64 // of the solve; 0 means Limits.Tolerance
	Short     bool    // a stage was left out, for want of time
}

const (
	// setUp is what a pressure solve takes before its first iteration, in decades.
	setUp = 4
	// smoothing is the weight of the newest step: 10 steps' memory follows a change within
	// a sixth of a second at 60 steps/s and leaves 0.23 of the noise.
	smoothing = .1
	// spreadSmoothing is slower, since a tail is seen seldom: 33 steps.
	spreadSmoothing = .03
	// firstSpread is assumed before anything was seen.
	firstSpread = .1
	// worstSpread is the largest relative deviation that counts: beyond it lies a spike, which no
	// margin could hold. A single one is caused by the machine: another thread had the
	// processor for a while. It counts only if the next step is late too. Nor does a single late step
	// change the plan, since coarsening the grid costs time first.
	worstSpread = .3
	// outlying spreads from the model, but no less than leastSpike of the time, lies a spike too.
	outlying, leastSpike = 4, .1
	// mostJump is how many times its value a coefficient may grow in a step, and the most that
	// strain may be, so that a machine that was suspended is not taken for one that became a
	// thousand times slower.
	mostJump = 4
	// lateness is by how much more strain each further late step in a row may add: two may still be caused by the
	// machine, and the detail that they cost takes a second to come back. It is muchLateness where they took longer than
	// expected by more than muchLate, since then something else wants the processors.
	lateness, muchLateness, muchLate = 1.15, 2, .5
	// relaxing is what is left of strain after a step in time. Where the work has really become dearer
	// the coefficients learn that about as fast.
	relaxing = .8
	// firstCost is assumed before anything was seen, s per square root of an unknown: what the first step takes, with
	// memory that was never touched.
	firstCost = 1.3e-4
	// mostFresh, s per block whose level changes, is believed at first. leastFresh is what it never falls below once it is
	// known: 0 stands for not known.
	mostFresh, leastFresh = 1e-4, 1e-9
	// manyFresh is how many such blocks weigh half of what more can at most: a few cost less than a step varies by.
	manyFresh = 16
	// fewFresh is up to how many such blocks a step tells of the spread: what more of them take is less certain, and a plan
	// bounds them.
	fewFresh = 4
	// mostOver bounds the correction for plans that were overrun in unknowns, leastOver that for those whose target was not
	// reached: the sizer keeps a twentieth of it in reserve.
	mostOver, leastOver = 1.25, .92
)

// cost is a stage's.
type cost struct {
	unit  float64 // s per what the stage's time grows with, and per substep unless it runs once
	floor float64 // of unit
}

// Model is the cost model and the state of the plan. It is a plain value: a copy of it is
// a snapshot. Methods allocate nothing.
type Model struct {
	limits   Limits
	kinds    [MaxStages]Kind
	cost     [MaxStages]cost
	fixed    float64 // s
	fresh    float64 // s per block whose level changes
	square   float64 // of the spread
	seen     int     // steps
	odd      int     // steps in a row, up to the last, that were late or took far more than expected
	strain   float64 // what the last late steps took over what the model says, ≥ 1
	over     float64 // the most unknowns of late per planned unknown
	unknowns int     // of the last step
	white    int     // particles of white water: those of the step at hand

	wall   float64 // s, the budget of the step under way; 0 none
	relief relief
}

// New makes a model of stages of the given kinds, in the order of Step.Stages; the rest is Fixed.
// It panics if there are more than MaxStages or if the limits contradict each other.
func New(kinds []Kind, limits Limits) *Model {
	if len(kinds) > MaxStages {
		panic("budget: more than MaxStages stages")
	}
	m := &Model{limits: limits.withDefaults(), square: firstSpread * firstSpread, over: 1, strain: 1}
	copy(m.kinds[:], kinds)
	m.relief.start(&m.limits)
	return m
}

// Spread is the standard deviation of a step's time about the model, relative.
func (m *Model) Spread() float64 { return math.Sqrt(m.square) }

// substep is the expected time of one of so many substeps, s, with its part of what runs once a step; of 0, without.
func (m *Model) substep(of, unknowns int, tolerance float64) float64 {
	surface, solver := m.costs(of)
	n := float64(unknowns)
	return float64(surfaceSize(n)*surface) + float64(solverSize(n)*float64(solver*(setUp+m.decades(tolerance))))
}

// After is the time that the stages that follow a stage in a substep, and so many more substeps, hardly ever exceed.
func (m *Model) After(stage, unknowns, more int, tolerance float64) time.Duration {
	t, n := 0., float64(unknowns)
	for i := stage + 1; i < MaxStages; i++ {
		t += float64(m.cost[i].unit * m.size(i, n, tolerance))
	}
	t += float64(float64(more) * m.substep(0, unknowns, tolerance))
	t *= 1 + float64(sigmas*m.Spread())
	return time.Duration(1e9 * t)
}

// size is what a stage's time goes with in a substep; 0 for a Fixed one.
func (m *Model) size(stage int, unknowns, tolerance float64) float64 {
	switch m.kinds[stage] {
	case Surface, Once:
		return surfaceSize(unknowns)
	case Solver:
		return solverSize(unknowns) * (setUp + m.decades(tolerance))
	case Particles:
		return whiteSize(m.white)
	}
	return 0
}

// times is how often a stage runs in a step.
func (m *Model) times(stage, substeps int) float64 {
	if m.kinds[stage] == Once || m.kinds[stage] == Particles {
		return 1
	}
	return float64(substeps)
}

func surfaceSize(unknowns float64) float64 { return math.Sqrt(unknowns) }

// whiteSetUp is how many particles of white water take as long as to look where new ones come.
const whiteSetUp = 1000

func whiteSize(particles int) float64 { return whiteSetUp + float64(particles) }

func solverSize(unknowns float64) float64 {
	root := math.Sqrt(unknowns)
	return root * math.Sqrt(root)
}

// Observe learns from a step that has been taken.
func (m *Model) Observe(s *Step) {
	total := s.Total.Seconds()
	if !(total > 0) || s.Unknowns < 0 || s.Substeps < 1 {
		return
	}
	m.unknowns, m.white = s.Unknowns, s.Particles
	m.observeCount(s.Unknowns)
	if m.seen > 0 {
		m.learnFresh(s, total)
		e := max(total/m.expected(s)-1, 0)
		isSpike, isLate := e > min(worstSpread, max(leastSpike, outlying*m.Spread())), m.wall > 0 && (total > m.wall || s.Short)
		if m.odd++; !isSpike && !isLate {
			m.odd = 0
		}
		if isSpike && m.odd == 1 {
			return
		}
		m.strain = 1 + float64(relaxing*(m.strain-1))
		if isLate && m.odd > 1 {
			m.noteLate(e)
		}
		if !isSpike && s.Fresh <= fewFresh {
			m.square += float64(spreadSmoothing * (float64(2*e*e) - m.square)) // one-sided: early is no trouble
		}
	}
	usual := 1 - min(m.fresh*float64(s.Fresh)/total, 1)
	rest := usual * total
	weight := max(smoothing, 1/float64(m.seen+1))
	for i, took := range s.Stages {
		if size := m.size(i, float64(s.Unknowns), s.Tolerance); took > 0 && size > 0 {
			usually, c := float64(usual*took.Seconds()), &m.cost[i]
			rest -= usually
			learn(&c.unit, usually/float64(size*m.times(i, s.Substeps)), weight)
			c.unit = max(c.unit, c.floor)
		}
	}
	if m.seen == 0 {
		m.fixed = max(rest, 0)
	} else {
		learn(&m.fixed, max(rest, 0), weight)
	}
	m.seen++
}

// noteLate records one more step in a row that was late, by so much over what the model says.
func (m *Model) noteLate(e float64) {
	each := lateness
	if e > muchLate {
		each = muchLateness
	}
	m.strain = max(m.strain, min(1+e, mostJump, reproducible.Exp2(float64(m.odd-1)*reproducible.Log2(each))))
}

// leastCostShare is the part of what a unit cost when the model was calibrated that it may come to cost.
const leastCostShare = .5

// Calibrate takes what the steps so far have cost for this machine's cost, below which the model lets it fall by no more than believable,
// and begins anew: the next steps count as much as the first ones did, and the next plan's target is what fits, at once.
func (m *Model) Calibrate() {
	m.seen = min(m.seen, 1)
	for i := range m.cost {
		m.cost[i].floor = leastCostShare * m.cost[i].unit
	}
	m.relief.start(&m.limits)
}

// observeCount learns how far the plan's unknowns were overrun, which needs no clock. Where the target falls the grid takes some
// steps to follow, which does not count: they are set against what the target was.
func (m *Model) observeCount(unknowns int) {
	m.over = leastOver + float64(.98*(m.over-leastOver))
	if t := m.relief.had; t > 0 {
		m.over = max(m.over, min(float64(unknowns)/t, mostOver))
	}
}

// learnFresh learns what a block costs whose level changes, from what a step took beyond what the model says of all its work:
// a little from a few blocks, and as much from too little as from too much.
func (m *Model) learnFresh(s *Step, total float64) {
	if s.Fresh == 0 {
		return
	}
	n := float64(s.Fresh)
	beyond := (total - m.expected(s)) / n
	if m.fresh == 0 {
		m.fresh = max(0, min(beyond, mostFresh))
		return
	}
	most := max((mostJump-1)*m.fresh, mostFresh)
	m.fresh = max(leastFresh, m.fresh+float64(smoothing*n/(n+manyFresh)*max(-most, min(beyond, most))))
}

// learn moves a coefficient towards what was seen.
func learn(c *float64, seen, weight float64) {
	if *c == 0 {
		*c = seen
		return
	}
	*c += float64(weight * (min(seen, mostJump**c) - *c))
}

// expected is the model's time for the work that a step did.
func (m *Model) expected(s *Step) float64 {
	t := m.fixed + float64(m.fresh*float64(s.Fresh))
	for i, took := range s.Stages {
		if took > 0 {
			t += float64(m.cost[i].unit * m.times(i, s.Substeps) * m.size(i, float64(s.Unknowns), s.Tolerance))
		}
	}
	return max(t, 1e-9)
}

// costs sums the stages' units, the surface's with a substep's part of those that run once a step; of no substeps, without.
func (m *Model) costs(substeps int) (surface, solver float64) {
	if m.seen == 0 {
		return firstCost, 0
	}
	for i, k := range m.kinds {
		switch unit := m.cost[i].unit; {
		case k == Solver:
			solver += unit
		case k == Surface:
			surface += unit
		case k == Once && substeps > 0:
			surface += unit / float64(substeps)
		}
	}
	return surface, solver
}

// particle is what one of white water takes, s; 0: not known.
func (m *Model) particle() (unit float64) {
	for i, k := range m.kinds {
		if k == Particles {
			unit += m.cost[i].unit
		}
	}
	return unit
}

func (m *Model) decades(tolerance float64) float64 {
	if !(tolerance > 0) {
		tolerance = m.limits.Tolerance
	}
	return max(-reproducible.Log10(tolerance), 1)
}
