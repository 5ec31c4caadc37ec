package surface

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// States of a base cell.
const (
	meshIdle  = iota
	meshCut   // its own tile may hold surface
	meshWoken // a finer neighbour's may
)

// Strides of the tracer's node values and of its rows of signs.
const (
	meshNodes = grid.Edge + 1
	meshRows  = grid.Edge + 3
)

// classifyBlocks finds the blocks whose tile changes sign. The margin covers what node values
// may differ by from the tile's own range: rounding in the halos' interpolation or, where
// nodes are extrapolated to a wall, one cell's edge for each axis.
func (m *Mesh) classifyBlocks(lo, hi int) {
	const rounding = 1e-4
	for b := lo; b < hi; b++ {
		m.state[b] = meshIdle
		if !m.box.holds(m.g, int32(b)) {
			continue
		}
		at, l := m.g.BaseCoords(int32(b)), m.g.Prev.Level[b]
		wall, plain, blind := false, true, false
		for a := range 3 {
			s := m.box.span(a, l, at[a])
			wall = wall || s.lo || s.hi
			plain = plain && s.plain
			blind = blind || s.blind
		}
		margin := float32(rounding * m.g.CellSize(l))
		if !plain {
			margin = float32(4 * m.g.CellSize(l))
		}
		low, high := meshRange(m.phi.Tile(int32(b)))
		if blind || low < margin && (high > -margin || wall && !m.Open) {
			m.state[b] = meshCut
		}
	}
}

func meshRange(t []float32) (low, high float32) {
	low, high = t[0], t[0]
	for _, v := range t {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high
}

// meshTracer holds one block while its cells and edges are found.
type meshTracer struct {
	meshBlock

	m      *Mesh
	ord    int32
	near   [27]int32 // the base cells around, or None beyond a wall
	leader [27]int32 // which block decides on the nodes and edges in that direction
	redo   [27]bool  // whether the nodes there must be taken from the leader's tile
	val    [meshNodes * meshNodes * meshNodes]float32
	row    [meshRows * meshRows]uint16 // bit i+1: node i is in the liquid
	sx     [meshNodes * (grid.Edge + 2) * (grid.Edge + 2)]float32
	sy     [meshNodes * meshNodes * (grid.Edge + 2)]float32
}

// enter moves the tracer to an active block.
func (s *meshTracer) enter(m *Mesh, ord int) {
	g := m.g
	s.m, s.ord, s.meshBlock = m, int32(ord), m.active[ord]
	for d := range 27 {
		o := meshOffset(d)
		s.near[d] = grid.None
		if !s.beyond(o) {
			s.near[d] = g.BaseAt(s.coord[0]+o[0], s.coord[1]+o[1], s.coord[2]+o[2])
		}
	}
	for d := range 27 {
		if s.near[d] != grid.None {
			s.lead(d)
		}
	}
}

func meshOffset(d int) [3]int { return [3]int{d%3 - 1, d/3%3 - 1, d/9 - 1} }

func meshDirection(x, y, z int) int { return x + 1 + 3*(y+1) + 9*(z+1) }

func (s *meshTracer) beyond(o [3]int) bool {
	for a, sp := range s.span {
		if o[a] < 0 && sp.lo || o[a] > 0 && sp.hi {
			return true
		}
	}
	return false
}

// lead finds who decides in a direction: the finest of the blocks that meet there, ties to
// the lowest base cell.
func (s *meshTracer) lead(d int) {
	o := meshOffset(d)
	level := s.m.g.Prev.Level
	best, mixed := s.base, false
	for c := 1; c < 8; c++ {
		x, y, z := c&1*o[0], c>>1&1*o[1], c>>2*o[2]
		nb := s.near[meshDirection(x, y, z)]
		mixed = mixed || level[nb] != s.level
		if level[nb] > level[best] || level[nb] == level[best] && nb < best {
			best = nb
		}
	}
	odd := false
	for a, sp := range s.span {
		odd = odd || o[a] < 0 && sp.odd[0] || o[a] > 0 && sp.odd[1]
	}
	s.leader[d] = best
	s.redo[d] = best != s.base && (mixed || odd)
}

// nodes fills in φ at the block's nodes: the mean of the eight cells around, from the tile of
// the block that decides. Blocks of one level hold the same eight numbers and add them in
// the same order, so only nodes where levels meet are taken from elsewhere.
func (s *meshTracer) nodes() {
	if s.span[0].blind || s.span[1].blind || s.span[2].blind {
		s.each([3]int{}, true, func(i, j, k int) {
			s.val[i+meshNodes*(j+meshNodes*k)] = s.m.node(s.base, [3]int{i, j, k})
		})
	} else {
		s.blendNodes()
	}
	for d, redo := range s.redo {
		if !redo || s.near[d] == grid.None {
			continue
		}
		lead := s.leader[d]
		at := s.m.g.BaseCoords(lead)
		s.each(meshOffset(d), false, func(i, j, k int) {
			s.val[i+meshNodes*(j+meshNodes*k)] = s.m.node(lead, s.translate(lead, at, [3]int{i, j, k}))
		})
	}
}

// each calls f for the nodes that lie in a direction (those of the inside and of walls for
// none), or for all.
func (s *meshTracer) each(o [3]int, all bool, f func(i, j, k int)) {
	var lo, hi [3]int
	for a, sp := range s.span {
		lo[a], hi[a] = sp.c0, sp.c1
		switch {
		case all:
		case o[a] < 0:
			hi[a] = 0
		case o[a] > 0:
			lo[a] = s.n
		default:
			if !sp.lo {
				lo[a] = 1
			}
			if !sp.hi {
				hi[a] = s.n - 1
			}
		}
	}
	for k := lo[2]; k <= hi[2]; k++ {
		for j := lo[1]; j <= hi[1]; j++ {
			for i := lo[0]; i <= hi[0]; i++ {
				f(i, j, k)
			}
		}
	}
}

// translate gives a node's place in a finer or equal block that has it too.
func (s *meshTracer) translate(to int32, at [3]int, c [3]int) [3]int {
	l := s.m.g.Prev.Level[to]
	for a, sp := range s.span {
		other := s.m.box.span(a, l, at[a])
		switch {
		case c[a] == sp.c0 && sp.lo:
			c[a] = other.c0
		case c[a] == sp.c1 && sp.hi:
			c[a] = other.c1
		default:
			c[a] = (c[a]<<(grid.MaxLevel-s.level) - grid.Edge*(at[a]-s.coord[a])) >> (grid.MaxLevel - l)
		}
	}
	return c
}

// blendNodes is node for all nodes of a block, one axis after another.
func (s *meshTracer) blendNodes() {
	const plane = meshNodes * meshNodes
	t := s.m.phi.Tile(s.base)
	x, y, z := s.span[0], s.span[1], s.span[2]
	e := s.n + 2
	limit := float32(s.m.g.CellSize(s.level))
	for r := range e * e {
		src, dst := t[r*e:][:e], s.sx[r*meshNodes:][:s.n+1]
		if x.plain {
			for i := range dst {
				dst[i] = .5 * (src[i] + src[i+1])
			}
			continue
		}
		for i := x.c0; i <= x.c1; i++ {
			dst[i] = meshBlend(src[x.tap[i]], src[x.tap[i]+1], x.w[i], limit)
		}
	}
	for k := range e {
		for j := y.c0; j <= y.c1; j++ {
			low := s.sx[meshNodes*(y.tap[j]+e*k):]
			meshBlendRow(s.sy[meshNodes*j+plane*k:][:s.n+1], low, low[meshNodes:], y.w[j], limit)
		}
	}
	for k := z.c0; k <= z.c1; k++ {
		for j := y.c0; j <= y.c1; j++ {
			low := s.sy[meshNodes*j+plane*z.tap[k]:]
			meshBlendRow(s.val[meshNodes*j+plane*k:][:s.n+1], low, low[plane:], z.w[k], limit)
		}
	}
}

func meshBlendRow(dst, a, b []float32, t, edge float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	if t == .5 {
		for i := range dst {
			dst[i] = .5 * (a[i] + b[i])
		}
		return
	}
	for i := range dst {
		dst[i] = meshBlend(a[i], b[i], t, edge)
	}
}

// node is φ at a node of a block, m, from the block's tile unless a wall leaves too little of it.
func (m *Mesh) node(b int32, c [3]int) float32 {
	l := m.g.Prev.Level[b]
	at := m.g.BaseCoords(b)
	e := 1<<l + 2
	sx, sy, sz := m.box.span(0, l, at[0]), m.box.span(1, l, at[1]), m.box.span(2, l, at[2])
	if sx.blind || sy.blind || sz.blind {
		x := [3]float64{float64(sx.at[c[0]+1]), float64(sy.at[c[1]+1]), float64(sz.at[c[2]+1])}
		for a := range 3 {
			x[a] += float64(grid.Edge * at[a])
		}
		v, _ := m.probeByWall(x, float64(sx.cellEdge))
		return v
	}
	limit := float32(m.g.CellSize(l))
	t := m.phi.Tile(b)[sx.tap[c[0]]+e*(sy.tap[c[1]]+e*sz.tap[c[2]]):]
	u, v, w := sx.w[c[0]], sy.w[c[1]], sz.w[c[2]]
	p := meshBlend(t[0], t[1], u, limit)
	q := meshBlend(t[e], t[e+1], u, limit)
	r := meshBlend(t[e*e], t[e*e+1], u, limit)
	s := meshBlend(t[e*e+e], t[e*e+e+1], u, limit)
	return meshBlend(meshBlend(p, q, v, limit), meshBlend(r, s, v, limit), w, limit)
}

// meshBlend is linear between a and b and, for t outside of 0..1, beyond them by no more than a
// distance's slope of 1 allows for cells of the given edge. The conversions keep the compiler
// from fusing, which would round differently from place to place.
func meshBlend(a, b, t, edge float32) float32 {
	switch d := b - a; {
	case t == .5:
		return .5 * (a + b)
	case t > 1:
		return b + float32((t-1)*max(-edge, min(d, edge)))
	case t < 0:
		return a + float32(t*max(-edge, min(d, edge)))
	default:
		return a + float32(t*d)
	}
}

// signs packs which nodes are in the liquid; ghosts and what lies beyond the block are not.
func (s *meshTracer) signs() {
	clear(s.row[:])
	x, y, z := s.span[0], s.span[1], s.span[2]
	for k := z.c0; k <= z.c1; k++ {
		for j := y.c0; j <= y.c1; j++ {
			v := s.val[meshNodes*(j+meshNodes*k):]
			r := uint32(0)
			for i := x.c0; i <= x.c1; i++ {
				f := math.Float32bits(v[i])
				m := f << 1 // not the liquid if -0
				r |= (f & (m | -m)) >> 31 << (i + 1)
			}
			s.row[j+1+meshRows*(k+1)] = uint16(r)
		}
	}
}
