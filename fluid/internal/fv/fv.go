package fv

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/hearing"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// Method is a discretisation and a tracker with what else they offer. The parts of one method may ask each other for their arrays.
type Method struct {
	Disc    Discretisation
	Tracker Tracker
	Foam    Foam // nil where there is none
	Volumes Volumes
	Edits   Editor
	Sources flows.Sources
	Through flows.SideFlow
	Forces  Forces
	Parts   Sleeper
	Reader  Reader
	Coder   Coder
	Spray   *droplets.Spray   // liquid that the tracker has lost
	Shaped  controls.Cells    // what controls ask
	White   whitewater.Liquid // what white water asks
}

// Solver is liquid in finite volumes: a solver.Solver for any Method.
type Solver struct {
	solver.Config
	Method

	Graph    graph.Graph
	Pressure *pressure.Solver
	Impulse  []float64 // per row: pressure impulse, Pa·s

	plan     solver.Plan
	report   solver.Report
	substep  substep
	regions  []sizing.Region // where solids want the grid fine
	openings []r3.Box        // where emitters and sinks act
	jets     []r3.Box
	steered  []r3.Box
	forcing  forcing
	hearing  hearing.Hearing
	density  float64 // that the last pressure is of, kg/m³
	late     func() bool
	wall     func(solid int32, x r3.Vec) r3.Vec // the velocity of a solid at a place on it
	asleep   sleepers
	cells    []int // of the report,
	unknowns []int // by levels
}

// substep is what the stages of a substep hand to each other.
type substep struct {
	moved   bool             // the surface is,
	spread  bool             // and the velocity written
	solve   pressure.Options // of the last solve
	rows    []float64        // per row: sources, m³/s
	account components.Account
	wishes  sizing.Wishes
}

// New makes a solver without a Method: the maker of that may ask for Graph, Pressure and Config.
func New(c solver.Config) *Solver {
	return &Solver{Config: c, Pressure: pressure.New(c.Pool), late: c.Deadline.Late}
}

// sleepers is a Sleeper whose state a Coder codes: solver.Parts.
type sleepers struct {
	Sleeper
	Coder
}

// Abilities are what the solver can do with its Method.
func (s *Solver) Abilities() solver.Abilities {
	s.asleep = sleepers{s.Parts, s.Coder}
	return solver.Abilities{
		Tiles: s.Disc.Tiles(),
		Coupling: &bodies.Config{
			CellSize: s.Settings.CellSize, Domain: s.Settings.Domain, Graph: &s.Graph, Pool: s.Pool,
			Liquid: bodies.Liquid{
				Distance: s.Tracker.Distance, Velocity: s.Disc.Velocity, Acceleration: s.Around.Fields.Sample, CellEdge: s.Disc.Edges, Near: s.Reader.NearWet,
			},
		},
		Flows:    &solver.Flows{Sources: s.Sources, Through: s.Through, Volumes: s.Volumes},
		Controls: s.Shaped, WhiteWater: s.White, Sounds: &s.hearing, Spray: s.Spray, Foam: s.Foam, Views: s.Disc, Parts: &s.asleep,
		Tension: true, Viscosity: true, Momentum: true,
	}
}
