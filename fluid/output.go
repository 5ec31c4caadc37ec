package fluid

import (
	"fmt"
	"time"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// output is what a step publishes.
type output struct {
	ev           Events
	surface      Surface
	warnings     []Warning
	later        []Warning // of calls since the last step
	views        []View    // of the report
	stale        bool      // the mesh is of another state
	extrapolated int       // steps through which the mesh has been
	time         float64
	steps        int
}

func (o *output) events() *Events { return &o.ev }

// Events lists what happened in the last step. It is valid until the next one.
func (l *Liquid) Events() *Events {
	defer l.enter(&inEvents).leave()
	return &l.out.ev
}

func (l *simulation) beginReport() {
	st := &l.step
	l.out.warnings, l.out.later = append(l.out.warnings[:0], l.out.later...), l.out.later[:0]
	st.idle, st.paused = 0, time.Time{}
	st.report = Report{Started: time.Now(), Budget: l.def.Budget}
	views := l.disc.Views()
	if len(views) > 0 {
		st.report.View = View(views[0])
	}
	if len(views) > 1 {
		l.out.views = l.out.views[:0]
		for _, v := range views {
			l.out.views = append(l.out.views, View(v))
		}
		st.report.Views = l.out.views
	}
	l.profile.restart(l.pool, st.report.Started)
}

// warn notes that a limit was reached and the knob that raises it, each once a step.
func (l *simulation) warn(knob, text string) {
	for _, w := range l.out.warnings {
		if w.Knob == knob && w.Text == text {
			return
		}
	}
	l.out.warnings = append(l.out.warnings, Warning{knob, text})
}

// refuse reports a call that changed nothing.
func (l *simulation) refuse(reason string) Report {
	st := &l.step
	st.report.RolledBack, st.report.Reason = true, reason
	st.report.Step, st.report.Time, st.report.Ledger = l.out.steps, l.out.time, l.account()
	return st.report
}

func (l *simulation) endReport(dt float64) {
	st := &l.step
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
	l.warnOfCrowding()
	l.warnOfFaults()
	r.MaxSpeed, r.Workers = l.disc.MaxSpeed(), l.pool.Sharing()
	r.Warnings = l.out.warnings
	r.Duration = time.Since(r.Started) - st.idle
	l.profile.finish(l.pool, r)
	l.replay = Plan{}
	l.learn()
}

// rollBack returns to the state before the substep, at rest.
func (l *simulation) rollBack() {
	st := &l.step
	st.report.RolledBack, st.report.Reason = true, fmt.Sprintf("fluid: step rolled back: %v", st.err)
	l.revert(true)
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
	l.revertPoses()
	l.step.moved, l.step.spread = false, false
}

// mostExtrapolated is for how many steps running a mesh may be extrapolated: gravity bends the path of a drop by 5 mm in two of 1/60 s.
const mostExtrapolated = 2

// publishOutput shows the state after a step of dt: by its mesh or, when there is no time left for it, by that of the step before.
func (l *simulation) publishOutput(dt float64) {
	st, o := &l.step, &l.out
	extrapolate := &st.report.Plan.SurfaceExtrapolated
	if !st.deadline.told {
		*extrapolate = l.lacksTime()
	}
	*extrapolate = *extrapolate && st.err == nil && !o.stale && o.extrapolated < mostExtrapolated && o.steps > 0
	if *extrapolate {
		l.extrapolateMesh(float32(dt)) // what it takes is no mesh's time
		l.out.extrapolated++
	} else {
		l.makeMesh()
	}
}

// makeMesh is the stage that extracts the mesh.
func (l *simulation) makeMesh() {
	l.begin(StageMesh)
	l.extract()
	l.lap(len(l.out.surface.Indices) / 3)
}

// extrapolateMesh moves the mesh on by its velocities.
func (l *simulation) extrapolateMesh(dt float32) {
	l.surface.ExtrapolateMesh(dt)
	l.takeDroplets()
}

// extract makes the surface mesh of the state.
func (l *simulation) extract() {
	m, s := l.surface.ExtractMesh(), &l.out.surface
	s.Positions, s.Normals, s.Velocities, s.Foam, s.Indices, s.Free = m.Positions, m.Normals, m.Velocities, m.Foam, m.Indices, m.Free
	l.out.stale, l.out.extrapolated = false, 0
	l.takeDroplets()
}

// takeDroplets shows the state's droplets beside the mesh.
func (l *simulation) takeDroplets() {
	s, d, delay := &l.out.surface, l.spray, float32(l.disc.OutputDelay())
	s.Droplets, s.DropletVelocities = s.Droplets[:0], append(s.DropletVelocities[:0], d.Velocity...)
	for i, r := range d.Radius {
		for a := range 3 {
			s.Droplets = append(s.Droplets, d.Position[3*i+a]+float32(delay*d.Velocity[3*i+a]))
		}
		s.Droplets = append(s.Droplets, r)
	}
	for i := range l.flows.Drops.All {
		p := &l.flows.Drops.All[i]
		v := [3]float32{float32(p.V.X), float32(p.V.Y), float32(p.V.Z)}
		s.DropletVelocities = append(s.DropletVelocities, v[:]...)
		for a, x := range reproducible.Array(p.X) {
			s.Droplets = append(s.Droplets, float32(x)+float32(delay*v[a]))
		}
		s.Droplets = append(s.Droplets, float32(p.Radius()))
	}
}

// Surface is the liquid's surface after the last step or edit. It is valid until the next one.
func (l *Liquid) Surface() *Surface {
	defer l.enter(&inSurface).leave()
	if l.out.stale {
		l.extract()
	}
	return &l.out.surface
}
