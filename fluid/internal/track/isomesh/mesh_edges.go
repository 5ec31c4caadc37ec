package isomesh

import (
	"math/bits"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// edgesX finds the block's own minimal edges along x whose ends differ. Each of the three
// works on rows of signs along x.
func (s *meshTracer) edgesX(p *meshPart) {
	x, y, z := s.span[0], s.span[1], s.span[2]
	valid, inner := meshBits(x.q0, x.q1), meshBits(x.c0, x.c1-1)
	for k := z.c0; k <= z.c1; k++ {
		for j := y.c0; j <= y.c1; j++ {
			r := uint32(s.row[j+1+meshRows*(k+1)])
			cut := (r ^ r>>1) & valid
			if cut != 0 && s.owns(meshDirection(0, y.side(j), z.side(k))) {
				s.edges(p, 0, cut, inner, r, j, k)
			}
		}
	}
}

// edgesY is edgesX along y.
func (s *meshTracer) edgesY(p *meshPart) {
	y, z := s.span[1], s.span[2]
	inner := s.span[0].innerNodes()
	own := [3]uint32{s.ownRow(0, -1), s.ownRow(0, 0), s.ownRow(0, 1)}
	for k := z.c0; k <= z.c1; k++ {
		mine := own[z.side(k)+1]
		for j := y.q0; j <= y.q1; j++ {
			r := uint32(s.row[j+1+meshRows*(k+1)])
			if cut := (r ^ uint32(s.row[j+2+meshRows*(k+1)])) & mine; cut != 0 {
				s.edges(p, 1, cut, inner, r, j, k)
			}
		}
	}
}

// edgesZ is edgesX along z.
func (s *meshTracer) edgesZ(p *meshPart) {
	y, z := s.span[1], s.span[2]
	inner := s.span[0].innerNodes()
	own := [3]uint32{s.ownRow(-1, 0), s.ownRow(0, 0), s.ownRow(1, 0)}
	for k := z.q0; k <= z.q1; k++ {
		for j := y.c0; j <= y.c1; j++ {
			r := uint32(s.row[j+1+meshRows*(k+1)])
			if cut := (r ^ uint32(s.row[j+1+meshRows*(k+2)])) & own[y.side(j)+1]; cut != 0 {
				s.edges(p, 2, cut, inner, r, j, k)
			}
		}
	}
}

// edges keeps the edges along an axis from the nodes cut of the row at j and k. Those that start at the nodes inner
// have their four cells in the same blocks, and all or none of them lead from or to a ghost.
func (s *meshTracer) edges(p *meshPart, axis int, cut, inner, wet uint32, j, k int) {
	rest := cut &^ inner
	if cut &= inner; cut != 0 && !s.alike(p, axis, cut, wet, j, k) {
		rest |= cut
	}
	for ; rest != 0; rest &= rest - 1 {
		b := bits.TrailingZeros32(rest)
		s.edge(p, axis, &[3]int{b - 1, j, k}, wet>>b&1 == 0)
	}
}

// alike keeps edges whose four cells are in the same blocks, and tells whether it did: these must be of one level.
func (s *meshTracer) alike(p *meshPart, axis int, cut, wet uint32, j, k int) bool {
	kind := uint8(0)
	if at := [3]int{s.span[0].c0, j, k}[axis]; s.ghostly(axis, at) {
		kind = uint8(1 + axis)
	}
	a, b := meshAcross[axis][0], meshAcross[axis][1]
	side := [3]int{0, s.span[1].side(j), s.span[2].side(k)}
	da, db := s.step[a], s.step[b]
	from := [4]int32{-da - db, -db, 0, -da} // of the cells, from the first
	if side[a] != 0 || side[b] != 0 {
		for c, d := range meshCorners(a, b, side[a], side[b]) {
			if s.equal>>d&1 == 0 {
				return false
			}
			from[c] += s.shift[d]
		}
	}
	on := min(int(kind), 1)
	list := p.edges[on]
	row := s.slot0 + int32(s.offset(-1, j, k))
	p.tris[on] += 2 * bits.OnesCount32(cut)
	for ; cut != 0; cut &= cut - 1 {
		i := bits.TrailingZeros32(cut)
		at := row + int32(i)
		list = append(list, meshEdge{})
		e := &list[len(list)-1]
		e.slot[0], e.slot[1], e.slot[2], e.slot[3] = at+from[0], at+from[1], at+from[2], at+from[3]
		e.kind, e.flip = kind, wet>>i&1 == 0
	}
	p.edges[on] = list
	return true
}

// meshCorners is in which directions the cells lie, counter-clockwise, around an edge that is on sides of the block along
// the axes a and b across it.
func meshCorners(a, b uint8, sideA, sideB int) [4]int {
	da, db := sideA*meshToDirection[a], sideB*meshToDirection[b]
	lowA, highA, lowB, highB := min(da, 0), max(da, 0), min(db, 0), max(db, 0)
	middle := meshDirection(0, 0, 0)
	return [4]int{middle + lowA + lowB, middle + highA + lowB, middle + highA + highB, middle + lowA + highB}
}

// ownRow has the bits of the nodes along x whose edges across x are the block's own.
func (s *meshTracer) ownRow(oy, oz int) uint32 {
	x := s.span[0]
	mine := uint32(0)
	if s.owns(meshDirection(0, oy, oz)) {
		mine = meshBits(x.c0, x.c1)
	}
	for _, end := range [2]int{0, s.n} {
		o := x.side(end)
		if o == 0 {
			continue
		}
		mine &^= 2 << end
		if s.owns(meshDirection(o, oy, oz)) {
			mine |= 2 << end
		}
	}
	return mine
}

// meshAcross are the two axes across each, in the order that turns counter-clockwise about it.
var meshAcross = [3][2]uint8{{1, 2}, {2, 0}, {0, 1}}

// meshToDirection is by how much a direction differs from the one before along each axis.
var meshToDirection = [3]int{1, 3, 9}

// edge keeps an edge with its four cells, and makes records for those of coarser blocks.
func (s *meshTracer) edge(p *meshPart, axis int, node *[3]int, flip bool) {
	kind := uint8(0)
	if s.ghostly(axis, node[axis]) {
		kind = uint8(1 + axis)
	}
	on := min(int(kind), 1)
	p.edges[on] = append(p.edges[on], meshEdge{})
	e := &p.edges[on][len(p.edges[on])-1]
	e.kind, e.flip = kind, flip
	a, b := meshAcross[axis][0], meshAcross[axis][1]
	sideA, sideB := s.span[a].side(node[a]), s.span[b].side(node[b])
	at := s.slot0 + int32(s.offset(node[0], node[1], node[2]))
	e.slot[0], e.slot[1], e.slot[2], e.slot[3] = at-s.step[a]-s.step[b], at-s.step[b], at, at-s.step[a]
	tris := 2
	if sideA != 0 || sideB != 0 {
		for c, d := range meshCorners(a, b, sideA, sideB) {
			if s.equal>>d&1 != 0 {
				e.slot[c] += s.shift[d]
			} else if e.slot[c] = s.slotInCoarser(p, d, e.slot[c], axis, node, e.slot[:c]); e.slot[c] < 0 {
				p.edges[on] = p.edges[on][:len(p.edges[on])-1]
				return
			}
		}
		for c := range 4 {
			if e.slot[c] == e.slot[(c+1)&3] {
				tris--
			}
		}
	}
	p.tris[on] += tris
}

// slotInCoarser is the slot, in the coarser neighbour in a direction, of the cell that were slot at in this block, beside
// the edge from a node along an axis. The cell gets a record of the crossing, unless it is among those that have one.
func (s *meshTracer) slotInCoarser(p *meshPart, d int, at int32, axis int, node *[3]int, done []int32) int32 {
	m := s.m
	ord := m.ordinal[s.near[d]]
	if ord == layout.None {
		return -1 // cannot be: see stateOf
	}
	to, o := &m.active[ord], &directions[d]
	c := s.coarser(to, o, int(at-s.slot0))
	e := to.n + 2
	slot := to.slot0 + int32(c[0]+1+e*(c[1]+1+e*(c[2]+1)))
	if !slices.Contains(done, slot) {
		p.records = append(p.records, meshRecord{})
		r := &p.records[len(p.records)-1]
		r.slot, r.ord, r.kind = slot, ord, s.crossing(&r.pos, axis, node)
		for a := range 3 {
			r.pos[a] -= float32(layout.Edge * o[a])
			r.at[a] = int8(c[a])
		}
	}
	return slot
}

// coarser is the cell of a coarser block towards o that holds the one at an offset among this block's slots.
func (s *meshTracer) coarser(to *meshBlock, o *[3]int, offset int) (c [3]int) {
	e := s.n + 2
	c = [3]int{offset%e - 1, offset/e%e - 1, offset/(e*e) - 1}
	for a, sp := range s.span {
		other := to.span[a]
		switch {
		case o[a] < 0:
			c[a] = other.n - 1
		case o[a] > 0:
			c[a] = 0
		case sp.lo && c[a] == sp.q0:
			c[a] = other.q0
		case sp.hi && c[a] == sp.q1:
			c[a] = other.q1
		default:
			c[a] >>= s.level - to.level
		}
	}
	return c
}

// emitParts writes the triangles of parts.
func (m *Mesh) emitParts(_, lo, hi int) {
	for i := lo; i < hi; i++ {
		p := &m.parts[i]
		for on := range p.edges {
			at := p.index[on]
			for e := range p.edges[on] {
				at = m.emitEdge(&p.edges[on][e], at)
			}
		}
	}
}

// emitEdge writes an edge's one or two triangles.
func (m *Mesh) emitEdge(e *meshEdge, at int) int {
	var v [4]uint32
	n := 0
	for c, slot := range e.slot {
		if slot != e.slot[(c+3)&3] {
			v[n] = m.vertexOf(slot, e.kind)
			n++
		}
	}
	if e.flip {
		v[0], v[2] = v[2], v[0]
	}
	out := m.Indices[at:]
	if n == 3 {
		out[0], out[1], out[2] = v[0], v[1], v[2]
		return at + 3
	}
	if m.cutsAcross(&v) {
		v = [4]uint32{v[1], v[2], v[3], v[0]}
	}
	out[0], out[1], out[2], out[3], out[4], out[5] = v[0], v[1], v[2], v[0], v[2], v[3]
	return at + 6
}

// cutsAcross tells whether a quad is better cut from its second to its last corner: along the
// shorter diagonal, unless that one folds the quad over.
func (m *Mesh) cutsAcross(v *[4]uint32) bool {
	if m.kinds[v[0]]&m.kinds[v[1]]&m.kinds[v[2]]&m.kinds[v[3]]&meshRegular != 0 {
		return false
	}
	a, b, c, d := m.corner(v[0]), m.corner(v[1]), m.corner(v[2]), m.corner(v[3])
	ac, bd := meshLess(c, a), meshLess(d, b)
	across := meshInner(bd, bd) < meshInner(ac, ac)
	if across {
		return !meshFolds(bd, meshLess(c, b), meshLess(a, b)) || meshFolds(ac, meshLess(d, a), meshLess(b, a))
	}
	return meshFolds(ac, meshLess(d, a), meshLess(b, a)) && !meshFolds(bd, meshLess(c, b), meshLess(a, b))
}

// meshVec is a vector that the compiler keeps in registers, which it does not do with arrays.
type meshVec struct{ x, y, z float32 }

// meshFolds tells whether two triangles on either side of a diagonal face away from each other.
func meshFolds(diagonal, p, q meshVec) bool {
	return meshInner(meshOuter(diagonal, p), meshOuter(q, diagonal)) < 0
}

func (m *Mesh) corner(v uint32) meshVec {
	p := m.Positions[3*v:][:3]
	return meshVec{p[0], p[1], p[2]}
}

func meshLess(a, b meshVec) meshVec { return meshVec{a.x - b.x, a.y - b.y, a.z - b.z} }

func meshInner(a, b meshVec) float32 { return float32(a.x*b.x) + float32(a.y*b.y) + float32(a.z*b.z) }

func meshOuter(a, b meshVec) meshVec {
	return meshVec{float32(a.y*b.z) - float32(a.z*b.y), float32(a.z*b.x) - float32(a.x*b.z), float32(a.x*b.y) - float32(a.y*b.x)}
}

// vertexOf is a cell's vertex for the triangles of a kind.
func (m *Mesh) vertexOf(slot int32, kind uint8) uint32 {
	v := m.slots[slot]
	return uint32(int(v) + bits.OnesCount8(m.kinds[v]&(1<<kind-1)))
}
