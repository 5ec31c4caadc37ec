package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// How a shape is added to an exact tracker within a step, and φ follows around it.

// takesShapes tells whether the tracker can take on a shape in a box, m: it is exact, and φ is nowhere there the blocks' own.
func (s *Surface) takesShapes(box r3.Box) bool {
	takes := s.copies() && s.residual.exact && s.can.Grow != nil
	if takes {
		s.m.Grid.EachBase(box, func(b int32) { takes = takes && !s.m.Set.Clipped(b) })
	}
	return takes
}

// addShape adds a shape in a box, m, to the tracker's surface, with a label and a volume, m³, and samples φ anew where that may have changed it. What φ has changed by since it was
// sampled stays.
func (s *Surface) addShape(shape shapes.SDF, box r3.Box, label int32, volume float64) {
	m, c := s.m, &s.field
	s.can.Grow(shape, label, volume)
	c.all = c.all[:0]
	m.Grid.EachBase(box, func(b int32) {
		if !m.Set.Clipped(b) {
			c.all = append(c.all, b)
			s.noteChange(b)
		}
	})
	c.list = c.all
	s.can.MeasureDistances()
	for i := range c.list {
		s.sampleBlock(0, int32(i))
		s.keepSampled(c.list[i])
	}
	s.residual.measureAgain()
	for _, b := range c.list {
		s.restoreChange(b)
	}
}

// noteChange notes what a block's φ has changed by since it was sampled.
func (s *Surface) noteChange(b int32) {
	first, n := s.m.Grid.Cur.First[b], int32(1)<<(3*s.m.Grid.Cur.Level[b])
	for i := first; i < first+n; i++ {
		s.field.change[i] = s.m.Set.Phi[i] - s.field.sampled[i]
	}
}

// keepSampled bounds a block's φ, which was just sampled, to the band, and keeps it.
func (s *Surface) keepSampled(b int32) {
	m := s.m
	level, first := m.Grid.Cur.Level[b], m.Grid.Cur.First[b]
	limit := float32(m.Set.Band * m.Grid.CellSize(level))
	phi := m.Set.Phi[first:][:1<<(3*level)]
	for i, p := range phi {
		phi[i] = max(-limit, min(limit, p))
	}
	copy(s.field.sampled[first:], phi)
}

// restoreChange changes a block's φ by what was noted.
func (s *Surface) restoreChange(b int32) {
	first, n := s.m.Grid.Cur.First[b], int32(1)<<(3*s.m.Grid.Cur.Level[b])
	for i := first; i < first+n; i++ {
		s.m.Set.Phi[i] += s.field.change[i]
	}
	s.m.Set.Measure(b)
}
