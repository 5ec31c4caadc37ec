package adaptive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// spareReach, in cells of a block, is how much further than it moves liquid may come in a step: to the middle of the cell that it comes
// into and across a face of the one beside it; and half a cell for what φ is out by.
const spareReach = 2

// stirReach, in finest cells, is how far around a body that moves φ is kept a distance in every step: its band. With less a
// floating box's pool rises 2 % too little.
const stirReach = 3

// FindReach finds where liquid may come in this step: no further than what is on the move in and beside a block, what falls by fall, m, and
// anywhere at the openings that liquid comes out of.
func (m *Blocks) FindReach(fall float64, openings []r3.Box) {
	i, g := &m.Survey, m.Grid
	everywhere := float32(math.Inf(1))
	for b := range i.Reach {
		if g.Cur.First[b] != g.Prev.First[b] {
			i.Reach[b] = everywhere
			continue
		}
		i.Reach[b] = float32(float64(spareReach*g.CellSize(g.Cur.Level[b])) + float64(m.Dt*float64(i.SpeedAround(g, b))) + fall)
	}
	for _, opening := range openings {
		m.EachBase(boxes.Grown(opening, stirReach*m.CellSize), func(b int32) { i.Reach[b] = everywhere })
	}
}

// ExtendReach has liquid in a box, m, come further by so much, m.
func (m *Blocks) ExtendReach(box r3.Box, by float64) {
	m.EachBase(boxes.Grown(box, by), func(b int32) { m.Survey.Reach[b] += float32(by) })
}

// Reach is where liquid may come in this step.
func (m *Blocks) Reach() blocks.Near { return blocks.Near{Phi: m.Set.Phi, Reach: m.Survey.Reach} }

// ClearStirred has no block stirred.
func (m *Blocks) ClearStirred() {
	m.Set.Stirred = arrays.Resize(m.Set.Stirred, m.Grid.Bases())
	clear(m.Set.Stirred)
}

// Stir marks the blocks at a body, by its bounds, that moves: where it stands, and what φ says in and beside it, changes with each step.
func (m *Blocks) Stir(box r3.Box) {
	m.EachBase(boxes.Grown(box, stirReach*m.CellSize), func(b int32) { m.Set.Stirred[b] = true })
}

// DistancesAt writes the distance to the published surface at some places, m.
func (m *Blocks) DistancesAt(dst []float32, at []r3.Vec) {
	for i, x := range at {
		dst[i] = m.Set.Tiles.At(m.Grid.ToPoint(x.X, x.Y, x.Z))
	}
}

// VelocitiesAt writes the velocity of the last substep at some places, m/s.
func (m *Blocks) VelocitiesAt(dst, at []r3.Vec) {
	for i, x := range at {
		u, v, w := m.Vel.At(m.Grid.ToPoint(x.X, x.Y, x.Z))
		dst[i] = r3.Vec{X: float64(u), Y: float64(v), Z: float64(w)}
	}
}

// EdgesAt writes EdgeAt of some places.
func (m *Blocks) EdgesAt(dst []float64, at []r3.Vec) {
	for i, x := range at {
		dst[i] = m.EdgeAt(x)
	}
}
