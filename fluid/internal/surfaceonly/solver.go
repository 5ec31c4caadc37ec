// Package surfaceonly is liquid that is nothing but its surface: a solver.Solver without a grid. Package boundary moves the surface; this package fills shapes
// with it, tells it of the solids around, books its litres and answers for it.
//
// Every piece of liquid is the inside of one closed triangle mesh, with the bubbles in it. Lengths are in m, times in s, velocities in m/s, volumes in m³.
package surfaceonly

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/boundary"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Solver moves liquid by its surface alone.
type Solver struct {
	solver.Config
	liquid *boundary.Liquid
	tiles  boxes.Tiles

	solids  solids
	meshing meshing
	picture picture
	reading reading
	loads   loads

	moved  bool           // Revert has something to restore
	before boundary.State // at the begin of the substep or edit
	report solver.Report
	still  []r3.Vec // scratch of Stop

	// Made once, since each making allocates.
	acceleration func(x r3.Vec) r3.Vec
	largest      func(t *flows.Tap) float64
	put          func(t *flows.Tap) (took float64, open bool)
	faces        [1]int // of the report
	cells        [1]int
}

// litre is in m³.
const litre = components.Litre

// tilesAcross is how many tiles lie along the domain's longest edge.
const tilesAcross = 8

// New makes a solver without liquid.
func New(c solver.Config) *Solver {
	s := &Solver{Config: c, liquid: boundary.New(c.Pool)}
	s.liquid.Edge = c.Settings.CellSize
	s.solids.domain, s.solids.around, s.solids.edge = c.Settings.Domain, c.Around, c.Settings.CellSize
	s.meshing.init(c.Pool, c.Settings.CellSize, c.Settings.Domain)
	s.reading.mesh = &s.liquid.Tracker.Mesh
	s.acceleration, s.largest, s.put = c.Around.Fields.At, s.largestBall, s.putBall
	lo, size := c.Settings.Domain.Min, r3.Sub(c.Settings.Domain.Max, c.Settings.Domain.Min)
	s.tiles = boxes.Tiles{Origin: reproducible.Array(lo), Edge: max(size.X, size.Y, size.Z) / tilesAcross}
	for a, x := range reproducible.Array(size) {
		s.tiles.Dim[a] = max(1, int(math.Ceil(x/s.tiles.Edge)))
	}
	return s
}

// Abilities are what the solver can do besides.
func (s *Solver) Abilities() solver.Abilities {
	return solver.Abilities{
		Tiles: s.tiles,
		Coupling: &bodies.Config{
			Graph: &s.loads.graph,
			Liquid: bodies.Liquid{
				Distance: s.reading.distance, Velocity: s.velocityAt, Acceleration: s.Around.Fields.Sample, CellEdge: noCells, Near: s.nearWet,
				Asleep: func(r3.Box) bool { return false },
			},
		},
		Emitters: true, Tension: true, Viscosity: true, Edits: true, Queries: true,
	}
}

// noCells tells package bodies that there are no cells that a body may be too small for.
func noCells(dst []float64, at []r3.Vec) { clear(dst[:len(at)]) }

// Update brings up to date what is kept of the surroundings.
func (s *Solver) Update(c solver.Change) {
	a := s.Around
	if c&solver.NewMaterial != 0 {
		m := &a.Material
		s.liquid.SetMaterial(boundary.Material{Density: m.Density, Viscosity: float64(m.Viscosity * m.Density), Tension: m.Tension, ContactAngle: contactAngle(m.ContactAngle)})
	}
	if c&solver.Obstacles != 0 {
		_, _ = a.Obstacles.MergeStatic()
	}
	if c&solver.Solids != 0 {
		s.rereadSolids()
	}
}

// contactAngle is what package boundary takes for an angle, rad: 0 means that none is imposed, which is a right angle there.
func contactAngle(a float64) float64 {
	if a == 0 {
		return math.Pi / 2
	}
	return a
}

// Demand is what the next step would cost, in faces, and how short its substeps must be.
func (s *Solver) Demand() solver.Demand {
	n := s.liquid.Tracker.Mesh.Triangles()
	return solver.Demand{Full: n, Seen: n, Least: n, Speed: s.liquid.MaxSpeed(), LongestStep: s.liquid.Longest()}
}

// Report is what the step has done so far.
func (s *Solver) Report() *solver.Report {
	m, r := &s.liquid.Tracker.Mesh, &s.report
	s.faces[0] = m.Triangles()
	r.Rows, r.Unknowns, r.Cells = s.faces[0], s.faces[:], s.cells[:]
	r.Wet, r.Asleep = 1, 0
	r.Vertices, r.Triangles = m.Vertices(), m.Triangles()
	r.Surface.Vertices, r.Surface.Triangles = r.Vertices, r.Triangles
	r.MaxSpeed = s.liquid.MaxSpeed()
	return r
}

// measure books how much liquid there is.
func (s *Solver) measure() {
	held := s.Around.Flows.Drops.Volume
	for _, p := range s.liquid.Pieces() {
		held += p.Volume
	}
	s.Around.Ledger.HeldL = held / litre
}
