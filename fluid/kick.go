package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
)

// mostBefore, in substeps, is for how long the surface moves at most in the substep after the velocity was changed, however long the step before was.
const mostBefore = 1.5

// kick ends a call that has changed the velocity.
func (c *changes) kick() {
	c.vacated.Forget(c.sim.world.obstacles)
	c.kicked = true
	c.sim.wakeAll()
	c.sim.resurvey()
}

// moveByProjected has the surface move in this substep, the first since the game has changed the velocity, with what walls, bodies and incompressibility
// leave of that. The velocity itself goes into the substep as it was set: its solve is what bodies feel.
func (l *simulation) moveByProjected() error {
	if !l.changes.kicked {
		return nil
	}
	l.record.begin(StageSolve)
	st, plan := &l.step, &l.step.report.Plan
	l.disc.ForgetSolids()
	l.readSolids(0, false)
	l.readThinWalls()
	l.edits.KeepVelocity()
	l.disc.BeginSubstep(st.dt, 0)
	l.disc.Discretise(len(l.coupling.Solids))
	l.disc.AdvectVelocity(false)
	l.disc.BeginSubstep(st.dt, st.drift)
	st.rows = arrays.Resize(st.rows, l.graph.Rows)
	clear(st.rows)
	l.solver.Prepare(&l.graph)
	impulse := l.disc.StartPressure()
	clear(impulse)
	opt := pressure.Options{Tolerance: plan.Tolerance, MaxIterations: plan.MaxIterations}
	rep, err := l.solver.Solve(&l.graph, l.def.Density, st.dt, l.coupling.Rigid, l.coupling.Joints, st.rows, impulse, opt)
	st.report.Iterations += rep.Iterations
	if !pressure.Usable(err) {
		return pressure.Locate(err, &l.graph, l.coupling.Known(), l.coupling.Identity)
	}
	st.spread = true
	l.disc.ExtrapolateVelocity(l.world.wallVelocity)
	l.edits.MoveByProjected()
	st.spread = false
	l.record.lap(l.graph.Rows)
	return nil
}
