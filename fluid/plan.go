package fluid

// plan chooses what the step may cost.
func (l *Liquid) plan(dt float64) {
	s := l.def.Solver
	l.step.report.Plan = Plan{Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Substeps: s.MaxSubsteps, InvisibleLevel: l.def.Levels - 1, ViewGain: 1, Why: "no budget",
		TargetUnknowns: int(1000 * l.def.Budget.Work)}
	l.lap(StagePlan, 0)
}

// learn lets the budget see what the step cost.
func (l *Liquid) learn() {}
