package isomesh

import "math/bits"

// A cell's corners count x + 2y + 4z. Its edges are four along x, four along y, four along z,
// each group in the order of its low corners.
var (
	meshEdgeAxis [12]uint8
	meshEdgeLow  [12]uint8
	meshEdgesCut [256]uint16 // edges whose ends differ, for each set of corners in the liquid
)

func init() {
	e := 0
	for a := range 3 {
		for c := range 8 {
			if c>>a&1 == 1 {
				continue
			}
			meshEdgeAxis[e], meshEdgeLow[e] = uint8(a), uint8(c)
			for set := range 256 {
				if set>>c&1 != set>>(c|1<<a)&1 {
					meshEdgesCut[set] |= 1 << e
				}
			}
			e++
		}
	}
}

// part finds the cells and edges of the active blocks lo..hi-1.
func (s *meshTracer) part(m *Mesh, lo, hi int) {
	p := &m.parts[lo/meshGrain]
	p.cells, p.panes, p.records = p.cells[:0], p.panes[:0], p.records[:0]
	p.edges[0], p.edges[1] = p.edges[0][:0], p.edges[1][:0]
	p.tris, p.verts = [2]int{}, 0
	for ord := lo; ord < hi; ord++ {
		s.enter(m, ord)
		if s.finer != 0 { // they may bring crossings to cells that have none of their own
			clear(m.slots[s.slot0:][:s.step[1]*s.step[2]])
		}
		if !s.full {
			s.nodes()
		}
		if s.signs() {
			s.cells(p)
			s.edgesX(p)
			s.edgesY(p)
			s.edgesZ(p)
		}
	}
}

// offset is a cell's place among its block's slots.
func (s *meshTracer) offset(i, j, k int) int {
	e := s.n + 2
	return i + 1 + e*(j+1+e*(k+1))
}

// cells makes a vertex for each cell whose corners differ.
func (s *meshTracer) cells(p *meshPart) {
	x, y, z := s.span[0], s.span[1], s.span[2]
	valid, panes := meshBits(x.q0, x.q1), s.hasPanes()
	for k := z.q0; k <= z.q1; k++ {
		for j := y.q0; j <= y.q1; j++ {
			at := j + 1 + meshRows*(k+1)
			r0, r1 := uint32(s.row[at]), uint32(s.row[at+1])
			r2, r3 := uint32(s.row[at+meshRows]), uint32(s.row[at+meshRows+1])
			some := r0 | r1 | r2 | r3
			every := r0 & r1 & r2 & r3
			cut := (some | some>>1) &^ (every & (every >> 1)) & valid
			if panes && cut != 0 {
				cut &^= s.panes(p, j, k)
			}
			inside := !s.ghostly(1, j) && !s.ghostly(2, k)
			for ; cut != 0; cut &= cut - 1 {
				b := bits.TrailingZeros32(cut)
				set := r0>>b&3 | r1>>b&3<<2 | r2>>b&3<<4 | r3>>b&3<<6
				i := b - 1
				if inside && i >= x.c0 && i < x.c1 {
					s.cut(p, i, j, k, meshEdgesCut[set])
				} else {
					s.cutGhost(p, i, j, k, meshEdgesCut[set])
				}
			}
		}
	}
}

// meshBits has the bits of the nodes or cells lo..hi.
func meshBits(lo, hi int) uint32 {
	if hi < lo {
		return 0
	}
	return 1<<(hi+2) - 1<<(lo+1)
}

// cut makes the vertex of a cell that is not a ghost.
func (s *meshTracer) cut(p *meshPart, i, j, k int, edges uint16) {
	dy, dz := s.n+2, (s.n+2)*(s.n+2)
	v := s.val[i+dy*j+dz*k:]
	_ = v[dz+dy+1]
	corner := [8]float32{v[0], v[1], v[dy], v[dy+1], v[dz], v[dz+1], v[dz+dy], v[dz+dy+1]}
	n := int32(bits.OnesCount16(edges))
	var x, y, z float32 // sums of the crossings', cells from the low corner; the edges' axes one after another
	for set := edges & 0xf; set != 0; set &= set - 1 {
		e := bits.TrailingZeros16(set) & 3
		a, b := corner[2*e], corner[2*e+1]
		x, y, z = x+a/(a-b), y+float32(e&1), z+float32(e>>1)
	}
	for set := edges >> 4 & 0xf; set != 0; set &= set - 1 {
		e := bits.TrailingZeros16(set) & 3
		low := e&1 | e>>1<<2
		a, b := corner[low], corner[low+2]
		x, y, z = x+float32(e&1), y+a/(a-b), z+float32(e>>1)
	}
	for set := edges >> 8; set != 0; set &= set - 1 {
		e := bits.TrailingZeros16(set) & 3
		a, b := corner[e], corner[e+4]
		x, y, z = x+float32(e&1), y+float32(e>>1), z+a/(a-b)
	}
	c := s.begin(p, i, j, k)
	c.n, c.flags = n, 1
	f := [3]float32{x, y, z}
	for a, q := range [3]int{i, j, k} {
		low, high := s.span[a].at[q+1], s.span[a].at[q+2]
		c.sum[a] = float32(float32(n)*low) + float32(f[a]*(high-low))
	}
	s.keep(p, c)
}

// begin appends a cell without crossings, for keep. What is written field by field where it stays is not waited
// for, as it would be if it were copied there in larger pieces.
func (s *meshTracer) begin(p *meshPart, i, j, k int) *meshCell {
	p.cells = append(p.cells, meshCell{})
	c := &p.cells[len(p.cells)-1]
	c.slot, c.ord = s.slot0+int32(s.offset(i, j, k)), s.ord
	c.at[0], c.at[1], c.at[2] = int8(i), int8(j), int8(k)
	return c
}

func (s *meshTracer) keep(p *meshPart, c *meshCell) {
	p.verts += bits.OnesCount8(c.flags)
	s.m.slots[c.slot] = int32(len(p.cells))
}

// cutGhost makes the vertex of a ghost cell.
func (s *meshTracer) cutGhost(p *meshPart, i, j, k int, edges uint16) {
	a, flush := meshFlush(edges)
	c := s.begin(p, i, j, k)
	if flush {
		c.n, c.flags = 4, 2<<a
		for a, q := range [3]int{i, j, k} {
			c.sum[a] = 2 * (s.span[a].at[q+1] + s.span[a].at[q+2])
		}
		s.keep(p, c)
		return
	}
	for ; edges != 0; edges &= edges - 1 {
		e := bits.TrailingZeros16(edges)
		low, axis := int(meshEdgeLow[e]), int(meshEdgeAxis[e])
		var pos [3]float32
		kind := s.crossing(&pos, axis, &[3]int{i + low&1, j + low>>1&1, k + low>>2})
		c.add(&pos, kind)
	}
	if c.flags == 0 {
		p.cells = p.cells[:len(p.cells)-1]
		return
	}
	s.keep(p, c)
}

// meshFlush tells whether a set of edges is the four along an axis: in a ghost cell, those that a wall crosses
// where there is liquid all along it.
func meshFlush(edges uint16) (axis int, is bool) {
	switch edges {
	case 0x00f:
		return 0, true
	case 0x0f0:
		return 1, true
	case 0xf00:
		return 2, true
	}
	return 0, false
}

// crossing sets pos to where the edge from a node along an axis meets the surface, H from the block's
// corner, or, if an end is a ghost, the wall.
func (s *meshTracer) crossing(pos *[3]float32, axis int, node *[3]int) (kind uint8) {
	for a, sp := range s.span {
		pos[a] = sp.at[node[a]+1]
	}
	sp := s.span[axis]
	if s.ghostly(axis, node[axis]) {
		return uint8(1 + axis)
	}
	at := s.node(node[0], node[1], node[2])
	a, b := s.val[at], s.val[at+int(s.step[axis])]
	pos[axis] += float32(a / (a - b) * (sp.at[node[axis]+2] - pos[axis]))
	return 0
}

// ghostly tells whether an edge from node c along an axis leads to or from a ghost.
func (s *meshTracer) ghostly(axis, c int) bool {
	sp := s.span[axis]
	return c < sp.c0 || c >= sp.c1
}
