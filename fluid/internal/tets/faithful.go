package tets

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffed"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Stuffed is the cells of a liquid whose pressures are in the tetrahedra of a mesh that is fit to surface and solids in each step, and whose velocities are across
// their faces. The velocity is published along the edges of the lattice that the mesh is made of, where it is extrapolated beyond the liquid, and on the
// layout's cells. It is an fv.Cells and a cubes.Mesh.
//
// Sources: Klingner et al. 2006; Chentanez et al. 2007.
type Stuffed struct {
	*Lattice
	State StuffedState

	mesh          *stuffed.Discretiser
	settled, next *stuffed.Field
	trace         stuffed.Trace
	edges         graph.Graph // of the lattice
	bodies        []rigid.Solid
	count         []int32 // scratch of KeepPressure: rows at each vertex
}

// NewStuffed makes the cells on the grid of a liquid without any.
func NewStuffed(c cubes.Config, pool *par.Pool, gr *graph.Graph, components *graph.Components) *Stuffed {
	m := &Stuffed{Lattice: New(c, pool, gr, components)}
	m.mesh = stuffed.New(m.Grid, pool, reproducible.Array(c.Domain.Min), reproducible.Array(c.Domain.Max))
	m.mesh.Asleep, m.mesh.Near = m.Solids.Asleep, m.nearSolids
	m.settled, m.next = stuffed.NewField(pool), stuffed.NewField(pool)
	m.trace.Beyond = m.carrier.At
	m.Mesh = m
	m.State = StuffedState{m}
	return m
}

// nearSolids tells whether solids cut what is in a base cell or beside it.
func (m *Stuffed) nearSolids(b int32) bool {
	for _, nb := range m.Grid.Nearby(b) {
		if nb != layout.None && m.cuts.CutsInto(nb) {
			return true
		}
	}
	return false
}

// SetGravity changes what liquid accelerates with everywhere, m/s², from the next step on.
func (m *Stuffed) SetGravity(g r3.Vec) {
	m.Lattice.SetGravity(g)
	m.mesh.Up = m.Solids.Up
}

// SetStatic replaces the static solids; nil means none.
func (m *Stuffed) SetStatic(distance shapes.Distance, thickness func(box r3.Box) float64) {
	m.Lattice.SetStatic(distance, thickness)
	m.mesh.SetStatic(distance)
}

// MeasureSolids measures what static solids, the domain's sides and bodies leave open.
func (m *Stuffed) MeasureSolids(solids []rigid.Solid, reach *query.Reach) {
	m.Lattice.MeasureSolids(solids, reach)
	m.bodies = solids
}

// Settle makes the lattice at hand the one that the next step begins with. If it is another one, its edges tell the velocity of that step.
func (m *Stuffed) Settle() {
	if m.now != m.Lattice.settled {
		m.settled.Drop()
	}
	m.Lattice.Settle()
}

// Discretise makes the mesh, and fills the graph with what surface and solids, of which so many may move, leave the liquid.
func (m *Stuffed) Discretise(bodies int) {
	m.Surface.BeginDiscretise()
	m.sampleSurface()
	m.carrier.Begin(&m.now.Lattice)
	m.cuts.Fill(&m.edges, m.phi, nil, bodies)
	m.mesh.Fill(m.Graph, &m.now.Lattice, m.phi, m.bodies[:bodies])
	for i := range m.Graph.Bodies {
		m.measureBody(i)
	}
	m.cells = arrays.Resize(m.cells, m.Graph.Rows)
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, m, (*Stuffed).listRows)
}

// measureBody takes over from the lattice's graph what does not depend on the mesh of where a body meets the liquid, and of one too thin for the mesh all.
func (m *Stuffed) measureBody(i int) {
	to, from := &m.Graph.Bodies[i], &m.edges.Bodies[i]
	to.Area, to.Volume, to.Whole, to.Moment = from.Area, from.Volume, from.Whole, from.Moment
	if m.bodies[i].Porous >= 1 {
		m.mesh.Spread(m.Graph, m.now.Vertices(), to, from, m.edges.Cell)
	}
}

// listRows finds a row for each cell of a base cell, and the cell of each such row: the first of the base cell's tetrahedra with liquid that have the cell's centre for a
// corner.
func (m *Stuffed) listRows(_ int, b int32) {
	l, mesh := m.now, m.mesh.Mesh
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi && l.Cell[v] >= 0; v++ {
		m.Solids.Row[l.Cell[v]] = -1
	}
	for r := m.Graph.Parts[b].Row; r < m.Graph.Parts[b+1].Row; r++ {
		m.cells[r] = -1
		for k := range 4 {
			v := stuffed.VertexOf(mesh, m.Graph.Cell[r], k)
			if v < lo || v >= hi || l.Cell[v] < 0 || m.Solids.Row[l.Cell[v]] >= 0 || m.cells[r] >= 0 {
				continue
			}
			m.Solids.Row[l.Cell[v]], m.cells[r] = r, l.Cell[v]
		}
	}
}

// AdvectVelocity carries the velocity to the graph's faces. It has no second order.
func (m *Stuffed) AdvectVelocity(bool) {
	m.trace.Dt = m.Drift
	m.settled.Advect(m.Graph, &m.trace)
	m.Surface.EndTransport()
}

// ExtrapolateVelocity makes the velocity of tetrahedra from the graph's, stores it along the lattice's edges, and extends it beyond the liquid.
func (m *Stuffed) ExtrapolateVelocity(wall func(body int32, x r3.Vec) r3.Vec) {
	m.next.Take(m.mesh, m.Graph, &m.now.Lattice, wall)
	par.For(m.Pool, m.edges.Faces(), edgeGrain, m, (*Stuffed).sampleEdges)
	m.readShut(wall)
	m.carrier.Extrapolate(&m.edges, &m.solids)
	m.carrier.WriteFaces((*[3][]float32)(&m.Faces), nil)
}

// edgeGrain is how many edges make a chunk.
const edgeGrain = 256

func (m *Stuffed) sampleEdges(worker, lo, hi int) {
	gr := &m.edges
	for f := lo; f < hi; f++ {
		u := m.next.Nearest(&gr.FaceCentres[f], worker)
		gr.U[f] = gr.Along(f, &u)
	}
}

// Publish makes the state of the substep that ends the settled one.
func (m *Stuffed) Publish() {
	m.Lattice.Publish()
	m.settled, m.next = m.next, m.settled
}

// Revert takes back what a substep or an edit has changed so far.
func (m *Stuffed) Revert(moved, atRest bool) {
	m.Lattice.Revert(moved, atRest)
	if atRest {
		m.settled.Stop()
	}
}

// Stop brings the liquid to rest.
func (m *Stuffed) Stop() {
	m.Lattice.Stop()
	m.settled.Stop()
}

// VelocityChanged gives edges and tetrahedra in a box, m, the velocity of the layout's faces.
func (m *Stuffed) VelocityChanged(box r3.Box) {
	m.Lattice.VelocityChanged(box)
	m.settled.Replace(func(x r3.Vec) bool { return boxes.Contains(box, x) }, func(x r3.Vec) [3]float64 {
		vx, vy, vz := m.Vel.At(m.Grid.ToPoint(x.X, x.Y, x.Z))
		return [3]float64{float64(vx), float64(vy), float64(vz)}
	})
}
