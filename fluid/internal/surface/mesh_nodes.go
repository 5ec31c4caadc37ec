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

// The most nodes along a block, and the stride of the tracer's rows of signs.
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
		if blind || meshMayCut(m.phi.Tile(int32(b)), margin, wall && !m.Open) {
			m.state[b] = meshCut
		}
	}
}

// meshMayCut tells whether a tile has values on both sides, or liquid where a wall closes it.
func meshMayCut(t []float32, margin float32, closed bool) bool {
	wet, dry := false, closed
	for _, v := range t {
		if v < margin && !wet {
			if wet = true; dry {
				return true
			}
		}
		if v > -margin && !dry {
			if dry = true; wet {
				return true
			}
		}
	}
	return false
}

// meshTracer holds one block while its cells and edges are found.
type meshTracer struct {
	meshBlock

	m      *Mesh
	ord    int32
	near   [27]int32                                  // the base cells around, or None beyond a wall
	rank   [27]int64                                  // the greater, the sooner that block decides: see lead
	step   [3]int32                                   // strides of the block's slots
	leader [27]int32                                  // which block decides on the nodes and edges in that direction
	redo   [27]bool                                   // whether the nodes there must be taken from the leader's tile
	val    [meshNodes * meshNodes * meshNodes]float32 // φ at the nodes, m, n+1 in a row
	row    [meshRows * meshRows]uint16                // bit i+1: node i is in the liquid
	sx     [meshNodes * (grid.Edge + 2) * (grid.Edge + 2)]float32
	sy     [meshNodes * meshNodes * (grid.Edge + 2)]float32
}

// enter moves the tracer to an active block.
func (s *meshTracer) enter(m *Mesh, ord int) {
	g := m.g
	s.m, s.ord, s.meshBlock = m, int32(ord), m.active[ord]
	e := int32(s.n + 2)
	s.step = [3]int32{1, e, e * e}
	for d, o := range directions {
		s.near[d] = grid.None
		if !s.beyond(o) {
			nb := g.Around(s.base, o[0], o[1], o[2])
			s.near[d], s.rank[d] = nb, int64(g.Prev.Level[nb])<<32|int64(^uint32(nb))
		}
	}
	for d := range directions {
		s.redo[d] = false
		if s.near[d] != grid.None {
			s.lead(d)
		}
	}
}

func meshOffset(d int) [3]int { return [3]int{d%3 - 1, d/3%3 - 1, d/9 - 1} }

func meshDirection(x, y, z int) int { return x + 1 + 3*(y+1) + 9*(z+1) }

func (s *meshTracer) beyond(o [3]int) bool {
	x, y, z := s.span[0], s.span[1], s.span[2]
	return o[0] < 0 && x.lo || o[0] > 0 && x.hi || o[1] < 0 && y.lo || o[1] > 0 && y.hi || o[2] < 0 && z.lo || o[2] > 0 && z.hi
}

// odd tells whether the nodes in a direction are not the mean of the cells beside them.
func (s *meshTracer) odd(o [3]int) bool {
	for a, sp := range s.span {
		if o[a] < 0 && sp.odd[0] || o[a] > 0 && sp.odd[1] {
			return true
		}
	}
	return false
}

// meshMeet lists, for each direction, those of the blocks that meet there, without the one in the middle.
var meshMeet [27][]uint8

func init() {
	for d := range 27 {
		o := meshOffset(d)
		for c := range 27 {
			q := meshOffset(c)
			if c != meshDirection(0, 0, 0) && q[0]*(q[0]-o[0]) == 0 && q[1]*(q[1]-o[1]) == 0 && q[2]*(q[2]-o[2]) == 0 {
				meshMeet[d] = append(meshMeet[d], uint8(c))
			}
		}
	}
}

// lead finds who decides in a direction: the finest of the blocks that meet there, ties to
// the lowest base cell.
func (s *meshTracer) lead(d int) {
	own := s.rank[13]
	best, differ := own, int64(0)
	for _, c := range meshMeet[d] {
		r := s.rank[c%27]
		best = max(best, r)
		differ |= r ^ own
	}
	s.leader[d] = int32(^uint32(best))
	s.redo[d] = best != own && (differ>>32 != 0 || s.odd(directions[d]))
}

// nodes fills in φ at the block's nodes: the mean of the eight cells around, from the tile of
// the block that decides. Blocks of one level hold the same eight numbers and add them in
// the same order, so only nodes where levels meet are taken from elsewhere.
func (s *meshTracer) nodes() {
	if s.span[0].blind || s.span[1].blind || s.span[2].blind {
		s.nodesFrom(s.base, [3]int{}, true)
	} else {
		s.blendNodes()
	}
	for d, redo := range s.redo {
		if redo {
			s.nodesFrom(s.leader[d], directions[d], false)
		}
	}
}

// nodesFrom takes the nodes that lie in a direction (those of the inside and of walls for
// none), or all, from a finer or equal block that has them too.
func (s *meshTracer) nodesFrom(b int32, o [3]int, all bool) {
	var lo, hi [3]int
	var place [3][meshNodes]int // of each node in that block
	from, m := s.m.source(b), s.n+1
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
		for c := lo[a]; c <= hi[a]; c++ {
			place[a][c] = s.translate(&from, a, c)
		}
	}
	for k := lo[2]; k <= hi[2]; k++ {
		for j := lo[1]; j <= hi[1]; j++ {
			for i := lo[0]; i <= hi[0]; i++ {
				s.val[i+m*(j+m*k)] = from.node(place[0][i], place[1][j], place[2][k])
			}
		}
	}
}

// translate gives a node's place along an axis in a finer or equal block that has it too.
func (s *meshTracer) translate(to *meshSource, a, c int) int {
	sp, other := s.span[a], to.span[a]
	switch {
	case c == sp.c0 && sp.lo:
		return other.c0
	case c == sp.c1 && sp.hi:
		return other.c1
	}
	return (c<<(grid.MaxLevel-s.level) - grid.Edge*(to.at[a]-s.coord[a])) >> (grid.MaxLevel - to.level)
}

// blendNodes is node for all nodes of a block, one axis after another. Where no wall is near, whole
// planes and then the whole block are one row.
func (s *meshTracer) blendNodes() {
	t := s.m.phi.Tile(s.base)
	x, y, z := s.span[0], s.span[1], s.span[2]
	e, m := s.n+2, s.n+1
	limit := float32(s.m.g.CellSize(s.level))
	for r := range e * e {
		src, dst := t[r*e:][:e], s.sx[r*m:][:m]
		if x.plain {
			last := src[0]
			for i, v := range src[1:] {
				dst[i] = .5 * (last + v)
				last = v
			}
			continue
		}
		for i := x.c0; i <= x.c1; i++ {
			dst[i] = meshBlend(src[x.tap[i]], src[x.tap[i]+1], x.w[i], limit)
		}
	}
	for k := range e {
		if y.plain {
			meshBlendRow(s.sy[m*m*k:][:m*m], s.sx[m*e*k:], s.sx[m*(e*k+1):], .5, limit)
			continue
		}
		for j := y.c0; j <= y.c1; j++ {
			low := s.sx[m*(y.tap[j]+e*k):]
			meshBlendRow(s.sy[m*(j+m*k):][:m], low, low[m:], y.w[j], limit)
		}
	}
	if z.plain {
		meshBlendRow(s.val[:m*m*m], s.sy[:], s.sy[m*m:], .5, limit)
		return
	}
	for k := z.c0; k <= z.c1; k++ {
		low := s.sy[m*m*z.tap[k]:]
		meshBlendRow(s.val[m*m*k:][:m*m], low, low[m*m:], z.w[k], limit)
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

// meshSource is a block whose nodes are asked for one by one.
type meshSource struct {
	m     *Mesh
	at    [3]int
	span  [3]*meshSpan
	level uint8
	tile  []float32
	limit float32
}

func (m *Mesh) source(b int32) meshSource {
	l, at := m.g.Prev.Level[b], m.g.BaseCoords(b)
	s := meshSource{m: m, at: at, level: l, tile: m.phi.Tile(b), limit: float32(m.g.CellSize(l))}
	for a := range 3 {
		s.span[a] = m.box.span(a, l, at[a])
	}
	return s
}

// node is φ at a node of a block, m, from the block's tile unless a wall leaves too little of it.
func (b *meshSource) node(i, j, k int) float32 {
	sx, sy, sz := b.span[0], b.span[1], b.span[2]
	if sx.blind || sy.blind || sz.blind {
		x := [3]float64{float64(sx.at[i+1]), float64(sy.at[j+1]), float64(sz.at[k+1])}
		for a := range 3 {
			x[a] += float64(grid.Edge * b.at[a])
		}
		v, _ := b.m.probeByWall(x, float64(sx.cellEdge))
		return v
	}
	e, limit := 1<<b.level+2, b.limit
	t := b.tile[sx.tap[i]+e*(sy.tap[j]+e*sz.tap[k]):]
	u, v, w := sx.w[i], sy.w[j], sz.w[k]
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
	n := s.n + 1
	for k := z.c0; k <= z.c1; k++ {
		for j := y.c0; j <= y.c1; j++ {
			v := s.val[n*(j+n*k):][:n]
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
