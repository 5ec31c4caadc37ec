package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// Couple joins the liquid to the bodies of a rigid-body engine, or to none if b is nil. From then on Step advances both.
//
// Several liquids may couple the same bodies, if those are Sharing, as a physics.World is. They are then a group: a Step of any of them advances all
// and the bodies, which step once and feel what every liquid does to them. A Step of another, for time that it has been advanced by already, only
// returns its report: a game may step each of its liquids, in any order, or one alone. All take as many substeps as the one that asks for the most.
// One whose step is rolled back pushes nothing, while the others and the bodies go on. Budgets are each liquid's own; gravity each keeps as it has it
// until SetGravity of one, which changes it for all and the bodies. Save, copy and restore the liquids of a group and the bodies together, between
// frames: what one has been advanced by others and not yet asked for is not saved.
//
// A liquid leaves its group when it couples others, or none, and with Close. The bodies hold on to it until then: one that a game only
// drops is stepped on, and goes on acting on them. While a Step is under way on another goroutine none of its group may be used; a Step
// waits, but panics when a callback makes it. A report is valid until the next Step of any.
func (l *Liquid) Couple(b Bodies) {
	defer l.enter(&callguard.Couple).leave()
	join(l, b)
	l.sim.coupling.Couple(b, l.sim.def.BodyMask)
	l.sim.wakeAll()
}

// Coupled is what Couple was given last; nil if nothing is coupled, and after Close. It may be asked while a Step is under way.
func (l *Liquid) Coupled() Bodies { return l.sim.coupling.Bodies }

// makeCoupling makes what is known of the bodies, of which there are none.
func (l *simulation) makeCoupling() {
	l.coupling = bodies.New(bodies.Config{
		CellSize: l.def.CellSize, Domain: l.def.Domain, Graph: &l.graph, Pool: l.pool, Regular: &l.world.obstacles.Regular, Warn: l.warn,
		Liquid: bodies.Liquid{
			Distance: l.surface.Distance, Velocity: l.disc.Velocity, Acceleration: l.world.fields.Sample, CellEdge: l.disc.Edges, Near: l.surface.NearWet,
		},
	})
	l.coupling.Couple(nil, l.def.BodyMask)
}

// bodiesSubstep is what the bodies' calls of a substep have in common.
func (l *simulation) bodiesSubstep() bodies.Substep {
	s := &l.def.Solver
	return bodies.Substep{
		Dt: l.step.dt, Drift: l.step.drift, Whole: l.step.whole, Density: l.def.Density, Gravity: l.world.fields.Gravity,
		MaxSpeed: s.CFL * l.def.CellSize * float64(s.MaxSubsteps) / l.step.whole,
	}
}

// readBodies takes the bodies' poses and pressure-free velocities and measures what they and the static solids leave of the grid.
func (l *simulation) readBodies() {
	l.record.begin(StageBodies)
	l.readSolids(l.step.dt/2, true)
	l.readThinWalls()
	l.record.lap(len(l.coupling.Solids))
}

// rereadSolids is readSolids outside of a step: the game may put bodies elsewhere before the next.
func (l *simulation) rereadSolids() {
	l.readSolids(-l.disc.OutputDelay(), false)
	l.disc.ForgetBodies()
}

// readSolids takes dynamic bodies where they are ahead seconds on. If the surface has moved, so have solids since it was moved before.
func (l *simulation) readSolids(ahead float64, moved bool) {
	c, w := l.coupling, l.world.obstacles
	if c.Read(l.bodiesSubstep(), ahead) {
		l.deferDisplaced()
	}
	c.Solids, c.Rigid, c.Moved = w.AppendMoving(c.Solids, c.Rigid, c.Moved)
	w.Motions.Clear(len(c.Solids))
	if moved {
		c.ReadMotions(&w.Motions)
		w.ReadMotions(c.Solids, c.Known())
	}
	l.world.openings = l.controls.AppendSeeds(l.flows.AppendOpenings(l.world.openings[:0]))
	l.disc.MeasureSolids(c.Solids, query.Reach{Strongest: l.world.fields.Strongest(), Openings: l.world.openings, Swept: w.Motions.Swept(c.Solids)})
	l.surface.ClearStirred()
	c.EachStirring(l.surface.Stir)
}

// readThinWalls lists the thin walls of the step, and has the cells near them marked.
func (l *simulation) readThinWalls() {
	l.world.obstacles.ListWalls(l.disc.StepWalls(), l.coupling.Solids)
	l.disc.MarkThinWalls()
}

// applyWrenches hands the liquid's impulses over as forces through the step.
func (l *simulation) applyWrenches() {
	l.record.begin(StageBodies)
	l.coupling.Loads.Apply(&l.group.pushes)
	l.out.publishBodyEvents()
	l.record.lap(0)
}

// publishBodyEvents lists what has happened to bodies in the step so far.
func (o *output) publishBodyEvents() {
	l := o.sim
	e, own := &o.ev, &l.coupling.Events
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
	o.sim.coupling.BeginStep()
	o.publishBodyEvents()
}

// BodyLoad is what the liquid did in the last step to the body that has an index of Bodies now; zero for a static body, which
// nothing moves, for one that was not there then, and for an index that is none.
func (l *Liquid) BodyLoad(body int) BodyLoad {
	defer l.enter(&callguard.Load).leave()
	return BodyLoad(l.sim.coupling.Loads.At(body))
}

// BodyLoadByID is what the liquid did in the last step to the body with an ID, even if it is gone since; zero for one that was not there.
func (l *Liquid) BodyLoadByID(id uint64) BodyLoad {
	defer l.enter(&callguard.LoadOf).leave()
	return BodyLoad(l.sim.coupling.Loads.Of(id))
}
