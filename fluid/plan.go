package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/budget"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// stageKinds says how each stage's cost grows.
var stageKinds = [StageCount]budget.Kind{
	StagePlan: budget.Fixed, StageSizing: budget.Fixed, StageBodies: budget.Fixed,
	StageSurface: budget.Linear, StageDiscretise: budget.Linear, StageAdvect: budget.Linear,
	StageForces: budget.Linear, StageVolume: budget.Linear, StageSolve: budget.Solver,
	StageUpdate: budget.Linear, StageExtrapolate: budget.Linear, StagePublish: budget.Linear,
}

// unknownsPerBlock is what a block costs beside its cells: the stages that are linear took 5.3 ms at
// 2.0k unknowns in 585 blocks and 15.4 ms at 17.0k (BenchmarkStep with budgets of 1 and 20).
const unknownsPerBlock = 10

// newPlanner makes the model that chooses what a step may cost.
func newPlanner(def Def) *budget.Model {
	coarsest := grid.MaxLevel + 1 - def.Levels
	return budget.New(stageKinds[:], budget.Limits{
		Tolerance: def.Solver.Tolerance, LoosestTolerance: max(1e-2, def.Solver.Tolerance),
		MaxIterations: def.Solver.MaxIterations, Substeps: def.Solver.MaxSubsteps,
		InvisibleLevel: max(grid.MaxLevel-def.Unseen, coarsest), CoarsestLevel: coarsest,
	})
}

// plan chooses what the step may cost, from what the last ones did.
func (l *Liquid) plan(dt float64) {
	l.begin(StagePlan)
	b := l.def.Budget
	p := l.planner.Plan(budget.Budget{Step: b.Step, Work: b.Work}, budget.Demand{
		Full: l.blocksInfo.demand.Full, Least: l.blocksInfo.demand.Least, Substeps: l.wantedSubsteps(dt),
	})
	l.step.report.Plan = Plan{
		TargetUnknowns: p.TargetUnknowns, ViewGain: p.ViewGain, InvisibleLevel: grid.MaxLevel - p.InvisibleLevel,
		Tolerance: p.Tolerance, MaxIterations: p.MaxIterations, Substeps: p.Substeps, Why: p.Why,
	}
	l.set.Markers.Cadence = p.Cadence
	l.lap(0)
}

// learn lets the planner see what the step cost.
func (l *Liquid) learn() {
	r := &l.step.report
	if r.RolledBack || r.Substeps == 0 || l.calm.asleep {
		return
	}
	blocks := unknownsPerBlock * l.grid.Bases()
	seen := budget.Step{Total: r.Duration, Unknowns: l.graph.Rows, Overhead: blocks, Substeps: r.Substeps, Tolerance: r.Plan.Tolerance}
	for s, t := range r.Stages {
		units := t.Count
		if Stage(s) == StageSolve {
			units = l.graph.Rows * max(1, r.Iterations)
		} else if stageKinds[s] == budget.Linear {
			units = (l.graph.Rows + blocks) * r.Substeps
		}
		seen.Stages[s] = budget.Timing{Duration: t.Duration, Units: units}
	}
	l.planner.Observe(&seen)
}
