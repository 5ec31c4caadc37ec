package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// beyond is how far a place is beyond the open sides of the domain, m, and the place in a cell of edge h within the domain that it is nearest to.
func (m *Cells) beyond(p r3.Vec, h float64) (by float64, back r3.Vec) {
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
func (m *Cells) endsAtOpen(b int32, axis, side int) bool {
	slack := float64(sideSlack * m.CellSize)
	at := m.Grid.Corner(b)[axis]
	if side == 0 {
		return m.Open[2*axis] && at <= reproducible.Array(m.Domain.Min)[axis]+slack
	}
	return m.Open[2*axis+1] && at+float64(m.Grid.H*layout.Edge) >= reproducible.Array(m.Domain.Max)[axis]-slack
}

// within is the block nearest to one that is not all beyond an open side.
func (m *Cells) within(b int32) int32 {
	g := m.Grid
	for a := range 3 {
		for side := range 2 {
			for nb := g.Neighbour[b][2*a+1-side]; nb != layout.None && m.endsAtOpen(nb, a, side); nb = g.Neighbour[b][2*a+1-side] {
				b = nb
			}
		}
	}
	return b
}

// besideOpen tells whether a block comes within a cell of an open side.
func (m *Cells) besideOpen(b int32) bool {
	if m.Open == [6]bool{} {
		return false
	}
	half := float64(m.Grid.H * layout.Edge / 2)
	by, _ := m.beyond(m.Grid.Middle(b), m.Grid.H)
	return by > -half-m.Grid.CellSize(m.Grid.Cur.Level[b])
}

// leastWithin is the part of a cell that is within the open sides from which on its φ tells how wet a face of it is.
const leastWithin = .25

// wetWithin is twice the part of a face of a block that is wet, by φ below and above it. What open sides cut off the cells counts for nothing: where
// they do a face is as wet as what is left of them.
func (m *Cells) wetWithin(b int32, axis int, at [3]int, below, above float32) (wet float32) {
	g := m.Grid
	h := g.CellSize(g.Cur.Level[b])
	x := g.Corner(b)
	for a := range x {
		x[a] += float64((float64(at[a]) + .5) * h)
	}
	cells := float32(0)
	for _, phi := range [2]float32{above, below} {
		by, _ := m.beyond(reproducible.Vector(x), h)
		if is := WetFraction(float32(by), float32(h)); is > leastWithin {
			wet += min(1, WetFraction(phi, float32(h))/is)
			cells++
		}
		x[axis] -= h
	}
	return 2 * wet / max(1, cells)
}
