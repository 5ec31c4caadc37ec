package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// output is what a step publishes.
type output struct {
	solver     solver.Solver
	spray      *droplets.Spray // liquid that the solver has lost; nil: it loses none
	around     *solver.Surroundings
	whiteWater *whitewater.Water

	ev           Events
	surface      Surface
	stale        bool // the mesh is of another state
	extrapolated int  // steps through which the mesh has been
	time         float64
	steps        int

	positions, normals []float32 // of the mesh as controls draw it to their surfaces
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
	if !st.deadline.Replayed {
		*extrapolate = st.deadline.lacksTime(st.told.Rows)
	}
	*extrapolate = *extrapolate && st.err == nil && !o.stale && o.extrapolated < mostExtrapolated && o.steps > 0
	if *extrapolate {
		o.show(l.solver.Surface(float32(dt)), st.told.Delay) // what it takes is no mesh's time
		o.extrapolated++
	} else {
		l.makeMesh()
	}
}

// makeMesh is the stage that extracts the mesh.
func (l *simulation) makeMesh() {
	l.record.begin(StageMesh)
	l.out.extract(l.step.told.Delay)
	l.record.lap(len(l.out.surface.Indices) / 3)
}

// extract makes the surface mesh of the state, which is so much behind the time that it is shown for, s.
func (o *output) extract(delay float64) {
	o.show(o.solver.Surface(0), delay)
	o.stale, o.extrapolated = false, 0
}

// show shows a mesh, and the droplets beside it.
func (o *output) show(m query.Triangles, delay float64) {
	s := &o.surface
	s.Positions, s.Normals, s.Velocities, s.Foam, s.Indices, s.Free = m.Positions, m.Normals, m.Velocities, m.Foam, m.Indices, m.Free
	s.Labels = m.Labels
	o.attract()
	o.showDroplets(delay)
	o.showWhiteWater()
}

// attract shows the mesh as controls draw it to their surfaces, if some do. The solver keeps its own.
func (o *output) attract() {
	s, set := &o.surface, &o.around.Controls
	if !set.Attracts() {
		return
	}
	o.positions, o.normals = append(o.positions[:0], s.Positions...), append(o.normals[:0], s.Normals...)
	s.Positions, s.Normals = o.positions, o.normals
	set.Attract(s.Positions, s.Normals, s.Indices)
}

// showDroplets shows the state's droplets beside the mesh.
func (o *output) showDroplets(delay float64) {
	s, ahead := &o.surface, float32(delay)
	s.Droplets, s.DropletVelocities = s.Droplets[:0], s.DropletVelocities[:0]
	if o.spray != nil {
		s.Droplets, s.DropletVelocities = o.spray.AppendSpheres(s.Droplets, s.DropletVelocities, ahead)
	}
	s.Droplets, s.DropletVelocities = o.around.Flows.Drops.AppendSpheres(s.Droplets, s.DropletVelocities, ahead)
}

// Surface is the liquid's surface after the last step or edit. It is valid until the next one.
func (l *Liquid) Surface() *Surface {
	defer l.enter(&callguard.Surface).leave()
	if l.sim.out.stale {
		l.sim.out.extract(l.sim.solver.Report().Delay)
	}
	return &l.sim.out.surface
}

// publishBodyEvents lists what has happened to bodies in the step so far.
func (o *output) publishBodyEvents() {
	e, own := &o.ev, &o.around.Coupling.Events
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
func (o *output) beginBodyEvents() {
	o.around.Coupling.BeginStep()
	o.publishBodyEvents()
}

// publishBlocked lists the emitters that could not let out what is due.
func (o *output) publishBlocked() {
	o.ev.Blocked = o.ev.Blocked[:0]
	for _, id := range o.around.Flows.Emitters.Blocked {
		o.ev.Blocked = append(o.ev.Blocked, EmitterID(id))
	}
}
