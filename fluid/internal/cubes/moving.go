package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// movingReach, in finest cells, is how far around a body that moves φ is kept a distance in every step: its band. With less a
// floating box's pool rises 2 % too little.
const movingReach = 3

// ClearMoving forgets where solids move.
func (s *Surface) ClearMoving() {
	m := s.m
	m.Set.Moving = arrays.Resize(m.Set.Moving, m.Grid.Bases())
	clear(m.Set.Moving)
}

// MarkMoving marks the blocks at a body, by its bounds, that moves: where it stands, and what φ says in and beside it, changes with each step.
func (s *Surface) MarkMoving(box r3.Box) {
	m := s.m
	m.Grid.EachBase(boxes.Grown(box, movingReach*m.CellSize), func(b int32) { m.Set.Moving[b] = true })
}

// Velocity writes the velocity of the last substep at some places, m/s.
func (m *Cells) Velocity(dst, at []r3.Vec) {
	for i, x := range at {
		u, v, w := m.Vel.At(m.Grid.ToPoint(x.X, x.Y, x.Z))
		dst[i] = r3.Vec{X: float64(u), Y: float64(v), Z: float64(w)}
	}
}
