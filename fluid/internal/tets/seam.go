package tets

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/transport"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Discretise fills the graph with what surface and solids, of which so many may move, leave the liquid.
func (m *Lattice) Discretise(bodies int) {
	m.Surface.BeginDiscretise()
	m.sampleSurface()
	m.carrier.Begin(&m.now.Lattice)
	m.cuts.Fill(m.Graph, m.phi, nil, bodies)
	m.cells = arrays.Resize(m.cells, m.Graph.Rows)
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, m, (*Lattice).listRows)
}

// vertexGrain is how many base cells make a chunk of a loop over vertices.
const vertexGrain = 4

// sampleSurface writes the distance of the surface at the vertices.
func (m *Lattice) sampleSurface() {
	m.findDistances()
	par.Each(m.Pool, m.Grid.Bases(), vertexGrain, m, (*Lattice).sampleBase)
}

// sampleBase writes the distance of the surface at a base cell's vertices.
func (m *Lattice) sampleBase(_ int, b int32) {
	l := m.now
	lo, hi := l.VertexRuns.Of(b)
	cut, walled := m.cuts.CutsInto(b), m.cuts.HasThinWalls(b)
	for v := lo; v < hi; v++ {
		c := l.Cell[v]
		if c < 0 && l.Beyond[v] {
			m.phi[v] = m.Grid.H
			continue
		}
		if c < 0 && walled {
			if phi, fewer := m.besideWalls(v); fewer {
				m.phi[v] = phi
				continue
			}
		}
		if c >= 0 {
			m.phi[v] = float64(m.distances.phi[c])
		} else {
			m.phi[v] = l.stencils[v].at(m.distances.phi)
		}
		if cut && m.isBesideSolid(v) {
			m.phi[v] = m.besideSolid(v, m.phi[v])
		}
	}
}

// listRows tells the blocks which row the middle of each cell is in, and of which cell each row is the middle.
func (m *Lattice) listRows(_ int, b int32) {
	l := m.now
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		r, c := m.cuts.Row[v], l.Cell[v]
		if c >= 0 {
			m.Solids.Row[c] = r
		}
		if r >= 0 {
			m.cells[r] = c
		}
	}
}

// lag is the time in which what the velocity along an edge to the air has over the mean around decays, in √(h/g) for cells of h, m, and gravity g, m/s².
//
// Each such edge is accelerated by the pressure at its own end, and by where it crosses the surface itself. So columns of liquid under middles of cells may rise
// while those under corners sink. That needs no pressure, and as the surface is known at the middles alone no level holds it back: what the two are accelerated by
// unlike would add up. In linear theory that is of no account, since the surface rises by the transpose of how it is accelerated (package transport, rise); where rows come and go,
// and along a slope, that holds but nearly. When it decays in this time waves don't grow, and what steps of other lengths do differs little.
const lag = .35

// AdvectVelocity carries the velocity to the graph's faces.
func (m *Lattice) AdvectVelocity(secondOrder bool) {
	m.carrier.Lag = 0
	if g := reproducible.Norm(m.Gravity); g > 0 {
		m.carrier.Lag = lag * math.Sqrt(m.CellSize/g)
	}
	m.carrier.Advect(m.Graph, m.Drift, secondOrder)
	m.Surface.EndTransport()
}

// BoundVelocity bounds the graph's velocity to a limit, m/s, and finds the greatest speed. What goes through slivers moves nothing else, and does not count.
func (m *Lattice) BoundVelocity(fastest []float64, run int, limit float64) (bad int) {
	gr := m.Graph
	top, bad := gr.BoundVelocity(fastest, run, limit, func(f int) bool { return transport.Tells(gr, f) })
	if bad < 0 {
		m.Survey.MaxSpeed = top
	}
	return bad
}

// ExtrapolateVelocity stores the graph's velocity on the lattice and extends it beyond the liquid. Edges that a body shuts move with it, as
// fast as wall tells for a place on it, m/s.
func (m *Lattice) ExtrapolateVelocity(wall func(body int32, x r3.Vec) r3.Vec) {
	m.readShut(wall)
	m.carrier.Extrapolate(m.Graph, &m.solids)
	m.surface = transport.Surface{Phi: m.phi, Open: m.cuts.Open}
	m.carrier.WriteFaces((*[3][]float32)(&m.Faces), &m.surface)
}

// Publish makes the state of the substep that ends the settled one.
func (m *Lattice) Publish() {
	m.Blocks.PublishIn(m.carrier.Reached())
	m.carrier.Publish()
	m.settle()
}

// Revert takes back what a substep or an edit has changed so far.
func (m *Lattice) Revert(moved, atRest bool) {
	m.Blocks.Revert(moved, atRest)
	m.carrier.Revert(atRest)
	m.revert()
	if atRest {
		clear(m.now.pressure)
	}
	m.cuts.Forget()
}

// Stop brings the liquid to rest.
func (m *Lattice) Stop() {
	m.Blocks.Stop()
	u, _ := m.carrier.Edges()
	clear(u)
	m.carrier.Resume()
}

// Velocity writes the settled velocity at some places, m/s.
func (m *Lattice) Velocity(dst, at []r3.Vec) { m.carrier.Velocity(dst, at) }

// VelocityChanged gives the edges in a box, m, the velocity of the layout's faces.
func (m *Lattice) VelocityChanged(box r3.Box) {
	l := m.now
	u, known := m.carrier.Edges()
	m.Grid.EachBase(box, func(b int32) {
		lo, hi := l.EdgeRuns.Of(b)
		for e := lo; e < hi; e++ {
			x, n := l.Middle[e], l.Normal(e)
			if !boxes.Contains(box, reproducible.Vector(x)) {
				continue
			}
			at := m.Grid.ToPoint(x[0], x[1], x[2])
			vx, vy, vz := m.Vel.At(at)
			u[e] = float64(float64(vx)*n[0]) + float64(float64(vy)*n[1]) + float64(float64(vz)*n[2])
			known[e] = transport.Given
		}
	})
	m.carrier.Resume()
}

// readShut lists the edges that bodies shut, and how fixed solids lie in the cells.
func (m *Lattice) readShut(wall func(body int32, x r3.Vec) r3.Vec) {
	s := &m.solids
	s.Wall, s.Shut = wall, s.Shut[:0]
	for b := range int32(m.Grid.Bases()) {
		m.cuts.Moving(b, m.addShut)
	}
}

func (m *Lattice) addShut(body, edge int32, _ r3.Vec) {
	m.solids.Shut = append(m.solids.Shut, transport.ShutEdge{Edge: edge, Body: body})
}
