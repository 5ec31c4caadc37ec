package adaptive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SetGravity changes what liquid and droplets accelerate with everywhere, m/s², from the next step on.
func (m *Blocks) SetGravity(g r3.Vec) {
	m.Gravity = g
	m.Solids.Up = [3]float64{}
	if g != (r3.Vec{}) {
		m.Solids.Up = reproducible.Array(query.Up(g))
	}
	m.Set.Markers.Droplets.Gravity = reproducible.Array(g)
}

// AdvectVelocity carries the velocity to the graph's faces.
func (m *Blocks) AdvectVelocity(secondOrder bool) { m.Carrier.Advect(m.Graph, m.Drift, secondOrder) }

// BoundVelocity bounds the velocity on the graph's faces to a limit, m/s, and finds the greatest speed, for Survey. What goes through slits moves nothing but
// its own few drops, and does not count. It returns the first face whose velocity is not finite, of none -1.
//
// fastest: the greatest speed of each run of so many faces, m/s; NaN if one is not finite.
func (m *Blocks) BoundVelocity(fastest []float64, run int, limit float64) (bad int) {
	top, u := 0., m.Graph.U
	for i, most := range fastest {
		lo := i * run
		if most-most != 0 {
			return firstNotFinite(u, lo)
		}
		if most > top {
			top = m.boundFaces(lo, min(lo+run, len(u)), limit, top)
		}
	}
	m.Survey.MaxSpeed = top
	return -1
}

// firstNotFinite is the first velocity, from one on, that is not finite.
func firstNotFinite(u []float64, from int) int {
	for f := from; f < len(u); f++ {
		if u[f]-u[f] != 0 {
			return f
		}
	}
	return from
}

// boundFaces bounds the velocity of faces lo ≤ f < hi and returns the greatest, or top.
func (m *Blocks) boundFaces(lo, hi int, limit, top float64) float64 {
	gr := m.Graph
	for f, u := range gr.U[lo:hi] {
		if a := math.Abs(u); a > top {
			f += lo
			if a > limit {
				gr.U[f] = math.Copysign(limit, u)
				a = limit
			}
			if m.Solids.State[gr.Axis[f]][gr.Slot[f]] == blocks.InGraph {
				top = a
			}
		}
	}
	return top
}

// ExtrapolateVelocity stores the graph's velocity on the grid and extends it beyond the liquid. Faces that a
// solid shuts move with the solid, as fast as wall tells for a body and a place, m/s.
func (m *Blocks) ExtrapolateVelocity(wall func(body int32, x r3.Vec) r3.Vec) {
	m.wall = wall
	m.Solids.JoinSurfaces(m.Graph)
	m.Spreader.Extrapolate(&m.Faces, &m.Solids.State, m.store)
}

// ExtendShear makes the velocity beyond the liquid, which ExtrapolateVelocity has written, go on as viscosity leaves it at the surface: without shear.
func (m *Blocks) ExtendShear() {
	m.Viscosity.Extend(&m.Faces, &m.Solids.State, m.Spreader.Reached)
}

// storeBlock stores the velocity of a block's faces.
func (m *Blocks) storeBlock(b int32) {
	m.Carrier.Store(b, m.Graph, &m.Faces, &m.Solids.State)
	m.Solids.Moving(b, m.shut)
}

// shutFace gives a face that a solid shuts the solid's velocity there.
func (m *Blocks) shutFace(body int32, axis uint8, slot int32, x r3.Vec) {
	m.Faces[axis][slot] = float32(reproducible.Array(m.wall(body, x))[axis])
}
