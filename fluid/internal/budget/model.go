// Package budget plans the next step from the times of past steps: how many
// unknowns, how tight a tolerance, what to leave out. It reads no clock but in Deadline, and does not depend on what a step computes.
//
// The model of the time of a step with N unknowns in S substeps, solved to D decades, is
//
//	T = fixed + F·fresh + P·particle + N^½·once + S·(N^½·surface + N^¾·(4+D)·solver)
//
// where F is the number of liquid blocks whose level changes, and P that of white water's particles. Most stages work at the surface: refined n times
// it has n² as many cells, and the liquid below it, which gets coarser with depth, somewhat more. From 900 to 21,000 unknowns they took N^.45 as long
// in the pool, and from 900 to 15,000 N^.41 in the long tank; from 5,000 on it was N^.47 and N^.5. The pressure solve took N^.66 as long from 1,800
// to 26,000 unknowns in the pool and N^.75 from 3,200 to 21,000 in play; its set-up took as long as 3.6 to 5.9 decades. The coefficients once,
// surface and solver are sums over the stages, smoothed exponentially. The model's error is the spread, which sets how far below the budget the plan
// stays.
package budget

import (
	"math"
	"time"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// MaxStages is the greatest number of stages of a step.
const MaxStages = 16

// Kind is what a stage's time grows with.
type Kind uint8

// The kinds of stages, by what their time grows with.
const (
	Fixed     Kind = iota // nothing that the plan can change
	Surface               // the square root of the unknowns
	Once                  // likewise, but once a step and not per substep
	Solver                // N^¾ and the decades
	Particles             // particles of white water, once a step
)

// Step is the measurement of a step.
type Step struct {
	Stages    [MaxStages]time.Duration // over all substeps; 0: a stage that did not run
	Total     time.Duration            // wall time, including what no stage counts
	Unknowns  int                      // of one substep
	Particles int                      // of white water
	Substeps  int
	Fresh     int     // blocks of liquid whose level changed
	Tolerance float64 // of the solve; 0 means Limits.Tolerance
	Short     bool    // a stage was left out for lack of time
}

const (
	// setUp is the cost of a pressure solve before its first iteration, in decades.
	setUp = 4
	// smoothing is the weight of the newest step: 10 steps' memory follows a change within
	// a sixth of a second at 60 steps/s and leaves 0.23 of the noise.
	smoothing = .1
	// spreadSmoothing is slower, since large deviations are rare: 33 steps.
	spreadSmoothing = .03
	// firstSpread is the spread assumed before the first step.
	firstSpread = .1
	// worstSpread is the largest relative deviation that enters the spread. A larger one is a spike, which no
	// margin could cover. A single spike is caused by the machine: another thread had the
	// processor for a while. It counts only if the next step is late too. A single late step does not
	// change the plan either, since coarsening the grid costs time first.
	worstSpread = .3
	// A deviation of more than outlying spreads, and at least leastSpike of the time, is a spike too.
	outlying, leastSpike = 4, .1
	// mostJump is the greatest factor by which a coefficient may grow in a step, and the greatest
	// strain: a machine that was suspended must not count as one that became a
	// thousand times slower.
	mostJump = 4
	// lateness is the factor by which each further late step in a row may raise strain: two may still be caused by the
	// machine, and the detail that they cost takes a second to come back. The factor is muchLateness where steps took longer than
	// expected by more than muchLate: another process then uses the processors.
	lateness, muchLateness, muchLate = 1.15, 2, .5
	// relaxing is the factor on strain - 1 after a step in time. Where the work has really become dearer
	// the coefficients follow about as fast.
	relaxing = .8
	// firstCost is the cost assumed before the first step, s per square root of an unknown: that of a first step, whose
	// memory was never touched.
	firstCost = 1.3e-4
	// mostFresh is the greatest first estimate, s per block whose level changes. leastFresh is the least later
	// value: 0 means that there is no estimate.
	mostFresh, leastFresh = 1e-4, 1e-9
	// manyFresh is the number of such blocks that weigh half of the maximum: a few cost less than a step varies by.
	manyFresh = 16
	// fewFresh is the greatest number of such blocks in a step that enters the spread: the cost of more is less certain, and a plan
	// bounds them.
	fewFresh = 4
	// mostOver bounds the correction for plans whose unknowns were exceeded, leastOver that for plans whose target was not
	// reached: the sizer keeps a twentieth of it in reserve.
	mostOver, leastOver = 1.25, .92
)

// cost is the cost of a stage.
type cost struct {
	unit  float64 // s per unit of the stage's size, and per substep unless it runs once
	floor float64 // least unit
}

// Model is the cost model and the state of the plan. It is a plain value: a copy is
// a snapshot. Methods allocate nothing.
type Model struct {
	limits   Limits
	kinds    [MaxStages]Kind
	cost     [MaxStages]cost
	fixed    float64 // s
	fresh    float64 // s per block whose level changes
	square   float64 // of the spread
	seen     int     // steps observed
	outliers int     // latest steps in a row that were late or spikes
	strain   float64 // factor of the last late steps over the model, ≥ 1
	over     float64 // greatest recent ratio of unknowns to planned ones
	unknowns int     // of the last step
	white    int     // particles of white water in the current step

	wall   float64 // budget of the current step, s; 0 none
	relief relief
}

// New returns a model of stages of the given kinds, in the order of Step.Stages; other stages are Fixed.
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

// Spread returns the standard deviation of a step's time from the model, relative.
func (m *Model) Spread() float64 { return math.Sqrt(m.square) }

// substep returns the expected time of one of a number of substeps, s, including its share of stages that run once a step; without that share for 0
// substeps.
func (m *Model) substep(of, unknowns int, tolerance float64) float64 {
	surface, solver := m.costs(of)
	n := float64(unknowns)
	return float64(surfaceSize(n)*surface) + float64(solverSize(n)*float64(solver*(setUp+m.decades(tolerance))))
}

// After returns a time that is hardly ever exceeded by the stages after a stage in a substep and a number of further substeps.
func (m *Model) After(stage, unknowns, more int, tolerance float64) time.Duration {
	t, n := 0., float64(unknowns)
	for i := stage + 1; i < MaxStages; i++ {
		t += float64(m.cost[i].unit * m.size(i, n, tolerance))
	}
	t += float64(float64(more) * m.substep(0, unknowns, tolerance))
	t *= 1 + float64(sigmas*m.Spread())
	return time.Duration(1e9 * t)
}

// size returns the size that a stage's time is proportional to, per substep; 0 for a Fixed one.
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

// times returns the number of times that a stage runs in a step.
func (m *Model) times(stage, substeps int) float64 {
	if m.kinds[stage] == Once || m.kinds[stage] == Particles {
		return 1
	}
	return float64(substeps)
}

func surfaceSize(unknowns float64) float64 { return math.Sqrt(unknowns) }

// whiteSetUp is the cost of seeding white water, in particles.
const whiteSetUp = 1000

func whiteSize(particles int) float64 { return whiteSetUp + float64(particles) }

func solverSize(unknowns float64) float64 {
	root := math.Sqrt(unknowns)
	return root * math.Sqrt(root)
}

// Observe updates the model with a step.
func (m *Model) Observe(s *Step) {
	total := s.Total.Seconds()
	if !(total > 0) || s.Unknowns < 0 || s.Substeps < 1 {
		return
	}
	m.unknowns, m.white = s.Unknowns, s.Particles
	m.observeCount(s.Unknowns)
	if m.seen > 0 {
		m.updateFresh(s, total)
		e := max(total/m.expected(s)-1, 0)
		isSpike, isLate := e > min(worstSpread, max(leastSpike, outlying*m.Spread())), m.wall > 0 && (total > m.wall || s.Short)
		if m.outliers++; !isSpike && !isLate {
			m.outliers = 0
		}
		if isSpike && m.outliers == 1 {
			return
		}
		m.strain = 1 + float64(relaxing*(m.strain-1))
		if isLate && m.outliers > 1 {
			m.raiseStrain(e)
		}
		if !isSpike && s.Fresh <= fewFresh {
			m.square += float64(spreadSmoothing * (float64(2*e*e) - m.square)) // one-sided: early steps are no problem
		}
	}
	usual := 1 - min(m.fresh*float64(s.Fresh)/total, 1)
	rest := usual * total
	weight := max(smoothing, 1/float64(m.seen+1))
	for i, took := range s.Stages {
		if size := m.size(i, float64(s.Unknowns), s.Tolerance); took > 0 && size > 0 {
			usually, c := float64(usual*took.Seconds()), &m.cost[i]
			rest -= usually
			smooth(&c.unit, usually/float64(size*m.times(i, s.Substeps)), weight)
			c.unit = max(c.unit, c.floor)
		}
	}
	if m.seen == 0 {
		m.fixed = max(rest, 0)
	} else {
		smooth(&m.fixed, max(rest, 0), weight)
	}
	m.seen++
}

// raiseStrain raises strain for one more late step in a row, which exceeded the model by e, relative.
func (m *Model) raiseStrain(e float64) {
	each := lateness
	if e > muchLate {
		each = muchLateness
	}
	m.strain = max(m.strain, min(1+e, mostJump, reproducible.Exp2(float64(m.outliers-1)*reproducible.Log2(each))))
}

// leastCostShare is the least value of a unit cost, relative to that at calibration.
const leastCostShare = .5

// Calibrate takes the costs so far for this machine's: they never fall below leastCostShare of it.
// The smoothing restarts, so that the next steps count as much as the first ones did, and the next plan's target is at once what fits.
func (m *Model) Calibrate() {
	m.seen = min(m.seen, 1)
	for i := range m.cost {
		m.cost[i].floor = leastCostShare * m.cost[i].unit
	}
	m.relief.start(&m.limits)
}

// observeCount updates the ratio of unknowns to planned ones, without times. It compares with the greatest recent target, since the grid
// follows a falling target only after some steps.
func (m *Model) observeCount(unknowns int) {
	m.over = leastOver + float64(.98*(m.over-leastOver))
	if t := m.relief.recentTarget; t > 0 {
		m.over = max(m.over, min(float64(unknowns)/t, mostOver))
	}
}

// updateFresh updates the cost of a block whose level changes from the difference between a step's time and the model's. A few blocks have
// little weight; errors of both signs weigh the same.
func (m *Model) updateFresh(s *Step, total float64) {
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

// smooth moves a coefficient towards a measured value.
func smooth(c *float64, seen, weight float64) {
	if *c == 0 {
		*c = seen
		return
	}
	*c += float64(weight * (min(seen, mostJump**c) - *c))
}

// expected returns the model's time for a step, s.
func (m *Model) expected(s *Step) float64 {
	t := m.fixed + float64(m.fresh*float64(s.Fresh))
	for i, took := range s.Stages {
		if took > 0 {
			t += float64(m.cost[i].unit * m.times(i, s.Substeps) * m.size(i, float64(s.Unknowns), s.Tolerance))
		}
	}
	return max(t, 1e-9)
}

// costs returns the sums of the stages' units, the surface's with a substep's share of stages that run once a step; without that share for 0 substeps.
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

// particle returns the cost of a particle of white water, s; 0 if it is not known.
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
