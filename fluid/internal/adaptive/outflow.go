package adaptive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// RemoveOutflow takes away the liquid that has left through open sides, and returns, per part of the grid, what has left in this substep, m³.
func (s *Sources) RemoveOutflow() (left []float64) {
	m := s.m
	if m.Open == [6]bool{} {
		return nil
	}
	lo, hi := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	for b := range int32(m.Grid.Bases()) {
		c := m.Grid.Corner(b)
		edge := float64(m.Grid.H * grid.Edge)
		outside := false
		for a := range 3 {
			outside = outside || m.Open[2*a] && c[a] < lo[a]-float64(1e-9*edge) || m.Open[2*a+1] && c[a]+edge > hi[a]+float64(1e-9*edge)
		}
		if outside {
			s.removeOutflowOf(b, lo, hi)
		}
	}
	return m.Volumes.losses.spilt
}

// removeOutflowOf takes away the liquid of a block that is beyond the open sides of the domain, which is from lo to hi, and books it.
func (s *Sources) removeOutflowOf(b int32, lo, hi [3]float64) {
	m := s.m
	h := m.Grid.CellSize(m.Grid.Cur.Level[b])
	first, band := m.Grid.Cur.First[b], float64(m.Set.Band*h)
	from, before, roughly := m.Volumes.countGains(), m.Survey.LiquidOf(b), 0.
	for i, p := range m.Centres(b) {
		beyond, back := s.beyond(p, lo, hi, h)
		beyond = min(beyond, band) // all that is further out is as far
		c := first + int32(i)
		phi := &m.Set.Phi[c]
		if beyond <= 0 || *phi >= float32(beyond) {
			continue
		}
		lost := float64((WetFraction(*phi, float32(h)) - WetFraction(float32(beyond), float32(h))) * m.Solids.Volume[c])
		*phi = float32(beyond)
		if lost > 0 {
			roughly += lost
			m.Volumes.GainAt(back, -lost)
		}
	}
	m.Set.Measure(b)
	lost := max(0, before-m.Survey.LiquidOf(b))
	m.Volumes.scaleGains(from, lost/roughly)
	m.Volumes.spill(b, lost)
}

// beyond is how far a place is beyond the open sides of the domain, from lo to hi, m, and the place in a cell of edge h within the domain that
// it is nearest to.
func (s *Sources) beyond(p r3.Vec, lo, hi [3]float64, h float64) (by float64, back r3.Vec) {
	m := s.m
	x := reproducible.Array(p)
	by = math.Inf(-1)
	within := x
	for a := range 3 {
		if d := lo[a] - x[a]; m.Open[2*a] && d > by {
			by = d
			within[a] = lo[a] + float64(h/2)
		}
		if d := x[a] - hi[a]; m.Open[2*a+1] && d > by {
			by = d
			within[a] = hi[a] - float64(h/2)
		}
	}
	return by, reproducible.Vector(within)
}

// InLiquid tells which places, m, are in liquid that can grow, to the cell: solids leave it room, and air touched it in the last step.
func (s *Sources) InLiquid(dst []bool, pts []r3.Vec) {
	m := s.m
	for i, x := range pts {
		c := m.Grid.CellAt(reproducible.Array(x))
		dst[i] = m.Set.Phi[c] < 0 && m.Solids.Volume[c] > 0 && !m.Volumes.inSealed(c)
	}
}

// MostlyLiquid tells whether a place, m, is in a block of which liquid is more than half.
func (s *Sources) MostlyLiquid(x r3.Vec) bool { return s.m.Survey.Fraction[s.m.Grid.BaseOf(x)] > .5 }

// WetAround tells whether there is liquid within a block's edge of a box, m.
func (s *Sources) WetAround(box r3.Box) bool {
	m := s.m
	box = boxes.Grown(box, m.Grid.H*grid.Edge)
	return boxes.Overlap(box, m.Whole()) && m.Survey.WetIn(box)
}
