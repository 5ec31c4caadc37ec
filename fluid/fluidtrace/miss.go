package fluidtrace

import (
	"runtime/debug"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// Cause says why a step took longer than its budget.
type Cause uint8

// The causes.
const (
	None              Cause = iota // the step was in time
	Warmup                         // among the first steps, of which nothing is known
	Unknowns                       // more of them than usual
	Iterations                     // the solve took more than usual
	Substeps                       // more than usual
	Changes                        // blocks changed their level
	Budget                         // the usual work doesn't fit the budget
	GarbageCollection              // the work would have fitted, but the garbage collector ran
	Machine                        // the work would have fitted: the processor was elsewhere, or slower
	causeCount
)

var causeNames = [causeCount]string{"in time", "first steps", "more unknowns", "more iterations", "more substeps",
	"blocks that changed", "budget too small", "garbage collector", "machine"}

func (c Cause) String() string {
	if c < causeCount {
		return causeNames[c]
	}
	return "unknown"
}

// Miss is a step that took longer than its budget.
type Miss struct {
	Cause Cause
	Stage fluid.Stage   // the one that took the most beyond what is usual for its work
	Over  time.Duration // beyond the budget
}

const (
	// warmupSteps is the number of steps before the averages count.
	warmupSteps = 10
	// newestWeight is the weight of the newest step in the moving averages: a memory of 20 steps.
	newestWeight = .05
	// outlierFactor bounds a step's cost in the averages, as a multiple of the average.
	outlierFactor = 1.5
	// manyChanges is how many blocks that change their level weigh half of what more can at most.
	manyChanges = 16
	// maxChangeTime, s, bounds the estimate of the time for one block's change.
	maxChangeTime = 5e-4
	// causeShare is the share of the budget that a surplus must take to count as a cause.
	causeShare = .1
)

// MissClassifier finds why steps miss, by moving averages of their costs. The zero value is ready to use. It reads the
// collector's pauses when a step has missed, and nothing else of the machine.
type MissClassifier struct {
	unitTime [fluid.StageCount]float64 // s per unit of the stage's work, usual
	unknowns float64                   // usual, as what follows
	solves   float64                   // iterations
	substeps float64
	change   float64 // s per block that changes its level
	seen     int
	gc       debug.GCStats
}

// Step classifies a step by a budget, 0 for none, and updates what is usual.
func (j *MissClassifier) Step(r *fluid.Report, budget time.Duration) Miss {
	var m Miss
	if budget > 0 && r.Duration > budget {
		m = j.classify(r, budget)
	}
	if r.Err == nil && r.Substeps > 0 && !r.Asleep() {
		j.updateUsual(r)
	}
	return m
}

func (j *MissClassifier) classify(r *fluid.Report, budget time.Duration) Miss {
	m := Miss{Cause: Warmup, Over: r.Duration - budget}
	expected, solve, worst := 0., 0., 0. // s
	for s, st := range r.Stages {
		took, usual := st.Duration.Seconds(), float64(j.unitTime[s]*units(r, fluid.Stage(s)))
		if fluid.Stage(s) == fluid.StageSolve {
			solve = usual
		}
		if expected += usual; took-usual > worst {
			worst, m.Stage = took-usual, fluid.Stage(s)
		}
	}
	expected += float64(j.change * changes(r))
	switch {
	case j.seen < warmupSteps:
	case expected > budget.Seconds():
		m.Cause = j.excess(r, expected, solve, causeShare*budget.Seconds())
	case j.gcRan(r):
		m.Cause = GarbageCollection
	default:
		m.Cause = Machine
	}
	return m
}

// excess is the cause with the most expensive surplus over the average, Budget if none counts.
//
// expected, solve: s, what a step and a solve of this work usually take. least: s, what counts.
func (j *MissClassifier) excess(r *fluid.Report, expected, solve, least float64) Cause {
	cause, most := Budget, least
	for _, c := range [...]struct {
		cause       Cause
		work, usual float64
		time        float64 // s, that grows with it
	}{
		{Substeps, float64(r.Substeps), j.substeps, expected},
		{Unknowns, float64(r.UnknownCount()), j.unknowns, expected},
		{Iterations, float64(r.Iterations) / float64(max(1, r.Substeps)), j.solves, solve},
	} {
		if surplus := c.time * (1 - c.usual/max(c.work, 1)); surplus > most {
			cause, most = c.cause, surplus
		}
	}
	if j.change*changes(r) > most {
		cause = Changes
	}
	return cause
}

// gcRan reports whether the garbage collector stopped the program during the step.
func (j *MissClassifier) gcRan(r *fluid.Report) bool {
	debug.ReadGCStats(&j.gc)
	end := r.Started.Add(r.Duration)
	for _, at := range j.gc.PauseEnd {
		if at.After(r.Started) && at.Before(end) {
			return true
		}
	}
	return false
}

func (j *MissClassifier) updateUsual(r *fluid.Report) {
	weight := max(newestWeight, 1/float64(j.seen+1))
	j.learnChange(r)
	for s, st := range r.Stages {
		if n := units(r, fluid.Stage(s)); n > 0 {
			j.mix(&j.unitTime[s], st.Duration.Seconds()/n, weight)
		}
	}
	j.mix(&j.unknowns, float64(r.UnknownCount()), weight)
	j.mix(&j.solves, float64(r.Iterations)/float64(r.Substeps), weight)
	j.mix(&j.substeps, float64(r.Substeps), weight)
	j.seen++
}

// learnChange learns what a block costs that changes its level, from what a step took beyond the usual: a little from few.
func (j *MissClassifier) learnChange(r *fluid.Report) {
	n := changes(r)
	if n == 0 || j.seen < warmupSteps {
		return
	}
	beyond := 0. // s
	for s, st := range r.Stages {
		beyond += st.Duration.Seconds() - float64(j.unitTime[s]*units(r, fluid.Stage(s)))
	}
	j.change += float64(2 * newestWeight * n / (n + manyChanges) * (max(0, min(beyond/n, maxChangeTime)) - j.change))
}

// changes is how many blocks changed their level.
func changes(r *fluid.Report) float64 { return float64(r.Stages[fluid.StageSizing].Count) }

func (j *MissClassifier) mix(usual *float64, seen, weight float64) {
	if *usual > 0 && j.seen >= warmupSteps {
		seen = min(seen, outlierFactor**usual)
	}
	*usual += float64(weight * (seen - *usual))
}

// units is the work that a stage's time grows with: unknowns in substeps, or in iterations; none of a mesh that was carried on.
func units(r *fluid.Report, s fluid.Stage) float64 {
	n := float64(r.UnknownCount())
	switch {
	case s == fluid.StageSolve:
		return n * float64(max(1, r.Iterations))
	case s == fluid.StageMesh && r.Plan.SurfaceExtrapolated:
		return 0
	case s == fluid.StageWhiteWater:
		return float64(r.Stages[s].Count)
	}
	return n * float64(r.Substeps)
}
