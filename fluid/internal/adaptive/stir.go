package adaptive

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// stirReach, in finest cells, is how far around a body that moves φ is kept a distance in every step: its band. With less a
// floating box's pool rises 2 % too little.
const stirReach = 3

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
