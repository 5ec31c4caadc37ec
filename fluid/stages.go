package fluid

import "github.com/meniscus3d/meniscus/fluid/internal/remedies"

// advanceSurface moves the surface with the old velocity and lets emitters, sinks and open sides act on it.
func (l *simulation) advanceSurface() {
	l.record.begin(StageSurface)
	l.step.moved = true
	l.surface.Advance()
	l.world.fields.AccelerateParticles(l.spray.Position, l.spray.Velocity, l.step.drift)
	l.volumes.Note()
	l.flows.Apply(l.solver.Closed)
	l.controls.Seed(l.out.steps*l.step.substeps + l.step.report.Substeps)
	l.out.ev.Blocked = l.out.ev.Blocked[:0]
	for _, id := range l.flows.Emitters.Blocked {
		l.out.ev.Blocked = append(l.out.ev.Blocked, EmitterID(id))
	}
	l.surface.Complete()
	l.record.lap(l.disc.CellsInUse())
}

// discretise makes the graph of the new surface and solids.
func (l *simulation) discretise() {
	l.record.begin(StageDiscretise)
	l.disc.Discretise(len(l.coupling.Solids))
	l.record.lap(l.graph.Faces())
}

// beginStep begins a step of dt seconds. One that sleeps asks for no substep.
func (l *simulation) beginStep(dt float64) {
	st := &l.step
	st.whole, st.substeps, st.err = dt, 0, nil
	l.changes.vacated.Forget(l.world.obstacles)
	l.out.beginBodyEvents()
	l.reviewShapes()
	l.controls.BeginStep()
	if st.asleep = l.sleep.stays(); st.asleep {
		return
	}
	l.coupling.Loads.Clear() // liquid that is asleep goes on carrying what lies in it
	l.attempts.LeaveOut(l.attempts.Choice)
	l.sleep.update(dt)
	l.findFastWalls(dt)
	l.schedule.plan(dt)
	st.substeps = l.substeps(dt)
}

// solveSubstep takes a substep up to what the liquid does to the bodies, and tells whether the liquid lets them move on: it does
// not after a step that went wrong.
func (l *simulation) solveSubstep(dt float64) bool {
	st := &l.step
	switch {
	case st.asleep:
		l.coupling.Loads.CarryAsleep(&l.group.pushes)
		l.controls.Pass(dt)
		return true
	case st.err != nil:
		return false
	}
	var left string
	left, st.err = l.attempts.Take(&l.attempts, dt)
	if left != "" {
		l.warn("Step", left)
	}
	return st.err == nil
}

// attempts takes substeps, again and again with something left out if they go wrong for the second time.
type attempts struct {
	sim *simulation
	remedies.Ladder
}

// LeaveOut has what a choice leaves out not act.
func (a *attempts) LeaveOut(c remedies.Choice) {
	l := a.sim
	l.flows.LeaveOut(c)
	l.controls.Out, l.coupling.Out = c.Of(remedies.Controls), c.Of(remedies.Bodies)
	if l.world.fields.LeaveOut(c.Of(remedies.Fields)) {
		l.updateGravity()
	}
}

// Acting lists what a substep may have gone wrong with.
func (a *attempts) Acting(dst []remedies.Choice) []remedies.Choice {
	l := a.sim
	dst = l.flows.AppendActing(l.coupling.AppendActing(dst, true))
	dst = l.world.fields.AppendActing(l.controls.AppendActing(dst))
	dst = append(dst, remedies.Choice{Kind: remedies.Forces}, remedies.Choice{Kind: remedies.Volume})
	return l.coupling.AppendActing(dst, false)
}

func (a *attempts) Substep(dt float64) error { return a.sim.substep(dt) }

// Stand lets a substep pass in which the liquid stands still.
func (a *attempts) Stand(dt float64) {
	l := a.sim
	l.disc.Stop()
	l.coupling.Loads.CarryAsleep(&l.group.pushes)
	l.controls.Pass(dt)
	l.world.obstacles.Advance(dt)
	l.step.report.Substeps++
}

// solved tells whether the liquid has moved in the substep under way.
func (l *simulation) solved() bool {
	return !l.step.asleep && l.attempts.Kind != remedies.Motion && l.step.err == nil
}

// endSubstep ends a substep when the bodies have moved.
func (l *simulation) endSubstep(dt float64) {
	if !l.solved() {
		return
	}
	l.record.begin(StageBodies)
	l.coupling.ReadContactVelocities(&l.group.pushes)
	l.world.obstacles.Advance(dt)
	l.record.lap(0)
	l.publishState() // the new state becomes the old one
	l.hearing.EndSubstep(l.flows, l.spray, l.coupling.Liquid.Velocity)
	l.step.report.Substeps++
}

// endStep ends a step of dt seconds.
func (l *simulation) endStep(dt float64) {
	if l.step.asleep {
		l.step.report.Substeps = 1
		l.step.report.AsleepBlocks, _ = l.disc.CountParts()
		is, surface := l.surface.Report(), &l.step.report.Surface
		surface.Vertices, surface.Triangles = is.Vertices, is.Triangles
		l.fadeFoam(dt)
	} else {
		l.sleep.fall()
		l.out.publish(dt)
	}
	l.advanceWhiteWater(dt)
	l.step.report.Controls = l.controls.EndStep(dt)
	l.out.ev.Sounds = l.hearing.EndStep(dt, l.up(), l.step.asleep, l.coupling.Bodies)
	l.record.finish(dt)
}
