package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// Liquid is a body of liquid and all that acts on it. Its methods are for one goroutine at a time: a call while another is under way
// panics, and so does one that a callback makes, an SDF's Eval or a method of Bodies. New makes it; the methods of a zero Liquid panic.
type Liquid struct {
	sim   simulation
	guard guard
}

// simulation is a liquid but for what keeps its calls apart: what its steps, edits and queries work on. Its methods take turns.
//
// The state between two steps is what the solver keeps, what acts on the liquid, what is remembered of bodies, and the ledger; all else is made anew in
// each step.
type simulation struct {
	def    Def
	pool   *par.Pool
	solver solver.Solver
	can    solver.Abilities
	around solver.Surroundings
	ids    struct{ emitters, sinks, fields, obstacles, controls ids.Table }

	step     stepState
	schedule schedule
	attempts remedies.Ladder
	record   recorder
	out      output
	group    *group // of those that couple the same bodies; never nil
	gravity  gravity

	fastWalls  obstacles.Fast
	vacated    obstacles.Vacated
	sleep      sleeping
	whiteWater *whitewater.Water
	query      queries
	codec      codec.Codec
}

// New makes an empty liquid. It returns Def.Validate's error for a bad definition.
func New(def Def) (*Liquid, error) {
	if err := def.Validate(); err != nil {
		return nil, err
	}
	l, err := makeLiquid(def.withDefaults(), pickSolver(&def))
	if err == nil {
		l.sim.gravity.own = def.Physics.Weightless || def.Physics.Gravity != (r3.Vec{})
	}
	return l, err
}

// makeLiquid is New for a definition that is complete, with the solver that pick makes for it. It names what that can't do.
func makeLiquid(def Def, pick maker) (*Liquid, error) {
	l := &Liquid{sim: simulation{def: def, pool: par.New(def.Resources.Workers)}}
	s := &l.sim
	s.pool.MoveThreads = def.Resources.MoveThreads
	l.guard.Undo, l.guard.Remeasure = s.undo, s.remeasure
	s.record.times = solver.Times{Pool: s.pool, Markers: stageMarkers[:]}
	s.around.Obstacles = obstacles.New(def.Domain, def.CellSize, s.pool.Workers())
	s.around.Material = def.liquid()
	s.solver, s.can = pick(solver.Config{Settings: def.settings(), Pool: s.pool, Around: &s.around, Times: &s.record.times, Deadline: &s.step.deadline, Warn: s.record.warn}, &s.def)
	if err := def.checkAbilities(&s.can); err != nil {
		s.pool.Close()
		return nil, err
	}
	s.query.acceleration = s.around.Fields.At
	s.schedule.planner = newPlanner(def)
	quit(l)
	s.surround()
	return l, nil
}

// Close ends the liquid's workers and lets its bodies go; a liquid that is dropped without it keeps both, and goes on acting on the bodies if others
// step them. The liquid must not be used afterwards. Closing it again does nothing.
func (l *Liquid) Close() {
	if l != nil && l.guard.Closed() {
		return
	}
	l.enter(&callguard.Close)
	quit(l)
	l.sim.around.Coupling.Bodies = nil
	l.sim.pool.Close()
	l.guard.Close()
}

// Def is the definition with its defaults filled in.
func (l *Liquid) Def() Def {
	if l == nil {
		panic("fluid: Def: the Liquid is nil")
	}
	return l.sim.def
}

// SetView tells where the camera is; the zero View means nowhere. A view that is not finite
// or shows nothing is an error, and the last good one stays.
func (l *Liquid) SetView(v View) error {
	defer l.enter(&callguard.SetView).leave()
	l.sim.query.views[0] = query.View(v)
	if err := l.sim.setViews(l.sim.query.views[:1]...); err != nil {
		return fmt.Errorf("fluid: SetView: %w", err)
	}
	return nil
}

// MaxViews is how many views SetViews takes.
const MaxViews = query.MaxViews

// SetViews is SetView for several cameras, such as those of a split screen: what one of them sees counts as seen, and is
// as fine as the one wants that shows it largest. Liquid that sleeps wakes to become finer. Zero Views count for nothing, and no view means no camera. With an
// error, also for more than MaxViews, the last good ones stay.
func (l *Liquid) SetViews(views ...View) error {
	defer l.enter(&callguard.SetViews).leave()
	if len(views) > MaxViews {
		return fmt.Errorf("fluid: SetViews: there are %d views; must be at most %d; the last good ones stay", len(views), MaxViews)
	}
	for i, v := range views {
		l.sim.query.views[i] = query.View(v)
	}
	if err := l.sim.setViews(l.sim.query.views[:len(views)]...); err != nil {
		return fmt.Errorf("fluid: SetViews: %w", err)
	}
	return nil
}

// SetBudget changes Def.Budget from the next step on.
func (l *Liquid) SetBudget(b Budget) error {
	defer l.enter(&callguard.SetBudget).leave()
	d := l.sim.def
	d.Budget = b
	if err := d.Validate(); err != nil {
		return err
	}
	l.sim.def.Budget = b
	return nil
}
