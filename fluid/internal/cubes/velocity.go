package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
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
	m.Spray.Gravity = reproducible.Array(g)
}

// AdvectVelocity carries the velocity to the graph's faces.
func (m *Blocks) AdvectVelocity(secondOrder bool) {
	m.Carrier.Advect(m.Graph, m.Drift, secondOrder)
	m.Surface.EndTransport()
}

// BoundVelocity bounds the graph's velocity to a limit, m/s, and finds the greatest speed, for Survey; see graph.Graph. What goes through slits moves nothing
// but its own few drops, and does not count.
func (m *Blocks) BoundVelocity(fastest []float64, run int, limit float64) (bad int) {
	gr, state := m.Graph, &m.Solids.State
	top, bad := gr.BoundVelocity(fastest, run, limit, func(f int) bool { return state[gr.Cubes.Axis[f]][gr.Slot[f]] == cutting.InGraph })
	if bad < 0 {
		m.Survey.MaxSpeed = top
	}
	return bad
}

// ExtrapolateVelocity stores the graph's velocity on the grid and extends it beyond the liquid. Faces that a
// solid shuts move with the solid, as fast as wall tells for a body and a place, m/s.
func (m *Blocks) ExtrapolateVelocity(wall func(body int32, x r3.Vec) r3.Vec) {
	m.wall = wall
	m.Solids.JoinSurfaces(m.Graph)
	m.Slip.Begin(&m.Faces, &m.Solids.State)
	m.Spreader.Extrapolate(&m.Faces, &m.Solids.State, m.store)
	m.Slip.End()
}

// ExtendShear makes the velocity beyond the liquid, which ExtrapolateVelocity has written, go on as a viscosity, m²/s, leaves it at the surface: without shear, as far as
// a tension, N/m, lets it.
func (fs *Forces) ExtendShear(viscosity, tension float64) {
	m := fs.m
	keep := forces.SharesUnder(m.Density, tension, viscosity, m.CellSize)
	fs.Viscosity.Extend(&m.Faces, &m.Solids.State, fs.spreader.Reached, viscosity, keep)
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
