package fv

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/hearing"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

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
	reach    query.Reach     // of the substep
	jets     []r3.Box
	steered  []r3.Box
	forcing  forcing
	hearing  hearing.Hearing
	density  float64 // that the last pressure is of, kg/m³
	late     func() bool
	wall     func(solid int32, x r3.Vec) r3.Vec // the velocity of a solid at a place on it
	dt       float64                            // of the last substep that the cells have begun, s
	cells    []int                              // of the report,
	unknowns []int                              // by levels
}

// substep is what the stages of a substep hand to each other.
type substep struct {
	moved    bool             // the surface is,
	spread   bool             // and the velocity written
	solve    pressure.Options // of the last solve
	rows     []float64        // per row: sources, m³/s
	account  components.Account
	requests sizing.Requests
}

// New makes a solver without a Method: the maker of that may ask for Graph, Pressure and Config.
func New(c solver.Config) *Solver {
	return &Solver{Config: c, Pressure: pressure.New(c.Pool), late: c.Deadline.Late}
}

// Use has the solver work with a method.
func (s *Solver) Use(m Method) {
	if m.Tracker == nil {
		m.Tracker = full{}
	}
	if m.Spray == nil {
		m.Spray = &droplets.Spray{}
	}
	s.Method = m
}

// Abilities are what the solver can do with its Method.
func (s *Solver) Abilities() solver.Abilities {
	grid := s.Cells.Layout()
	can := solver.Abilities{
		Tiles: grid.Tiles(),
		Coupling: &bodies.Config{
			CellSize: s.Settings.CellSize, Domain: s.Settings.Domain, Graph: &s.Graph, Pool: s.Pool,
			Liquid: bodies.Liquid{
				Distance: s.Tracker.Distance, Velocity: s.Cells.Velocity, Acceleration: s.Around.Fields.Sample, CellEdge: grid.Edges, Near: s.nearWet, Asleep: s.sleepsIn,
			},
		},
		Controls: s.Shaped, WhiteWater: s.White, Sounds: &s.hearing, Spray: s.Spray, Foam: s.Foam, Views: s.Sizing, Cut: s.Cut, Parts: s.Parts,
		Tension: s.Tension != nil, Viscosity: s.Viscosity != nil, Wind: s.Wind != nil, Edits: s.Edits != nil, Queries: s.Reader != nil, Momentum: true, Emitters: s.Sources != nil,
	}
	if s.Sources != nil {
		can.Flows = &solver.Flows{Sources: s.Sources, Through: s.Through, Volumes: s.Volumes}
	}
	return can
}

// delay is from the time of the settled state to that which it is shown for, s.
func (s *Solver) delay() float64 { return s.dt / 2 }
