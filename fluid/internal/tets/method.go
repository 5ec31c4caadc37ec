// Package tets is the liquid on a graded lattice of tetrahedra (Klingner et al. 2006; Chentanez et al. 2007), with pressures at the lattice's vertices. It
// stands on the blocks of package cubes: the layout, the surface, what solids leave of the layout's cells, volumes, edits and queries are theirs. The graph, the
// velocity along the lattice's edges and the pressure at its vertices are its own; velocity and pressure are published on the layout's cells, too.
//
// Two methods stand here. Lattice has pressures at the lattice's vertices, whose Voronoi cells solids cut. Stuffed, which Def.Faithful asks for, has them in the tetrahedra of
// a mesh that isosurface stuffing makes anew in each step, and carries the velocity from mesh to mesh, beyond the liquid along the lattice's edges.
package tets

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/transport"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Lattice is the cells of a liquid on tetrahedra. It is an fv.Cells and a cubes.Mesh.
type Lattice struct {
	*cubes.Blocks
	State  State
	Forces Forces

	now, settled, spare *graded // of the layout at hand, and of that which was settled last; the two may be one
	cuts                *cutting.Discretiser
	carrier             *transport.Transport

	phi       []float64 // per vertex of the lattice at hand, m: of the graph
	distances distances // per cell of the layout: what phi is made from
	impulse   []float64 // per row, Pa·s
	cells     []int32   // per row: the layout's cell that its vertex is in the middle of, or -1
	solids    transport.Solids
	wet       []int32 // scratch, per base cell: tetrahedra with liquid in them
	surface   transport.Surface
	corners   corners // scratch
	cutaway   cutaway // scratch
}

// New makes the lattice on the grid of a liquid without any.
func New(c cubes.Config, pool *par.Pool, gr *graph.Graph, components *graph.Components) *Lattice {
	c.Balance, c.PerCell = layout.BalanceEdges, 2 // as many corners as middles
	m := &Lattice{Blocks: cubes.New(c, pool, gr, components)}
	m.now, m.spare = &graded{}, &graded{}
	m.settled = m.now
	m.cuts = cutting.New(m.Grid, pool, reproducible.Array(c.Domain.Min), reproducible.Array(c.Domain.Max), c.Open)
	m.cuts.Asleep, m.cuts.Walls = m.Solids.Asleep, true // along whose walls what goes on beyond the liquid slips
	m.solids.Asleep = m.Solids.Asleep
	m.Mesh = m
	m.State, m.Forces = State{m: m}, Forces{Forces: &m.Blocks.Forces, m: m}
	m.carrier = transport.New(m.Grid, pool)
	m.rebuild()
	m.carrier.Start(&m.now.Lattice)
	return m
}

// Start makes a mesh without solids, at rest, what the first step begins with.
func (m *Lattice) Start() {
	m.Blocks.Start()
	m.cuts.Solids(&m.now.Lattice, nil)
}

// SetGravity changes what liquid accelerates with everywhere, m/s², from the next step on.
func (m *Lattice) SetGravity(g r3.Vec) {
	m.Blocks.SetGravity(g)
	m.cuts.Up = m.Solids.Up
}

// Resize gives every block the level that is asked for, and makes the lattice of the new layout.
func (m *Lattice) Resize(w *sizing.Requests) sizing.Outcome {
	out := m.Blocks.Resize(w)
	m.rebuild()
	return out
}

// Refresh carries the state over to a layout that was changed outside of a step.
func (m *Lattice) Refresh() {
	m.Blocks.Refresh()
	m.rebuild()
}

// Settle makes the lattice at hand the one that the next step begins with.
func (m *Lattice) Settle() {
	m.Blocks.Settle()
	if m.now != m.settled {
		m.carrier.CarryOver(&m.now.Lattice)
	}
	m.settle()
}

// MeasureSolids measures what static solids, the domain's sides and bodies leave open.
func (m *Lattice) MeasureSolids(solids []rigid.Solid, reach *query.Reach) {
	m.Blocks.MeasureSolids(solids, reach)
	m.rebuild()
	m.cuts.Solids(&m.now.Lattice, solids)
}

// SetStatic replaces the static solids; nil means none.
func (m *Lattice) SetStatic(distance shapes.Distance, thickness func(box r3.Box) float64) {
	m.Blocks.SetStatic(distance, thickness)
	m.cuts.SetStatic(distance, thickness)
}

// ForgetBodies has bodies that stand still measured anew.
func (m *Lattice) ForgetBodies() {
	m.Blocks.ForgetBodies()
	m.cuts.ForgetBodies()
}

// ForgetSolids has what solids leave open measured anew.
func (m *Lattice) ForgetSolids() {
	m.Blocks.ForgetSolids()
	m.cuts.Forget()
}
