package adaptive

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Controls is what controls ask of blocks.
type Controls struct{ m *Blocks }

// Fractions writes what part of the cell at each place is liquid; 0 outside of the grid.
func (s *Controls) Fractions(dst []float32, at []r3.Vec) {
	m := s.m
	for i, x := range at {
		dst[i] = 0
		if cell := m.Grid.CellAt(reproducible.Array(x)); cell >= 0 {
			dst[i] = m.Fraction[cell]
		}
	}
}

// SpreadOver adds a source, m³/s, to those of the rows in a list, by their volumes, and books it with what their components are to hold. It takes
// no more than half of what is there in a step, and returns what it added.
func (s *Controls) SpreadOver(list []int32, rate float64, rows []float64) float64 {
	m := s.m
	total := 0.
	for _, r := range list {
		total += float64(m.Graph.Volume[r])
	}
	if total == 0 {
		return 0
	}
	rate = max(rate, -.5*total/m.Dt)
	for _, r := range list {
		m.Sources.draw(rows, r, rate*float64(m.Graph.Volume[r])/total)
	}
	return rate
}

// RowsIn appends the rows in a region that air can follow.
func (s *Controls) RowsIn(dst []int32, in shapes.SDF) []int32 {
	if s.m.Sources.rowsIn(in, 0, true) == 0 {
		return dst
	}
	return append(dst, s.m.Sources.rows...)
}
