package fluid

import (
	"fmt"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/warnings"
)

// output is what a step publishes.
type output struct {
	sim          *simulation
	ev           Events
	surface      Surface
	stale        bool // the mesh is of another state
	extrapolated int  // steps through which the mesh has been
	time         float64
	steps        int
}

// Events lists what happened in the last step. It is valid until the next one.
func (l *Liquid) Events() *Events {
	defer l.enter(&callguard.Events).leave()
	return &l.sim.out.ev
}

// start begins the report of a step.
func (rec *recorder) start() {
	l, st := rec.sim, &rec.sim.step
	rec.warnings, rec.later = append(rec.warnings[:0], rec.later...), rec.later[:0]
	st.idle, st.paused = 0, time.Time{}
	st.report = Report{Started: time.Now(), Budget: l.def.Budget}
	views := l.disc.Views()
	if len(views) > 0 {
		st.report.View = View(views[0])
	}
	if len(views) > 1 {
		rec.views = rec.views[:0]
		for _, v := range views {
			rec.views = append(rec.views, View(v))
		}
		st.report.Views = rec.views
	}
	p, now := &rec.profile, st.report.Started
	p.started, p.mark, p.laps = now, now, p.laps[:0]
	l.pool.Restart(now)
}

// warn notes that a limit was reached and the knob that raises it: once, until that has been otherwise for a second.
func (l *simulation) warn(knob, text string) {
	if l.record.causes.New(knob, text, 0) {
		l.record.addWarning(knob, text)
	}
}

// warnOfSubsteps is warn for a step of dt seconds that needs more substeps than Solver.MaxSubsteps.
func (rec *recorder) warnOfSubsteps(why string, wanted, dt float64) {
	const knob = "Solver.MaxSubsteps"
	if rec.causes.New(knob, why, 0) {
		rec.addWarning(knob, warnings.TooFewSubsteps(why, wanted, dt, mostSubsteps))
	}
}

func (rec *recorder) addWarning(knob, text string) {
	rec.warnings = append(rec.warnings, Warning{knob, text})
}

// refuse reports a call that changed nothing, the last step's report included.
func (rec *recorder) refuse(reason string) Report {
	l := rec.sim
	return Report{Started: time.Now(), Budget: l.def.Budget, RolledBack: true, Reason: reason, Step: l.out.steps, Time: l.out.time, Ledger: l.account()}
}

// finish ends the report of a step of dt seconds.
func (rec *recorder) finish(dt float64) {
	l, st := rec.sim, &rec.sim.step
	l.out.steps++
	if !st.report.RolledBack {
		l.out.time += dt
	}
	r := &st.report
	r.Step, r.Time, r.Dt, r.Ledger = l.out.steps, l.out.time, dt, l.account()
	l.disc.CountCells(&r.Cells)
	l.disc.CountUnknowns(&r.Unknowns)
	_, asleep := l.disc.CountParts()
	r.AsleepBlocks = max(r.AsleepBlocks, asleep)
	rec.warnOfCrowding()
	rec.warnOfFaults()
	r.MaxSpeed, r.Workers = l.disc.MaxSpeed(), l.pool.Sharing()
	r.Warnings = rec.warnings
	rec.causes.Pass(dt)
	r.Duration = time.Since(r.Started) - st.idle
	rec.profile.finish(l.pool, r)
	l.schedule.replay = Plan{}
	l.schedule.learn()
}

// RollBack returns to the state before the substep: for another attempt, or else at rest.
func (a *attempts) RollBack(again bool, err error) {
	l, st := a.sim, &a.sim.step
	if !again {
		st.report.RolledBack, st.report.Reason = true, fmt.Sprintf("fluid: step rolled back: %v", err)
	}
	l.revert(!again || st.spread)
	l.disc.RemeasureSolids(l.coupling.Solids)
	l.settleLayout()
	l.ledger = l.step.ledger
}

// revert takes back what a substep or an edit has changed so far. It asks neither shapes nor bodies: what they leave open is to be measured
// then, and the layout to be settled.
func (l *simulation) revert(atRest bool) {
	l.disc.Revert(l.step.moved, atRest)
	if l.step.moved {
		l.flows.Restore()
	}
	l.volumes.Forget()
	l.coupling.RevertPoses()
	l.world.obstacles.Revert()
	l.controls.Restore()
	l.step.moved, l.step.spread = false, false
}

// mostExtrapolated is for how many steps running a mesh may be extrapolated: gravity bends the path of a drop by 5 mm in two of 1/60 s.
const mostExtrapolated = 2

// publish shows the state after a step of dt: by its mesh or, when there is no time left for it, by that of the step before.
func (o *output) publish(dt float64) {
	l, st := o.sim, &o.sim.step
	extrapolate := &st.report.Plan.SurfaceExtrapolated
	if !st.deadline.Told {
		*extrapolate = l.schedule.lacksTime()
	}
	*extrapolate = *extrapolate && st.err == nil && !o.stale && o.extrapolated < mostExtrapolated && o.steps > 0
	if *extrapolate {
		o.take(l.surface.ExtrapolateMesh(float32(dt))) // what it takes is no mesh's time
		o.extrapolated++
	} else {
		o.makeMesh()
	}
}

// makeMesh is the stage that extracts the mesh.
func (o *output) makeMesh() {
	l := o.sim
	l.record.begin(StageMesh)
	o.extract()
	l.record.lap(len(o.surface.Indices) / 3)
}

// extract makes the surface mesh of the state.
func (o *output) extract() {
	o.take(o.sim.surface.ExtractMesh())
	o.stale, o.extrapolated = false, 0
}

// take shows a mesh, and the droplets beside it.
func (o *output) take(m query.Triangles) {
	s := &o.surface
	s.Positions, s.Normals, s.Velocities, s.Foam, s.Indices, s.Free = m.Positions, m.Normals, m.Velocities, m.Foam, m.Indices, m.Free
	s.Labels = m.Labels
	o.sim.takeDroplets()
	o.takeWhiteWater()
}

// takeDroplets shows the state's droplets beside the mesh.
func (l *simulation) takeDroplets() {
	s, delay := &l.out.surface, float32(l.disc.OutputDelay())
	s.Droplets, s.DropletVelocities = l.spray.AppendSpheres(s.Droplets[:0], s.DropletVelocities[:0], delay)
	s.Droplets, s.DropletVelocities = l.flows.Drops.AppendSpheres(s.Droplets, s.DropletVelocities, delay)
}

// Surface is the liquid's surface after the last step or edit. It is valid until the next one.
func (l *Liquid) Surface() *Surface {
	defer l.enter(&callguard.Surface).leave()
	if l.sim.out.stale {
		l.sim.out.extract()
	}
	return &l.sim.out.surface
}
