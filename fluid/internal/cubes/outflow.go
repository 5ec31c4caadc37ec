package cubes

import (
	"math"

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
			o.blocks, o.held = append(o.blocks, b), append(o.held, m.Survey.LiquidOf(b))
		}
	}
	if len(o.blocks) == 0 || !m.Surface.cutAtSides() {
		return m.Volumes.losses.spilt
	}
	for _, b := range o.blocks {
		m.Surface.residual.keepParts(b)
	}
	from := m.Volumes.countGains()
	for _, b := range o.blocks {
		s.cutAtSides(b)
		o.upTo = append(o.upTo, m.Volumes.countGains())
	}
	s.takeFilms()
	s.dropMarkers()
	for i, b := range o.blocks {
		m.Surface.residual.cutParts(b)
		lost := o.held[i] - m.Survey.LiquidOf(b)
		m.Volumes.scaleGains(from, o.upTo[i], lost)
		m.Volumes.spill(b, lost)
		from = o.upTo[i]
	}
	return m.Volumes.losses.spilt
}

// reachesBeyond tells whether liquid in a block comes further than to the open sides.
func (s *Sources) reachesBeyond(b int32) bool {
	m := s.m
	h := m.Grid.CellSize(m.Grid.Cur.Level[b])
	half, band := float64(m.Grid.H*layout.Edge/2), float64(m.Set.Band*h)
	c := r3.Add(reproducible.Vector(m.Grid.Corner(b)), r3.Vec{X: half, Y: half, Z: half})
	if by, _ := s.beyond(c, h); by <= -band-half {
		return false
	}
	first := m.Grid.Cur.First[b]
	for i, p := range m.Centres.Of(m.Grid, b) {
		by, _ := s.beyond(p, h)
		if by > -band && m.Set.Phi[first+int32(i)] < float32(min(by, band)-float64(track.LeastCut*h)) || by > h/2 && m.Surface.residual.has(b, i) || s.isLeft(first+int32(i), p, by, h) {
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
		by, back := s.beyond(p, h)
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
		m.Surface.residual.markCut(c)
		if lost > 0 {
			m.Volumes.GainAt(back, -lost)
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
		by, _ := s.beyond(x, 0)
		dst[i] = max(dst[i], float32(by))
	}
}

// isLeft tells whether a cell at a place, by so much beyond the open sides, m, holds nothing but a film on such a side, of no cell's centre: no row would move it,
// and it would hang there for ever.
func (s *Sources) isLeft(c int32, p r3.Vec, by, h float64) bool {
	m := s.m
	phi := m.Set.Phi[c]
	if m.Surface.residual.cutsExactly() || by <= -h || by >= h/2 || phi < 0 || phi >= float32(h/2) {
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
		s.m.Surface.residual.markEmpty(f.cell)
	}
	s.outflow.left = s.outflow.left[:0]
}

// dropMarkers drops the markers of the liquid that has left: they would put it back.
func (s *Sources) dropMarkers() {
	m := s.m
	m.Surface.dropMarkers(func(x r3.Vec) bool {
		by, _ := s.beyond(x, 0)
		return by > 0 || m.Set.Phi[m.Grid.CellAt(reproducible.Array(x))] >= float32(m.CellSize)
	})
}

// leftFilm is a cell that holds a film alone, and its edge, m.
type leftFilm struct {
	cell int32
	edge float32
}

// beyond is how far a place is beyond the open sides of the domain, m, and the place in a cell of edge h within the domain that it is nearest to.
func (s *Sources) beyond(p r3.Vec, h float64) (by float64, back r3.Vec) {
	m := s.m
	x, lo, hi := reproducible.Array(p), reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	by = math.Inf(-1)
	within := x
	for a := range 3 {
		if d := lo[a] - x[a]; m.Open[2*a] {
			if by = max(by, d); d > 0 {
				within[a] = lo[a] + float64(h/2)
			}
		}
		if d := x[a] - hi[a]; m.Open[2*a+1] {
			if by = max(by, d); d > 0 {
				within[a] = hi[a] - float64(h/2)
			}
		}
	}
	return by, reproducible.Vector(within)
}

// endsAtOpen tells whether all beyond a side of a block is beyond an open side of the domain.
func (s *Sources) endsAtOpen(b int32, axis, side int) bool {
	m := s.m
	slack := float64(sideSlack * m.CellSize)
	at := m.Grid.Corner(b)[axis]
	if side == 0 {
		return m.Open[2*axis] && at <= reproducible.Array(m.Domain.Min)[axis]+slack
	}
	return m.Open[2*axis+1] && at+float64(m.Grid.H*layout.Edge) >= reproducible.Array(m.Domain.Max)[axis]-slack
}

// within is the block nearest to one that is not all beyond an open side.
func (s *Sources) within(b int32) int32 {
	g := s.m.Grid
	for a := range 3 {
		for side := range 2 {
			for nb := g.Neighbour[b][2*a+1-side]; nb != layout.None && s.endsAtOpen(nb, a, side); nb = g.Neighbour[b][2*a+1-side] {
				b = nb
			}
		}
	}
	return b
}

// besideOpen tells whether a block comes within a cell of an open side.
func (s *Sources) besideOpen(b int32) bool {
	m := s.m
	if m.Open == [6]bool{} {
		return false
	}
	half := float64(m.Grid.H * layout.Edge / 2)
	c := r3.Add(reproducible.Vector(m.Grid.Corner(b)), r3.Vec{X: half, Y: half, Z: half})
	by, _ := s.beyond(c, m.Grid.H)
	return by > -half-m.Grid.CellSize(m.Grid.Cur.Level[b])
}

// leastWithin is the part of a cell that is within the open sides from which on its φ tells how wet a face of it is.
const leastWithin = .25

// wetWithin is twice the part of a face of a block that is wet, by φ below and above it. What open sides cut off the cells counts for nothing: where
// they do a face is as wet as what is left of them.
func (s *Sources) wetWithin(b int32, axis int, at [3]int, below, above float32) (wet float32) {
	g := s.m.Grid
	h := g.CellSize(g.Cur.Level[b])
	x := g.Corner(b)
	for a := range x {
		x[a] += float64((float64(at[a]) + .5) * h)
	}
	cells := float32(0)
	for _, phi := range [2]float32{above, below} {
		by, _ := s.beyond(reproducible.Vector(x), h)
		if is := WetFraction(float32(by), float32(h)); is > leastWithin {
			wet += min(1, WetFraction(phi, float32(h))/is)
			cells++
		}
		x[axis] -= h
	}
	return 2 * wet / max(1, cells)
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
	box = boxes.Grown(box, m.Grid.H*layout.Edge)
	return boxes.Overlap(box, m.Grid.Whole()) && m.Survey.WetIn(box)
}
