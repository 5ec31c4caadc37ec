package isomesh

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// meshSnap is how near a wall may be to a grid plane of the finest level to count as on it,
// in H: far above float64's rounding of metres, far below anything seen.
const meshSnap = 1e-3

// meshOdd is more cells than blocks may disagree by about nodes that both have but only one by a mean.
const meshOdd = 4

// meshBox is the domain in the grid.
type meshBox struct {
	lo, hi [3]float64 // as given, m
	wall   [3][2]float64
	plane  [3][2]float32 // m, what wall vertices get
	spans  [3][layout.MaxLevel + 1][]meshSpan
}

// meshSpan is what the domain leaves of a block of some level along one axis. Nodes count
// from 0 to n; beyond a wall is one ghost node, so that cells count from c0-1 or to c1.
type meshSpan struct {
	n        int
	c0, c1   int       // first and last node of the domain; c1 < c0 outside of it
	q0, q1   int       // first and last cell, ghosts counted
	lo, hi   bool      // whether the domain ends at that end
	plain    bool      // every node is the mean of the cells beside it
	whole    bool      // the domain ends between cells
	ghosts   [2]uint32 // the bits of the first and the last cell, where they are ghosts
	inner0   int       // the first and the last cell that no wall is beside
	inner1   int
	blind    bool                     // too few cells have their centre inside for a node to extrapolate from
	odd      [2]bool                  // which end node isn't, walls aside
	over     float32                  // how far a node may leave the range of the block's cells, in their edges
	tap      [layout.Edge + 1]int     // tile place of the lower of the two cells a node blends
	w        [layout.Edge + 1]float32 // share of the upper one; beyond 0..1 it extrapolates
	at       [layout.Edge + 3]float32 // H from the block's corner; node i at i+1
	cellEdge float32                  // H
}

// set cuts the domain to the grid and makes the tables; it does nothing for the same domain.
func (x *meshBox) set(g *layout.Grid, lo, hi [3]float64) {
	if x.spans[0][0] != nil && x.lo == lo && x.hi == hi {
		return
	}
	x.lo, x.hi = lo, hi
	for a := range 3 {
		end := float64(g.Dim[a] * layout.Edge)
		for s, v := range [2]float64{lo[a], hi[a]} {
			w := (v - g.Origin[a]) / g.H
			if r := math.Round(w); math.Abs(w-r) < meshSnap {
				w = r
			}
			if w < 0 || w > end {
				w = max(0, min(w, end))
				v = g.Origin[a] + float64(w*g.H)
			}
			x.wall[a][s], x.plane[a][s] = w, float32(v)
		}
		for l := range x.spans[a] {
			if x.spans[a][l] == nil {
				x.spans[a][l] = make([]meshSpan, g.Dim[a])
			}
			for c := range x.spans[a][l] {
				corner := float64(c * layout.Edge)
				x.spans[a][l][c] = newMeshSpan(l, x.wall[a][0]-corner, x.wall[a][1]-corner)
			}
		}
	}
}

// newMeshSpan is the span of a block of the level whose domain reaches from lo to hi, in H
// from the block's corner.
func newMeshSpan(level int, lo, hi float64) meshSpan {
	n := 1 << level
	size := float64(int(layout.Edge) >> level)
	if hi <= 0 || lo >= layout.Edge || hi <= lo {
		return meshSpan{n: n, c0: 0, c1: -1}
	}
	s := meshSpan{n: n, c0: 0, c1: n, q0: 0, q1: n - 1, plain: true, cellEdge: float32(size)}
	if lo >= 0 {
		s.lo, s.c0 = true, int(lo/size)
		s.q0 = s.c0 - 1
		s.ghosts[0] = meshBits(s.q0, s.q0)
	}
	if hi <= layout.Edge {
		s.hi, s.c1 = true, int(math.Ceil(hi/size))
		s.q1 = s.c1
		s.ghosts[1] = meshBits(s.q1, s.q1)
	}
	s.inner0, s.inner1 = int(math.Ceil(lo/size))+1, int(math.Floor(hi/size))-2
	s.whole = (!s.lo || float64(s.c0)*size == lo) && (!s.hi || float64(s.c1)*size == hi)
	first := int(math.Ceil(lo/size - .5 - 1e-6)) // cells with their centre inside
	last := int(math.Floor(hi/size - .5 + 1e-6))
	for i := -1; i <= n+1; i++ {
		p := max(lo, min(float64(i)*size, hi))
		s.at[i+1] = float32(p)
		if i < s.c0 || i > s.c1 {
			continue
		}
		low, w := meshTap(p/size, n, first, last)
		blind := low < first || low+1 > last
		s.blind = s.blind || blind
		s.tap[i], s.w[i] = low+1, float32(w)
		s.over = max(s.over, float32(max(w-1, -w)))
		if blind || low != i-1 || w != .5 {
			s.plain = false
			s.odd[0] = s.odd[0] || i == 0 && !s.lo
			s.odd[1] = s.odd[1] || i == n && !s.hi
		}
	}
	if s.odd[0] || s.odd[1] { // the block beyond goes on to them from elsewhere
		s.over = meshOdd
	}
	return s
}

// meshTap picks the two cells that make the value at p, in cells from the block's corner, out
// of first..last as far as the tile has them, and the share of the upper one.
func meshTap(p float64, n, first, last int) (low int, w float64) {
	low = int(math.Floor(p - .5))
	low = min(low, last-1)
	low = max(low, min(first, last-1), -1)
	low = min(low, n-1)
	return low, p - .5 - float64(low)
}

// side tells whether node c is on a face shared with a neighbour: -1, 1 or 0.
func (s *meshSpan) side(c int) int {
	switch {
	case c == 0 && !s.lo:
		return -1
	case c == s.n && !s.hi:
		return 1
	}
	return 0
}

// innerNodes has the bits of the nodes that are on no face shared with a neighbour.
func (s *meshSpan) innerNodes() uint32 {
	lo, hi := s.c0, s.c1
	if s.side(lo) != 0 {
		lo++
	}
	if s.side(hi) != 0 {
		hi--
	}
	return meshBits(lo, hi)
}

// isInner tells whether no wall is beside a cell along the axis.
func (s *meshSpan) isInner(i int) bool { return i >= s.inner0 && i <= s.inner1 }

// isMean tells whether a node is the mean of the cells beside it.
func (s *meshSpan) isMean(i int) bool { return s.tap[i] == i && s.w[i] == .5 }

// span is the table of a block along an axis.
func (x *meshBox) span(a int, level uint8, coord int) *meshSpan { return &x.spans[a][level][coord] }

// within clamps a coordinate, in H, to the given distance from the walls, or to the middle.
func (x *meshBox) within(a int, v, d float64) float64 {
	lo, hi := x.wall[a][0]+d, x.wall[a][1]-d
	if lo > hi {
		return .5 * (lo + hi)
	}
	return max(lo, min(v, hi))
}
