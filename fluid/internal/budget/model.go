// Package budget turns the timings of past steps into the plan of the next: how many
// unknowns, how tight a tolerance, what to leave out. It reads no clock and knows no liquid.
//
// A step of N unknowns in S substeps, solved to D decades, is taken to cost
//
//	T = fixed + F·fresh + S·((N+O)·linear + N·D·solver)
//
// where F is the number of blocks whose level changes and O is the overhead: what the blocks cost however few
// cells they have, in unknowns. The coefficients linear and solver are sums over the stages of
// (s per unit)·(units per unknown), each smoothed exponentially. What that formula misses shows as spread, and
// the spread sets how far below the budget the plan stays.
package budget

import (
	"math"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/exact"
)

// MaxStages is how many stages a step may have.
const MaxStages = 16

// Kind says what a stage's time grows with.
type Kind uint8

// What a stage's time grows with.
const (
	Fixed  Kind = iota // nothing that the plan could change
	Linear             // unknowns and overhead
	Solver             // unknowns and decades; its units are unknowns × iterations
	Detail             // unknowns, in the steps in which it runs
)

// Timing is a stage's time over all substeps and the units it handled: cells, faces, triangles.
type Timing struct {
	Duration time.Duration
	Units    int
}

// Step is what a step took.
type Step struct {
	Stages    [MaxStages]Timing
	Total     time.Duration // wall time, with what no stage counts
	Unknowns  int           // of one substep
	Overhead  int           // likewise: what the stages that are linear have to do besides, in unknowns
	Substeps  int
	Fresh     int     // blocks whose level changed
	Tolerance float64 // of the solve; 0 means Limits.Tolerance
}

const (
	// smoothing is the weight of the newest step: 10 steps' memory follows a change within
	// a sixth of a second at 60 steps/s and leaves 0.23 of the noise.
	smoothing = .1
	// spreadSmoothing is slower, since a tail is seen seldom: 50 steps.
	spreadSmoothing = .02
	// firstSpread is assumed before anything was seen.
	firstSpread = .1
	// worstSpread is the largest relative deviation that counts: beyond it lies a spike, which no
	// margin could hold. A lone one is the machine's, not the liquid's: some other thread had the
	// processor for a while. Only when the next step is late too does the plan believe it.
	worstSpread = .3
	// mostJump is how many times its value a coefficient may grow in a step, and the most that
	// strain may be, so that a machine that was suspended is not taken for one that became a
	// thousand times slower.
	mostJump = 4
	// lateness is by how much more strain each further late step in a row may tell of: two may still be the machine's
	// doing, and the detail that they cost takes a third of a second to come back.
	lateness = 2
	// relaxing is what is left of strain after a step in time. Where the work has really become dearer
	// the coefficients learn that about as fast.
	relaxing = .8
	// firstCost is assumed before anything was seen, s per unknown: what the first step takes, with
	// memory that was never touched.
	firstCost = 2e-6
	// mostFresh, s per block whose level changes, is believed at first.
	mostFresh = 1e-4
	// mostOver bounds the correction for plans that were overrun in unknowns.
	mostOver = 1.25
)

// cost is a stage's.
type cost struct {
	unit  float64 // s per unit
	units float64 // per unknown and substep, and decade for Solver
	floor float64 // of unit
}

// Model is the cost model and the state of the plan. It is a plain value: a copy of it is
// a snapshot. Methods allocate nothing.
type Model struct {
	limits Limits
	kinds  [MaxStages]Kind
	cost   [MaxStages]cost
	fixed  float64 // s
	fresh  float64 // s per block whose level changes
	square float64 // of the spread
	seen   int     // steps
	spikes int     // in a row, up to the last step
	strain float64 // what the last late steps took over what the model says, ≥ 1
	beside float64 // the last overhead
	over   float64 // unknowns per planned unknown, ≥ 1

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

// PerUnit is a stage's smoothed cost, ns per unit; 0 for Fixed ones and before it ran.
func (m *Model) PerUnit(stage int) float64 { return 1e9 * m.cost[stage].unit }

// Predict is the expected time of a step.
func (m *Model) Predict(unknowns, substeps int, tolerance float64) time.Duration {
	return time.Duration(1e9 * (m.fixed + float64(float64(substeps)*m.substep(unknowns, tolerance))))
}

// substep is the expected time of a substep, s.
func (m *Model) substep(unknowns int, tolerance float64) float64 {
	linear, solver := m.perUnknown()
	return float64(m.beside*linear) + float64(float64(unknowns)*(linear+float64(solver*m.decades(tolerance))))
}

// After is the expected time of the stages that follow a stage in a substep, and of so many more substeps.
func (m *Model) After(stage, unknowns, more int, tolerance float64) time.Duration {
	t := 0.
	for i := stage + 1; i < MaxStages; i++ {
		if m.kinds[i] != Fixed {
			t += float64(m.cost[i].unit * m.cost[i].units * (float64(unknowns) + m.beside))
		}
	}
	return time.Duration(1e9 * (t + float64(float64(more)*m.substep(unknowns, tolerance))))
}

// Observe learns from a step that has been taken.
func (m *Model) Observe(s *Step) {
	total := s.Total.Seconds()
	if !(total > 0) || s.Unknowns < 0 || s.Overhead < 0 || s.Substeps < 1 {
		return
	}
	m.beside = float64(s.Overhead)
	m.observeCount(s.Unknowns)
	if m.seen > 0 {
		m.learnFresh(s, total)
		e := max(total/m.expected(s)-1, 0)
		if m.spikes++; e <= worstSpread {
			m.spikes = 0
		}
		if m.spikes == 1 {
			return
		}
		m.strain = 1 + float64(relaxing*(m.strain-1))
		if m.wall > 0 && total > m.wall {
			m.strain = max(m.strain, min(1+e, mostJump, exact.Exp2(float64(max(1, m.spikes-1))*exact.Log2(lateness))))
		}
		if e <= worstSpread {
			m.square += float64(spreadSmoothing * (float64(2*e*e) - m.square)) // one-sided: early is no trouble
		}
	}
	work := float64(float64(s.Unknowns) * float64(s.Substeps))
	rest, usual := total, 1-min(m.fresh*float64(s.Fresh)/total, 1)
	weight := max(smoothing, 1/float64(m.seen+1))
	for i, k := range m.kinds {
		t := s.Stages[i]
		if k == Fixed || t.Units <= 0 || work == 0 || t.Duration < 0 {
			continue
		}
		took := float64(usual * t.Duration.Seconds())
		rest -= took
		per := work + float64(m.beside*float64(s.Substeps))
		if k == Solver {
			per = work * m.decades(s.Tolerance)
		}
		c := &m.cost[i]
		learn(&c.unit, took/float64(t.Units), weight)
		c.unit = max(c.unit, c.floor)
		learn(&c.units, float64(t.Units)/per, weight)
	}
	if m.seen == 0 {
		m.fixed = max(rest, 0)
	} else {
		learn(&m.fixed, max(rest, 0), weight)
	}
	m.seen++
}

// believable is the part of what a unit cost when the model was calibrated that it may come to cost.
const believable = .5

// Calibrate takes what the steps so far have cost for this machine's cost, which the model will not believe to fall far,
// and begins anew: the next steps count as much as the first ones did, and the next plan's target is what fits, at once.
func (m *Model) Calibrate() {
	m.seen = min(m.seen, 1)
	for i := range m.cost {
		m.cost[i].floor = believable * m.cost[i].unit
	}
	m.relief.start(&m.limits)
}

// observeCount learns how far the plan's unknowns were overrun, which needs no clock.
func (m *Model) observeCount(unknowns int) {
	m.over = 1 + float64(.98*(m.over-1))
	if t := m.relief.target; t > 0 {
		m.over = max(m.over, min(float64(unknowns)/t, mostOver))
	}
}

// learnFresh learns what a block costs whose level changes, from what a step took beyond what the model says of its work.
func (m *Model) learnFresh(s *Step, total float64) {
	if s.Fresh == 0 {
		return
	}
	n := float64(s.Fresh)
	more := max(total-m.expected(s)+float64(m.fresh*n), 0) / n
	if m.fresh == 0 {
		more = min(more, mostFresh)
	}
	learn(&m.fresh, more, smoothing)
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
	work := float64(float64(s.Unknowns) * float64(s.Substeps))
	for i, k := range m.kinds {
		if k == Fixed || s.Stages[i].Units <= 0 {
			continue
		}
		units := work + float64(float64(s.Overhead)*float64(s.Substeps))
		if k == Solver {
			units = work * m.decades(s.Tolerance)
		}
		t += float64(m.cost[i].unit * m.cost[i].units * units)
	}
	return max(t, 1e-9)
}

// perUnknown sums the stages: s per unknown and substep, and the solver's per decade besides.
func (m *Model) perUnknown() (linear, solver float64) {
	if m.seen == 0 {
		return firstCost, 0
	}
	for i, k := range m.kinds {
		switch c := float64(m.cost[i].unit * m.cost[i].units); k {
		case Linear, Detail:
			linear += c
		case Solver:
			solver += c
		}
	}
	return linear, solver
}

func (m *Model) decades(tolerance float64) float64 {
	if !(tolerance > 0) {
		tolerance = m.limits.Tolerance
	}
	return max(-exact.Log10(tolerance), 1)
}
