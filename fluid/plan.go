package fluid

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/budget"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// stageKinds says how each stage's cost grows.
var stageKinds = [StageCount]budget.Kind{
	StagePlan: budget.Fixed, StageSizing: budget.Fixed, StageBodies: budget.Fixed,
	StageSurface: budget.Surface, StageDiscretise: budget.Surface, StageAdvect: budget.Surface,
	StageForces: budget.Surface, StageVolume: budget.Surface, StageControl: budget.Surface, StageSolve: budget.Solver,
	StageUpdate: budget.Surface, StageExtrapolate: budget.Surface, StagePublish: budget.Surface,
	StageMesh: budget.Once, StageWhiteWater: budget.Particles,
}

// newPlanner makes the model that chooses what a step may cost.
func newPlanner(def Def) *budget.Model {
	return budget.New(stageKinds[:], budget.Limits{
		Tolerance: def.Numerics.Tolerance, LoosestTolerance: max(1e-2, def.Numerics.Tolerance),
		MaxIterations: def.Numerics.MaxIterations, Substeps: def.Numerics.MaxSubsteps,
	})
}

// schedule keeps steps within the budget.
type schedule struct {
	planner *budget.Model
	replay  Plan // for the next step in place of the budget's; zero: none
}

// plan chooses what the step may cost, from what the last ones did.
func (l *simulation) plan(dt float64) {
	l.record.begin(StagePlan)
	b, demand, s, r := l.def.Budget, l.solver.Demand(), &l.schedule, &l.step.report
	wanted := l.stability(&demand)
	p := s.planner.Plan(budget.Budget{Step: b.Step, Work: b.Work}, budget.Demand{
		Full: demand.Full, Visible: demand.Seen, Least: demand.Least, Substeps: wanted.Substeps(dt),
		Particles: l.whiteWater.Now.Len(), MostParticles: l.def.WhiteWater,
	})
	r.Plan = Plan{
		TargetUnknowns: p.TargetUnknowns, ViewGain: l.viewGain(p.ViewGain), InvisibleLevel: min(l.def.Numerics.InvisibleLevel, l.def.Numerics.Levels-1),
		Tolerance: p.Tolerance, MaxIterations: p.MaxIterations, Substeps: p.Substeps, Changes: p.Changes, WhiteWater: p.Particles, DetailInterval: p.DetailInterval, Reason: p.Reason,
	}
	told := s.replay != (Plan{})
	if told {
		r.Plan = s.replay
	}
	d := &l.step.deadline
	d.Deadline = budget.Deadline{Replayed: told}
	d.planner, d.limit, d.started, d.tolerance, d.cutAfter = s.planner, b.Step, r.Started, r.Plan.Tolerance, &r.Plan.CutAfter
	l.solver.BeginStep(solver.Plan{
		TargetUnknowns: r.Plan.TargetUnknowns, ViewGain: r.Plan.ViewGain, InvisibleLevel: r.Plan.InvisibleLevel, Changes: r.Plan.Changes,
		Tolerance: r.Plan.Tolerance, MaxIterations: r.Plan.MaxIterations, DetailInterval: r.Plan.DetailInterval,
	})
	l.record.lap(0)
}

// viewGain is the part of a gain, in cells per pixel, that the definition has for cameras, where there are any.
func (l *simulation) viewGain(of float64) float64 {
	if l.can.Views == nil || len(l.can.Views.Views()) == 0 {
		return of
	}
	return of * l.def.Numerics.ViewGain
}

// Replay has the next Step follow a plan from the report of another run, in place of what the budget would choose: on the clock's word no two runs
// choose alike, and with the same plans they give the same bits. The zero Plan, which steps that sleep report, leaves the choice to the budget. An
// error names the field that is beyond its limits, and the last plan given stays.
func (l *Liquid) Replay(p Plan) error {
	defer l.enter(&callguard.Replay).leave()
	if p != (Plan{}) {
		if err := p.validate(); err != nil {
			return fmt.Errorf("fluid: Replay: Plan.%w", err)
		}
	}
	l.sim.schedule.replay = p
	return nil
}

// validate reports the first field that no plan has so.
func (p *Plan) validate() error {
	return budget.CheckFields([]budget.Field{
		{"TargetUnknowns", float64(p.TargetUnknowns), 0, math.MaxInt32},
		{"ViewGain", p.ViewGain, 1e-6, 1e6},
		{"InvisibleLevel", float64(p.InvisibleLevel), 0, coarsestLevel},
		{"Tolerance", p.Tolerance, 1e-14, 1e-1},
		{"MaxIterations", float64(p.MaxIterations), 1, 1e6},
		{"Substeps", float64(p.Substeps), 1, mostSubsteps},
		{"Changes", float64(p.Changes), 0, math.MaxInt32},
		{"WhiteWater", float64(p.WhiteWater), 0, whitewater.MostParticles},
		{"DetailInterval", float64(p.DetailInterval), 1, 64},
		{"CutAfter", float64(p.CutAfter), 0, 1e6},
	})
}

// learn lets the planner see what the step cost.
func (l *simulation) learn() {
	r := &l.step.report
	if r.Err != nil || r.Substeps == 0 || l.around.Sleep.Asleep {
		return
	}
	seen := budget.Step{Total: r.Duration, Unknowns: l.step.told.Rows, Substeps: r.Substeps, Fresh: l.solver.Demand().Changed, Particles: r.Stages[StageWhiteWater].Count,
		Tolerance: r.Plan.Tolerance, Short: r.Plan.SurfaceExtrapolated}
	for s, t := range r.Stages {
		seen.Stages[s] = t.Duration
	}
	l.schedule.planner.Observe(&seen)
}
