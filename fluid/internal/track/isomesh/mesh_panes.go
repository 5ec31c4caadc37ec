package isomesh

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// meshPane is a cell at a wall under water that no finer one touches, in a block that no wall cuts cells of. Its vertex
// is in the middle of its side of the cell within, and shows what is in the middle of that.
type meshPane struct {
	slot int32
	ord  int32
	at   [3]int8
	axis uint8 // across the wall
}

// meshRegular is what meshPanes' vertices have among their kinds.
const meshRegular = 1 << 7

// hasPanes tells whether the block's cells at walls under water are meshPanes.
func (s *meshTracer) hasPanes() bool {
	return s.walled && s.finer == 0 && s.level == s.m.g.Prev.Level[s.base] &&
		s.span[0].whole && s.span[1].whole && s.span[2].whole
}

// panes keeps the cells at walls under water of the row at j and k, and tells which they are.
func (s *meshTracer) panes(p *meshPart, j, k int) uint32 {
	set, axis := s.paneBits(j, k)
	row := s.slot0 + int32(s.offset(-1, j, k))
	for left := set; left != 0; left &= left - 1 {
		b := bits.TrailingZeros32(left)
		p.panes = append(p.panes, meshPane{row + int32(b), s.ord, [3]int8{int8(b - 1), int8(j), int8(k)}, axis})
	}
	p.verts += bits.OnesCount32(set)
	return set
}

// paneBits has the bits of the cells at walls under water of the row at j and k, and the axis across the wall. Nodes
// beyond walls count as dry.
func (s *meshTracer) paneBits(j, k int) (set uint32, axis uint8) {
	x, at := s.span[0], j+1+meshRows*(k+1)
	r0, r1 := uint32(s.row[at]), uint32(s.row[at+1])
	r2, r3 := uint32(s.row[at+meshRows]), uint32(s.row[at+meshRows+1])
	switch beyondY, beyondZ := s.ghostly(1, j), s.ghostly(2, k); {
	case beyondY && beyondZ:
		return 0, 0
	case beyondY:
		set, axis = (r0|r1)&(r2|r3), 1
	case beyondZ:
		set, axis = (r0|r2)&(r1|r3), 2
	default:
		set = r0 & r1 & r2 & r3
		return set>>1&x.ghosts[0] | set&x.ghosts[1], 0
	}
	return set & (set >> 1) & meshBits(x.c0, x.c1-1), axis
}

// placePanes writes the vertices of panes from v on.
func (p *meshPlacer) placePanes(panes []meshPane, v int) {
	for len(panes) > 0 {
		n := 1
		for n < len(panes) && panes[n].ord == panes[0].ord {
			n++
		}
		p.enter(&p.m.active[panes[0].ord])
		p.findMiddles()
		p.writePanes(panes[:n], v)
		panes, v = panes[n:], v+n
	}
}

// findMiddles finds the middles of the block's cells, and of the ghosts.
func (p *meshPlacer) findMiddles() {
	scale := float32(p.n) / (2 * layout.Edge)
	for a, s := range p.block.span {
		for q := s.q0; q <= s.q1; q++ {
			x := scale * (s.at[q+1] + s.at[q+2])
			p.middle[a][q+1] = float32(p.corner[a] + float64(float64(x)*p.h))
		}
	}
}

// writePanes writes the vertices of panes of the block from v on.
func (p *meshPlacer) writePanes(panes []meshPane, v int) {
	m, b, e := p.m, p.block, p.n+2
	velocity := m.vel.Tile(b.base)
	foam := []float32(nil)
	if m.foam != nil && !m.foam.Blank(b.base) {
		foam = m.foam.Tile(b.base)
	}
	for i := range panes {
		c := &panes[i]
		x, y, z := int(c.at[0]), int(c.at[1]), int(c.at[2])
		place, normal := [3]float32{p.middle[0][x+1], p.middle[1][y+1], p.middle[2][z+1]}, [3]float32{}
		within := [3]int{x, y, z}
		if a := c.axis; within[a] < b.span[a].c0 {
			within[a]++
			place[a], normal[a] = m.box.plane[a][0], -1
		} else {
			within[a]--
			place[a], normal[a] = m.box.plane[a][1], 1
		}
		x, y, z = within[0], within[1], within[2]
		*(*[3]float32)(m.Positions[3*v:]) = place
		*(*[3]float32)(m.Normals[3*v:]) = normal
		u := (*[3]float32)(m.Velocities[3*v:])
		u[0], u[1], u[2] = velocity.Centre(x, y, z)
		if m.Foam[v] = 0; foam != nil {
			m.Foam[v] = foam[x+1+e*(y+1+e*(z+1))]
		}
		m.slots[c.slot], m.kinds[v] = int32(v), 2<<c.axis|meshRegular
		v++
	}
}
