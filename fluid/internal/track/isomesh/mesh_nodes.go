package isomesh

import (
	"math"
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// The most cells of a tile, and the stride of the tracer's rows of signs.
const (
	meshTile = (layout.Edge + 2) * (layout.Edge + 2) * (layout.Edge + 2)
	meshRows = layout.Edge + 3
)

// meshTracer holds one block while its cells and edges are found.
type meshTracer struct {
	meshBlock

	m     *Mesh
	ord   int32
	near  [27]int32                   // the base cells around, or None beyond a wall
	above uint32                      // which of them decide rather than this one: the finer, of equals the lower base
	finer uint32                      // which are finer
	equal uint32                      // which are active and of the same level, itself too
	shift [27]int32                   // from a cell's slot as one of this block to that in such a one
	step  [3]int32                    // strides of the block's slots
	val   [meshTile]float32           // φ at the nodes, m, n+2 in a row
	row   [meshRows * meshRows]uint16 // bit i+1: node i is in the liquid
	sx    [meshTile]float32           // between the cells along x, and along x and y
	sy    [meshTile]float32
}

// enter moves the tracer to an active block.
func (s *meshTracer) enter(m *Mesh, ord int) {
	s.m, s.ord, s.meshBlock = m, int32(ord), m.active[ord]
	e := int32(s.n + 2)
	s.step = [3]int32{1, e, e * e}
	s.above, s.finer, s.equal = 0, 0, 0
	beyond := s.beyond()
	for d, nb := range m.g.Nearby(s.base) {
		if s.near[d] = layout.None; beyond>>d&1 != 0 {
			continue
		}
		s.near[d] = nb
		switch l := m.level[nb]; {
		case l > s.level:
			s.finer |= 1 << d
			s.above |= 1 << d
		case l == s.level:
			if nb < s.base {
				s.above |= 1 << d
			}
			if ord := m.ordinal[nb]; ord != layout.None {
				o := &directions[d]
				s.equal |= 1 << d
				s.shift[d] = m.active[ord].slot0 - s.slot0 - int32(s.n)*(int32(o[0])+s.step[1]*int32(o[1])+s.step[2]*int32(o[2]))
			}
		}
	}
}

func meshOffset(d int) [3]int { return [3]int{d%3 - 1, d/3%3 - 1, d/9 - 1} }

func meshDirection(x, y, z int) int { return x + 1 + 3*(y+1) + 9*(z+1) }

// Sets of directions, by bit.
var (
	meshMeet   [27]uint32   // which blocks meet in each direction, but for the one in the middle
	meshToward [3][2]uint32 // which directions lead down and up along each axis
)

func init() {
	for d := range 27 {
		o := meshOffset(d)
		for a, c := range o {
			if c != 0 {
				meshToward[a][(c+1)/2] |= 1 << d
			}
		}
		for c := range 27 {
			q := meshOffset(c)
			if c != meshDirection(0, 0, 0) && q[0]*(q[0]-o[0]) == 0 && q[1]*(q[1]-o[1]) == 0 && q[2]*(q[2]-o[2]) == 0 {
				meshMeet[d] |= 1 << c
			}
		}
	}
}

// beyond is the directions that lead beyond a wall.
func (s *meshTracer) beyond() (set uint32) {
	for a, sp := range s.span {
		if sp.lo {
			set |= meshToward[a][0]
		}
		if sp.hi {
			set |= meshToward[a][1]
		}
	}
	return set
}

// odd is the directions in which the nodes are not the mean of the cells beside them.
func (s *meshTracer) odd() (set uint32) {
	for a, sp := range s.span {
		for side, is := range sp.odd {
			if is {
				set |= meshToward[a][side]
			}
		}
	}
	return set
}

// owns tells whether the block is the one to emit the edges in a direction.
func (s *meshTracer) owns(d int) bool { return s.above&meshMeet[d] == 0 }

// leader is in which direction the block lies that decides in a direction in which this one does not: the
// finest of those that meet there, of equals the lowest base cell.
func (s *meshTracer) leader(d int) (best int) {
	level := -1
	for set := s.above & meshMeet[d]; set != 0; set &= set - 1 {
		c := bits.TrailingZeros32(set) % 27 // in the order of the base cells
		if l := int(s.m.level[s.near[c]]); l > level {
			best, level = c, l
		}
	}
	return best
}

// nodes fills in φ at the block's nodes: the mean of the eight cells around, from the tile of
// the block that decides. Blocks of one level hold the same eight numbers and add them in
// the same order, so only nodes that finer blocks have too are taken from elsewhere.
func (s *meshTracer) nodes() {
	if s.span[0].blind || s.span[1].blind || s.span[2].blind {
		s.nodesFrom(meshDirection(0, 0, 0), [3]int{}, true)
	} else {
		s.blendNodes()
	}
	odd := s.odd()
	if s.finer|odd == 0 {
		return
	}
	beyond := s.beyond()
	for d, o := range directions {
		if meet := meshMeet[d]; beyond>>d&1 == 0 && (s.finer&meet != 0 || odd>>d&1 != 0 && s.above&meet != 0) {
			s.nodesFrom(s.leader(d), o, false)
		}
	}
}

// nodesFrom takes the nodes that lie in a direction (those of the inside and of walls for
// none), or all, from the finer or equal block in direction c that has them too.
func (s *meshTracer) nodesFrom(c int, o [3]int, all bool) {
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
		if lo[a] > hi[a] {
			return
		}
	}
	from := s.source(c)
	if from.plain {
		s.takeMeans(&from, lo, hi)
	} else {
		s.takeNodes(&from, lo, hi)
	}
}

// takeNodes takes a box of nodes, lo to hi.
func (s *meshTracer) takeNodes(from *meshSource, lo, hi [3]int) {
	for k := lo[2]; k <= hi[2]; k++ {
		z := s.translate(from, 2, k)
		for j := lo[1]; j <= hi[1]; j++ {
			y := s.translate(from, 1, j)
			for i := lo[0]; i <= hi[0]; i++ {
				s.val[s.node(i, j, k)] = from.node(s.translate(from, 0, i), y, z)
			}
		}
	}
}

// takeMeans is takeNodes from a block no wall is in, where the nodes lie in even steps.
func (s *meshTracer) takeMeans(from *meshSource, lo, hi [3]int) {
	e, step := 1<<from.level+2, 1<<(from.level-s.level)
	first := s.translate(from, 0, lo[0]) + e*(s.translate(from, 1, lo[1])+e*s.translate(from, 2, lo[2]))
	for k := lo[2]; k <= hi[2]; k++ {
		for j := lo[1]; j <= hi[1]; j++ {
			at := first + step*e*(j-lo[1]+e*(k-lo[2]))
			for i := lo[0]; i <= hi[0]; i++ {
				s.val[s.node(i, j, k)] = meshMean(from.tile[at:], e)
				at += step
			}
		}
	}
}

// meshMean is the mean of the cube of eight values that starts at t, rounded as blendNodes does.
func meshMean(t []float32, e int) float32 {
	_ = t[e*e+e+1]
	low := (t[0] + t[1]) + (t[e] + t[e+1])
	return .125 * (low + ((t[e*e] + t[e*e+1]) + (t[e*e+e] + t[e*e+e+1]))) // halves on the way would round nothing
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
	return (c<<(layout.MaxLevel-s.level) - layout.Edge*(to.at[a]-s.coord[a])) >> (layout.MaxLevel - to.level)
}

// node is where a node stands in val.
func (s *meshTracer) node(i, j, k int) int {
	e := s.n + 2
	return i + e*(j+e*k)
}

// blendNodes is meshSource.node for all nodes of a block, one axis after another: at first the means of the cells
// beside them, all in a row, then over again what is no mean.
func (s *meshTracer) blendNodes() {
	t := s.m.phi.Tile(s.base)
	x, y, z := s.span[0], s.span[1], s.span[2]
	e := s.n + 2
	limit := float32(s.m.g.CellSize(s.level))
	meshMeans(s.sx[:e*e*e-1], t, t[1:])
	for i := x.c0; i <= x.c1 && !x.plain; i++ {
		if x.isMean(i) {
			continue
		}
		for r := 0; r < e*e*e; r += e {
			s.sx[r+i] = meshBlend(t[r+x.tap[i]], t[r+x.tap[i]+1], x.w[i], limit)
		}
	}
	meshMeans(s.sy[:e*e*e-e], s.sx[:], s.sx[e:])
	for j := y.c0; j <= y.c1 && !y.plain; j++ {
		if y.isMean(j) {
			continue
		}
		for k := range e {
			low := s.sx[e*(y.tap[j]+e*k):]
			meshBlendRow(s.sy[e*(j+e*k):][:e], low, low[e:], y.w[j], limit)
		}
	}
	meshMeans(s.val[:e*e*(e-1)], s.sy[:], s.sy[e*e:])
	for k := z.c0; k <= z.c1 && !z.plain; k++ {
		if z.isMean(k) {
			continue
		}
		low := s.sy[e*e*z.tap[k]:]
		meshBlendRow(s.val[e*e*k:][:e*e], low, low[e*e:], z.w[k], limit)
	}
}

func meshBlendRow(dst, a, b []float32, t, edge float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = meshBlend(a[i], b[i], t, edge)
	}
}

// meshMeans is the kernel that sets dst to the means of a and b, which are at least as long. It exists in plain Go,
// here, and in assembly for processors with AVX2; both give the same bits.
var meshMeans = meshMeansGo

func meshMeansGo(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = .5 * (a[i] + b[i])
	}
}

// meshSource is a block whose nodes are asked for one by one.
type meshSource struct {
	m     *Mesh
	at    [3]int
	span  [3]*meshSpan
	plain bool // every node is the mean of the cells beside it
	level uint8
	tile  []float32
	limit float32
}

// source is the block in a direction.
func (s *meshTracer) source(c int) meshSource {
	b, o := s.near[c], directions[c]
	l := s.m.g.Prev.Level[b]
	from := meshSource{m: s.m, plain: true, level: l, tile: s.m.phi.Tile(b), limit: float32(s.m.g.CellSize(l))}
	for a := range 3 {
		from.at[a] = s.coord[a] + o[a]
		from.span[a] = s.m.box.span(a, l, from.at[a])
		from.plain = from.plain && from.span[a].plain
	}
	return from
}

// node is φ at a node of a block, m, from the block's tile unless a wall leaves too little of it.
func (b *meshSource) node(i, j, k int) float32 {
	sx, sy, sz := b.span[0], b.span[1], b.span[2]
	if sx.blind || sy.blind || sz.blind {
		x := [3]float64{float64(sx.at[i+1]), float64(sy.at[j+1]), float64(sz.at[k+1])}
		for a := range 3 {
			x[a] += float64(layout.Edge * b.at[a])
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

// signs packs which nodes are in the liquid; ghosts and what lies beyond the block are not. It tells
// whether some are and others are not.
func (s *meshTracer) signs() bool {
	clear(s.row[:])
	x, y, z := s.span[0], s.span[1], s.span[2]
	all := meshBits(x.c0, x.c1)
	some, every := uint32(0), all
	for k := z.c0; k <= z.c1; k++ {
		for j := y.c0; j <= y.c1; j++ {
			r := all
			if !s.full {
				r = meshWetBits(s.val[s.node(0, j, k):][:s.n+1], x.c0, x.c1)
			}
			s.row[j+1+meshRows*(k+1)] = uint16(r)
			some |= r
			every &= r
		}
	}
	return some != 0 && (every != all || s.walled)
}

// meshWetBits has the bits of those of the nodes lo..hi that are in the liquid: negative, but not -0.
func meshWetBits(v []float32, lo, hi int) (r uint32) {
	for i := hi; i >= lo; i-- {
		r = r<<1 | uint32((1<<31-uint64(math.Float32bits(v[i])))>>63)
	}
	return r << (lo + 1)
}
