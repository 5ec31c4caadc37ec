package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// outflow is scratch of RemoveOutflow: the blocks of which some liquid is taken away, and what they hold before, m³.
type outflow struct {
	blocks []int32
	held   []float64
	upTo   []int // of the gains, where each block's end
	left   []leftFilm
}

// RemoveOutflow takes away the liquid that has left through open sides, and returns, per part of the grid, what has left in this substep, m³. What
// stays ends at the sides: were φ beyond them alone made air, the surface would be where that and φ within meet, not at the side.
func (s *Sources) RemoveOutflow() (left []float64) {
	m, o := s.m, &s.outflow
	if m.Open == [6]bool{} {
		return nil
	}
	o.blocks, o.held, o.upTo = o.blocks[:0], o.held[:0], o.upTo[:0]
	for b := range int32(m.Grid.Bases()) {
		if s.reachesBeyond(b) {
			o.blocks, o.held = append(o.blocks, b), append(o.held, s.survey.LiquidOf(b))
		}
	}
	if len(o.blocks) == 0 || !s.surface.cutAtSides() {
		return s.volumes.losses.spilt
	}
	for _, b := range o.blocks {
		s.surface.residual.keepParts(b)
	}
	from := s.volumes.countGains()
	for _, b := range o.blocks {
		s.cutAtSides(b)
		o.upTo = append(o.upTo, s.volumes.countGains())
	}
	s.takeFilms()
	s.dropMarkers()
	for i, b := range o.blocks {
		s.surface.residual.cutParts(b)
		lost := o.held[i] - s.survey.LiquidOf(b)
		s.volumes.scaleGains(from, o.upTo[i], lost)
		s.volumes.spill(b, lost)
		from = o.upTo[i]
	}
	return s.volumes.losses.spilt
}

// reachesBeyond tells whether liquid in a block comes further than to the open sides.
func (s *Sources) reachesBeyond(b int32) bool {
	m := s.m
	h := m.Grid.CellSize(m.Grid.Cur.Level[b])
	half, band := float64(m.Grid.H*layout.Edge/2), float64(m.Set.Band*h)
	c := r3.Add(reproducible.Vector(m.Grid.Corner(b)), r3.Vec{X: half, Y: half, Z: half})
	if by, _ := s.m.beyond(c, h); by <= -band-half {
		return false
	}
	first := m.Grid.Cur.First[b]
	for i, p := range m.Centres.Of(m.Grid, b) {
		by, _ := s.m.beyond(p, h)
		if by > -band && m.Set.Phi[first+int32(i)] < float32(min(by, band)-float64(track.LeastCut*h)) || by > h/2 && s.surface.residual.has(b, i) || s.isLeft(first+int32(i), p, by, h) {
			return true
		}
	}
	return false
}

// cutAtSides takes away the liquid of a block that is beyond the open sides, and books what each cell loses, roughly, with the places within.
func (s *Sources) cutAtSides(b int32) {
	m := s.m
	h := m.Grid.CellSize(m.Grid.Cur.Level[b])
	first, band := m.Grid.Cur.First[b], float64(m.Set.Band*h)
	for i, p := range m.Centres.Of(m.Grid, b) {
		by, back := s.m.beyond(p, h)
		by = min(by, band) // all that is further out is as far
		c := first + int32(i)
		phi := &m.Set.Phi[c]
		if s.isLeft(c, p, by, h) {
			s.outflow.left = append(s.outflow.left, leftFilm{c, float32(h)})
		}
		if by <= -band || *phi >= float32(by-float64(track.LeastCut*h)) {
			continue
		}
		lost := float64((WetFraction(*phi, float32(h)) - WetFraction(float32(by), float32(h))) * m.Solids.Volume[c])
		*phi = float32(by)
		s.surface.residual.markCut(c)
		if lost > 0 {
			s.volumes.GainAt(back, -lost)
		}
	}
	m.Set.Measure(b)
}

// appendBeyond lists the blocks of which liquid is taken away, m.
func (s *Sources) appendBeyond(dst []r3.Box) []r3.Box {
	g := s.m.Grid
	edge := float64(g.H * layout.Edge)
	for _, b := range s.outflow.blocks {
		lo := reproducible.Vector(g.Corner(b))
		dst = append(dst, r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: edge, Y: edge, Z: edge})})
	}
	return dst
}

// cutDistance makes distances to liquid those to what of it is within the open sides.
func (s *Sources) cutDistance(dst []float32, at []r3.Vec) {
	for i, x := range at {
		by, _ := s.m.beyond(x, 0)
		dst[i] = max(dst[i], float32(by))
	}
}

// isLeft tells whether a cell at a place, by so much beyond the open sides, m, holds nothing but a film on such a side, of no cell's centre: no row would move it,
// and it would hang there for ever.
func (s *Sources) isLeft(c int32, p r3.Vec, by, h float64) bool {
	m := s.m
	phi := m.Set.Phi[c]
	if s.surface.residual.cutsExactly() || by <= -h || by >= h/2 || phi < 0 || phi >= float32(h/2) {
		return false
	}
	x, lo, hi := reproducible.Array(p), reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	for a := range 3 {
		for side := range 2 {
			d, inwards := lo[a]-x[a], h
			if side == 1 {
				d, inwards = x[a]-hi[a], -h
			}
			if !m.Open[2*a+side] || d <= -h {
				continue
			}
			y := x
			y[a] += inwards
			if m.Set.Phi[m.Grid.CellAt(y)] > float32(filmEnds*h) {
				return true
			}
		}
	}
	return false
}

// filmEnds is how far from liquid, in cells, the cell further within is if what a cell beside an open side holds is a film.
const filmEnds = .75

// takeFilms takes away the films that cutAtSides has found.
func (s *Sources) takeFilms() {
	for _, f := range s.outflow.left {
		s.m.Set.Phi[f.cell] = f.edge
		s.surface.residual.markEmpty(f.cell)
	}
	s.outflow.left = s.outflow.left[:0]
}

// dropMarkers drops the markers of the liquid that has left: they would put it back.
func (s *Sources) dropMarkers() {
	m := s.m
	s.surface.dropMarkers(func(x r3.Vec) bool {
		by, _ := s.m.beyond(x, 0)
		return by > 0 || m.Set.Phi[m.Grid.CellAt(reproducible.Array(x))] >= float32(m.CellSize)
	})
}

// leftFilm is a cell that holds a film alone, and its edge, m.
type leftFilm struct {
	cell int32
	edge float32
}

// InLiquid tells which places, m, are in liquid that can grow, to the cell: solids leave it room, and air touched it in the last step.
func (s *Sources) InLiquid(dst []bool, pts []r3.Vec) {
	m := s.m
	for i, x := range pts {
		c := m.Grid.CellAt(reproducible.Array(x))
		dst[i] = m.Set.Phi[c] < 0 && m.Solids.Volume[c] > 0 && !s.volumes.inSealed(c)
	}
}

// MostlyLiquid tells whether a place, m, is in a block of which liquid is more than half.
func (s *Sources) MostlyLiquid(x r3.Vec) bool { return s.survey.Fraction[s.m.Grid.BaseOf(x)] > .5 }

// WetAround tells whether there is liquid within a block's edge of a box, m.
func (s *Sources) WetAround(box r3.Box) bool {
	m := s.m
	box = boxes.Grown(box, m.Grid.H*layout.Edge)
	return boxes.Overlap(box, m.Grid.Whole()) && s.survey.WetIn(box)
}
