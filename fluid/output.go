package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// output is what a step publishes.
type output struct {
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

// mostExtrapolated is for how many steps running a mesh may be extrapolated: gravity bends the path of a drop by 5 mm in two of 1/60 s.
const mostExtrapolated = 2

// publish shows the state after a step of dt: by its mesh or, when there is no time left for it, by that of the step before.
func (l *simulation) publish(dt float64) {
	o, st := &l.out, &l.step
	extrapolate := &st.report.Plan.SurfaceExtrapolated
	if !st.deadline.Told {
		*extrapolate = st.deadline.lacksTime(st.told.Rows)
	}
	*extrapolate = *extrapolate && st.err == nil && !o.stale && o.extrapolated < mostExtrapolated && o.steps > 0
	if *extrapolate {
		l.show(l.solver.Surface(float32(dt)), st.told.Delay) // what it takes is no mesh's time
		o.extrapolated++
	} else {
		l.makeMesh()
	}
}

// makeMesh is the stage that extracts the mesh.
func (l *simulation) makeMesh() {
	l.record.begin(StageMesh)
	l.extract(l.step.told.Delay)
	l.record.lap(len(l.out.surface.Indices) / 3)
}

// extract makes the surface mesh of the state, which is so much behind the time that it is shown for, s.
func (l *simulation) extract(delay float64) {
	l.show(l.solver.Surface(0), delay)
	l.out.stale, l.out.extrapolated = false, 0
}

// show shows a mesh, and the droplets beside it.
func (l *simulation) show(m query.Triangles, delay float64) {
	s := &l.out.surface
	s.Positions, s.Normals, s.Velocities, s.Foam, s.Indices, s.Free = m.Positions, m.Normals, m.Velocities, m.Foam, m.Indices, m.Free
	s.Labels = m.Labels
	l.showDroplets(delay)
	l.showWhiteWater()
}

// showDroplets shows the state's droplets beside the mesh.
func (l *simulation) showDroplets(delay float64) {
	s, ahead := &l.out.surface, float32(delay)
	s.Droplets, s.DropletVelocities = s.Droplets[:0], s.DropletVelocities[:0]
	if l.can.Spray != nil {
		s.Droplets, s.DropletVelocities = l.can.Spray.AppendSpheres(s.Droplets, s.DropletVelocities, ahead)
	}
	s.Droplets, s.DropletVelocities = l.around.Flows.Drops.AppendSpheres(s.Droplets, s.DropletVelocities, ahead)
}

// Surface is the liquid's surface after the last step or edit. It is valid until the next one.
func (l *Liquid) Surface() *Surface {
	defer l.enter(&callguard.Surface).leave()
	if l.sim.out.stale {
		l.sim.extract(l.sim.solver.Report().Delay)
	}
	return &l.sim.out.surface
}

// publishBodyEvents lists what has happened to bodies in the step so far.
func (l *simulation) publishBodyEvents() {
	e, own := &l.out.ev, &l.around.Coupling.Events
	e.Entered, e.Left, e.Splashes = e.Entered[:0], e.Left[:0], e.Splashes[:0]
	for _, b := range own.Entered {
		e.Entered = append(e.Entered, BodyEvent(b))
	}
	for _, b := range own.Left {
		e.Left = append(e.Left, BodyEvent(b))
	}
	for _, s := range own.Splashes {
		e.Splashes = append(e.Splashes, Splash{BodyEvent(s.Body), s.Impulse, s.Position, s.Speed})
	}
}

// beginBodyEvents readies the events of a step.
func (l *simulation) beginBodyEvents() {
	l.around.Coupling.BeginStep()
	l.publishBodyEvents()
}

// publishBlocked lists the emitters that could not let out what is due.
func (l *simulation) publishBlocked() {
	l.out.ev.Blocked = l.out.ev.Blocked[:0]
	for _, id := range l.around.Flows.Emitters.Blocked {
		l.out.ev.Blocked = append(l.out.ev.Blocked, EmitterID(id))
	}
}
