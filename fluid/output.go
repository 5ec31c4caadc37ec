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
	detail     *detail // nil: none

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
		o.show(l.solver.Surface(float32(dt)), st.told.Delay, dt) // what it takes is no mesh's time
		o.extrapolated++
	} else {
		l.makeMesh(dt)
	}
}

// makeMesh is the stage that extracts the mesh, dt after the last.
func (l *simulation) makeMesh(dt float64) {
	l.record.begin(StageMesh)
	l.out.extract(l.step.told.Delay, dt)
	l.record.lap(len(l.out.surface.Indices) / 3)
}

// fadeWaves is that stage where nothing but waves moves.
func (l *simulation) fadeWaves(dt float64) {
	d := l.out.detail
	if !d.known || d.rests {
		return
	}
	l.record.begin(StageMesh)
	d.fade(&l.around, dt)
	l.out.showWaves()
	l.record.lap(len(l.out.surface.Indices) / 3)
}

// extract makes the surface mesh of the state, which is so much behind the time that it is shown for, and dt after the last, s.
func (o *output) extract(delay, dt float64) {
	o.show(o.solver.Surface(0), delay, dt)
	o.stale, o.extrapolated = false, 0
}

// show shows a mesh that is dt after the last, and the droplets beside it.
func (o *output) show(m query.Triangles, delay, dt float64) {
	o.attract(&m)
	s := &o.surface
	s.Positions, s.Normals, s.Velocities, s.Foam, s.Indices, s.Free = m.Positions, m.Normals, m.Velocities, m.Foam, m.Indices, m.Free
	s.Labels = m.Labels
	if o.detail != nil {
		o.detail.take(&m, o.around, dt)
		o.showWaves()
	}
	o.showDroplets(delay)
	o.showWhiteWater()
}

// attract draws a mesh to the surfaces of controls, if some attract. The solver keeps its own.
func (o *output) attract(m *query.Triangles) {
	set := &o.around.Controls
	if !set.Attracts() {
		return
	}
	o.positions, o.normals = append(o.positions[:0], m.Positions...), append(o.normals[:0], m.Normals...)
	m.Positions, m.Normals = o.positions, o.normals
	set.Attract(m.Positions, m.Normals, m.Indices)
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
		l.sim.out.extract(l.sim.solver.Report().Delay, 0)
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
