package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// findRows writes what the cells at the centres of a box's cells are, for a tracker that makes droplets of parts of its surface.
func (s *Surface) findRows(dst []track.Row, box track.Box) {
	m := s.m
	for i := range dst {
		x := box.Centre(i)
		b := m.Grid.BaseOf(x)
		if !boxes.Contains(m.Domain, x) || m.Set.Clipped(b) {
			dst[i] = track.IsFixed
			continue
		}
		c := m.Grid.CellAt(reproducible.Array(x))
		dst[i] = 0
		if m.Set.Phi[c] < 0 || s.residual.cells.part[c] > 0 && s.residual.cells.some[b] {
			dst[i] |= track.IsRow
		}
		if m.Solids.Volume[c] > 0 {
			dst[i] |= track.IsOpen
		}
	}
}

// removeParts subtracts parts of a box's cells, no larger than the blocks' finest, from the residual of the blocks' cells.
func (s *Surface) removeParts(box track.Box, parts []float64) {
	g, x := s.m.Grid, &s.residual
	for i, part := range parts {
		if part == 0 {
			continue
		}
		at := box.Centre(i)
		b, c := g.BaseOf(at), g.CellAt(reproducible.Array(at))
		level := g.Cur.Level[b]
		if x.some[b] == 0 {
			x.some[b] = 1
			clear(x.of[g.Cur.First[b]:][:1<<(3*level)])
		}
		edges := box.Edge / g.CellSize(level)
		less := float32(part * edges * edges * edges)
		x.of[c] = max(-mostResidual, x.of[c]-less)
		if x.thin[b] {
			x.own[c] -= less
		}
	}
}
