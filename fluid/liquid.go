package fluid

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/hearing"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
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
// The state between two steps is what the discretisation and the tracker keep, what acts on the liquid, what is remembered of bodies, and the
// ledger; all else is made anew in each step.
type simulation struct {
	def  Def
	pool *par.Pool
	method

	solver *pressure.Solver
	graph  graph.Graph

	step     stepState
	schedule schedule
	attempts attempts
	record   recorder
	out      output
	impulse  []float64 // per row: pressure impulse, Pa·s

	ledger       Ledger
	ledgerBefore Ledger // the call under way, or its last substep
	group        *group // of those that couple the same bodies; never nil

	coupling  *bodies.Coupling
	regions   []sizing.Region // where solids want the grid fine
	fastWalls obstacles.Fast
	world     surroundings
	flows     *flows.Flows
	controls  controls.Set
	forcing   forcing
	hearing   hearing.Hearing
	sleep     sleeping

	whiteWater *whitewater.Water

	changes changes
	query   queries
	state   state
}

// connect has the parts know the simulation that they belong to.
func (l *simulation) connect() {
	l.schedule.sim, l.record.sim, l.out.sim, l.forcing.sim, l.sleep.sim = l, l, l, l, l
	l.changes.sim, l.query.sim, l.state.sim, l.attempts.sim = l, l, l, l
}

// New makes an empty liquid. It returns Def.Validate's error for a bad definition.
func New(def Def) (*Liquid, error) {
	if err := def.Validate(); err != nil {
		return nil, err
	}
	return makeLiquid(def.withDefaults(), blocksMethod), nil
}

// makeLiquid is New for a definition that is complete, with the method that pick makes for it.
func makeLiquid(def Def, pick func(l *simulation) method) *Liquid {
	l := &Liquid{sim: simulation{def: def, pool: par.New(def.Workers)}}
	l.sim.pool.MoveThreads = def.MoveThreads
	l.sim.connect()
	l.guard.Undo, l.guard.Remeasure = l.sim.undo, l.sim.remeasure
	l.sim.solver = pressure.New(l.sim.pool)
	l.sim.method = pick(&l.sim)
	l.sim.world.obstacles = obstacles.New(def.Domain, def.CellSize, l.sim.pool.Workers())
	l.sim.makeCoupling()
	l.sim.updateGravity()
	l.sim.forcing.prepare()
	l.sim.schedule.planner = newPlanner(def)
	quit(l)
	l.sim.schedule.late, l.sim.query.acceleration = l.sim.schedule.outOfTime, l.sim.world.fields.At
	l.sim.prepare()
	l.sim.forcing.init()
	return l
}

// Close ends the liquid's workers and lets its bodies go; a liquid that is dropped without it keeps both, and goes on acting on the bodies if others
// step them. The liquid must not be used afterwards. Closing it again does nothing.
func (l *Liquid) Close() {
	if l != nil && l.guard.Closed() {
		return
	}
	l.enter(&callguard.Close)
	quit(l)
	l.sim.coupling.Bodies = nil
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
	if err := l.sim.disc.SetViews(l.sim.query.views[:1]...); err != nil {
		return fmt.Errorf("fluid: SetView: %w", err)
	}
	return nil
}

// MaxViews is how many views SetViews takes.
const MaxViews = query.MaxViews

// SetViews is SetView for several cameras, such as those of a split screen: what one of them sees counts as seen, and is
// as fine as the one wants that shows it largest. Zero Views count for nothing, and no view means no camera. With an
// error, also for more than MaxViews, the last good ones stay.
func (l *Liquid) SetViews(views ...View) error {
	defer l.enter(&callguard.SetViews).leave()
	if len(views) > MaxViews {
		return fmt.Errorf("fluid: SetViews: there are %d views; must be at most %d; the last good ones stay", len(views), MaxViews)
	}
	for i, v := range views {
		l.sim.query.views[i] = query.View(v)
	}
	if err := l.sim.disc.SetViews(l.sim.query.views[:len(views)]...); err != nil {
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
