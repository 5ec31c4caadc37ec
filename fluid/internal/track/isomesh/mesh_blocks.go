package isomesh

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// States of a base cell: where its nodes are.
const (
	meshOut  = iota // outside of the domain
	meshDry         // all in the air
	meshWet         // all in the liquid
	meshBoth        // on both sides, as far as its tile tells
)

// classifyBlocks finds out where the blocks' nodes are.
func (m *Mesh) classifyBlocks(_, lo, hi int) {
	for b := lo; b < hi; b++ {
		m.state[b] = m.stateOf(int32(b))
	}
}

// stateOf tells on which side a block's nodes are, and sets its margin.
func (m *Mesh) stateOf(b int32) uint8 {
	at, l := m.g.BaseCoords(b), m.g.Prev.Level[b]
	margin := float32(1e-4)
	for a := range 3 {
		s := m.box.span(a, l, at[a])
		if s.c1 < s.c0 {
			return meshOut
		}
		if margin += s.over; s.blind {
			margin = float32(math.Inf(1)) // the tile tells nothing
		}
	}
	m.margin[b] = margin * float32(m.g.CellSize(l))
	return meshSide(m.phi.Tile(b), m.margin[b])
}

// meshSide tells on which side of the surface values are by at least a margin.
func meshSide(t []float32, margin float32) uint8 {
	side, sign := uint8(meshDry), float32(1)
	if t[0] < 0 {
		side, sign = meshWet, -1
	}
	if sign*t[0] >= margin && meshLeast(t, sign) >= margin {
		return side
	}
	return meshBoth
}

// meshLeast is the kernel that finds the least of some numbers, or, with a sign of -1, of their opposites. It exists in
// plain Go, here, and in assembly for processors with AVX2.
var meshLeast = meshLeastGo

func meshLeastGo(t []float32, sign float32) float32 {
	least := sign * t[0]
	for _, v := range t[1:] {
		least = lesser(sign*v, least)
	}
	return least
}

// activate lists the blocks to visit in the order of their base cells: those with nodes on both sides,
// as they or finer neighbours see it, whose nodes decide on the common face, and those that a wall closes.
func (m *Mesh) activate() {
	copy(m.level, m.g.Prev.Level)
	m.active = m.active[:0]
	slot := int32(0)
	for b, s := range m.state {
		if m.ordinal[b] = layout.None; m.forced[b] {
			s = meshBoth
		}
		if s == meshOut || s == meshDry {
			continue
		}
		k := meshBlock{base: int32(b), slot0: slot, coord: m.g.BaseCoords(int32(b)), full: s == meshWet}
		k.walled = m.walls(&k.coord)
		if k.full && !k.walled {
			continue
		}
		if k.full && m.deep(k.base) {
			m.level[b] = 0
		}
		k.level = m.level[b]
		k.n = 1 << k.level
		for a, c := range k.coord {
			k.span[a] = m.box.span(a, k.level, c)
		}
		m.ordinal[b] = int32(len(m.active))
		m.active = append(m.active, k)
		slot += int32((k.n + 2) * (k.n + 2) * (k.n + 2))
	}
	m.slots = arrays.Resize(m.slots, int(slot))
	n := par.Chunks(len(m.active), meshGrain)
	for cap(m.parts) < n {
		m.parts = append(m.parts[:cap(m.parts)], meshPart{})
	}
	m.parts = m.parts[:n]
}

// walls tells whether a wall closes the block at some coordinates.
func (m *Mesh) walls(at *[3]int) bool {
	for a, c := range at {
		if s := m.box.span(a, 0, c); s.lo || s.hi {
			return true
		}
	}
	return false
}

// deep tells whether a block whose nodes are all in the liquid may count as a single cell: there's no foam to show on its
// walls, and no coarser block that would then decide on the common nodes by itself finds any of them in the air.
func (m *Mesh) deep(b int32) bool {
	level := m.g.Prev.Level
	for d, nb := range m.g.Nearby(b) {
		if nb == layout.None || level[nb] >= level[b] || m.state[nb] == meshOut || m.state[nb] == meshWet {
			continue
		}
		if !m.agrees(nb, &directions[d], meshWet) {
			return false
		}
	}
	return m.foam == nil || m.foam.Blank(b) || m.bare(b)
}

// bare tells whether there's no foam that a display can show in a block's cells beside a wall, which are those that
// the wall's vertices show.
func (m *Mesh) bare(b int32) bool {
	level, at, t := m.g.Prev.Level[b], m.g.BaseCoords(b), m.foam.Tile(b)
	n := 1 << level
	x, y, z := m.box.span(0, level, at[0]), m.box.span(1, level, at[1]), m.box.span(2, level, at[2])
	first, end := max(0, min(x.inner0, n)), max(0, min(x.inner1+1, n))
	for k := range n {
		for j := range n {
			row := t[1+(n+2)*(j+1+(n+2)*(k+1)):][:n]
			if y.isInner(j) && z.isInner(k) {
				if !meshClear(row[:first]) || !meshClear(row[end:]) {
					return false
				}
			} else if !meshClear(row) {
				return false
			}
		}
	}
	return true
}

// meshClear tells whether there's no foam that a display can show.
func meshClear(t []float32) bool {
	for _, v := range t {
		if v >= 1./255 {
			return false
		}
	}
	return true
}

// forceBlocks finds the blocks all of whose nodes are on one side as far as their tiles tell, but not as finer
// neighbours decide.
func (m *Mesh) forceBlocks(_, lo, hi int) {
	for b := int32(lo); b < int32(hi); b++ {
		s := m.state[b]
		m.forced[b] = (s == meshDry || s == meshWet) && m.isForced(b, s)
	}
}

func (m *Mesh) isForced(b int32, side uint8) bool {
	level := m.g.Prev.Level
	for d, nb := range m.g.Nearby(b) {
		if nb != layout.None && level[nb] > level[b] && m.state[nb] == meshBoth && !m.agrees(nb, &directions[d], side) {
			return true
		}
	}
	return false
}

// agrees tells whether the nodes of a block that it shares with the one that it lies beside in a direction are all on
// a side, dry or wet.
func (m *Mesh) agrees(b int32, o *[3]int, side uint8) bool {
	margin, sign := m.margin[b], float32(1)
	if side == meshWet {
		sign = -1
	}
	e := 1<<m.g.Prev.Level[b] + 2
	var lo, hi [3]int // cells beside these nodes
	for a := range 3 {
		switch lo[a], hi[a] = 0, e; {
		case o[a] > 0:
			hi[a] = 2
		case o[a] < 0:
			lo[a] = e - 2
		}
	}
	t := m.phi.Tile(b)
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			row := e * (y + e*z)
			for _, v := range t[row+lo[0] : row+hi[0]] {
				if !(sign*v >= margin) {
					return false
				}
			}
		}
	}
	return true
}
