package cutting

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Air that open faces connect is a region. Regions that reach the sky or an open side of the domain are open; what else liquid touches may be a
// bubble, which the solve decides: it knows what the liquid is connected with.

// airSearch finds the regions of air. In each block the air that its own faces connect is a part of a region.
type airSearch struct {
	d      *Discretiser
	blocks []airBlock // per base cell, and one more
	parts  []mask     // of the blocks that have several
	sets   geom.Sets  // of the parts of all blocks
	open   []bool     // per part that is a root: the region reaches the sky or an open side
	bubble []int32    // likewise: its number among the graph's bubbles, or -1
	hidden []bool     // per base cell: it has parts of regions that are not open
}

// airBlock is a block's air. It has n parts, the first of them first, with masks from list on if there are several.
type airBlock struct {
	air         mask
	n           int32
	first, list int32
	// What they were found from: a block that no solid touches and in which the same cells are liquid has the same parts.
	liquid mask
	cells  int32
	level  int
	plain  bool
}

func (s *airSearch) init(bases int) {
	s.blocks, s.hidden = make([]airBlock, bases+1), make([]bool, bases)
}

// skyward is the cosine of the angle to the vertical up to which a side of the domain is the sky.
const skyward = .5

// findBubbles lists the bubbles of the graph, which has rows and faces.
func (s *airSearch) findBubbles() {
	d := s.d
	d.gr.Bubbles = d.gr.Bubbles[:0]
	if d.gr.Rows == 0 {
		return
	}
	par.Each(d.pool, d.g.Bases(), fillGrain, s, (*airSearch).countParts)
	n, listed := int32(0), int32(0)
	for b := range s.blocks {
		k := &s.blocks[b]
		if b == d.g.Bases() {
			k.n = 0
		}
		k.first, k.list = n, listed
		if n += k.n; k.n > 1 {
			listed += k.n
		}
	}
	s.sets.Reset(int(n))
	s.parts, s.open = arrays.Resize(s.parts, int(listed)), arrays.Resize(s.open, int(n))
	if listed > 0 {
		par.Each(d.pool, d.g.Bases(), fillGrain, s, (*airSearch).listParts)
	}
	clear(s.open)
	for b := range int32(d.g.Bases()) {
		s.joinBelow(b)
	}
	if s.markOpen() {
		s.listFaces()
	}
}

// countParts finds a block's air and of how many parts it is.
func (s *airSearch) countParts(_ int, b int32) {
	d := s.d
	k, p, to := d.block(b), &d.patterns[b], &s.blocks[b]
	plain := d.untouched(b)
	if plain && to.plain && to.cells == k.first && to.level == k.bits && to.liquid == p.liquid {
		return
	}
	to.plain, to.cells, to.level, to.liquid = plain, k.first, k.bits, p.liquid
	to.air, to.n = everyCell(k.bits), 0
	if plain && p.liquid == (mask{}) {
		to.n = 1
		return
	}
	for i, m := range &p.liquid {
		to.air[i] &^= m
	}
	if !plain {
		d.numbering.dropEnclosed(&k, &to.air)
	}
	s.eachPart(&k, func(mask) { to.n++ })
}

// listParts keeps the parts of a block that has several.
func (s *airSearch) listParts(_ int, b int32) {
	of := &s.blocks[b]
	if of.n < 2 {
		return
	}
	k, at := s.d.block(b), of.list
	s.eachPart(&k, func(m mask) {
		s.parts[at] = m
		at++
	})
}

// eachPart calls visit for each part of a block's air.
func (s *airSearch) eachPart(k *block, visit func(mask)) {
	rest := s.blocks[k.b].air
	if rest == (mask{}) {
		return
	}
	var links [3]mask
	open := &s.d.masks[k.b].now.open
	for a := range links {
		links[a] = rest.above(k.bits, a)
		for i := range links[a] {
			links[a][i] &= rest[i] & open[a][i]
		}
	}
	for i := range rest {
		for rest[i] != 0 {
			var part mask
			part[i] = rest[i] & -rest[i]
			for was := (mask{}); part != was; {
				was = part
				for a := range links {
					flood(&part, &links[a], k.bits, a)
				}
			}
			visit(part)
			for j, m := range &part {
				rest[j] &^= m
			}
		}
	}
}

// part is the mask of a block's i-th part.
func (s *airSearch) part(b, i int32) *mask {
	k := &s.blocks[b]
	if k.n < 2 {
		return &k.air
	}
	return &s.parts[k.list+i]
}

// joinBelow joins a block's parts with those of the blocks below it, on all axes.
func (s *airSearch) joinBelow(b int32) {
	d := s.d
	for a := range 3 {
		low := d.g.Neighbour[b][2*a]
		if low == layout.None || s.blocks[b].n == 0 || s.blocks[low].n == 0 {
			continue
		}
		own, below := &s.blocks[b], &s.blocks[low]
		if own.n == 1 && below.n == 1 && s.sets.Find(own.first) == s.sets.Find(below.first) {
			continue
		}
		k, other := d.block(b), d.block(low)
		switch {
		case k.bits > other.bits:
			s.joinUnlike(&k, 2*a)
		case k.bits < other.bits:
			s.joinUnlike(&other, 2*a+1)
		default:
			s.joinAlike(&k, low, a)
		}
	}
}

// joinAlike joins a block's parts with those of the block below along an axis, which has cells of the same size.
func (s *airSearch) joinAlike(k *block, low int32, a int) {
	own, below := &s.blocks[k.b], &s.blocks[low]
	open := &s.d.masks[k.b].now.open[a]
	for i := range own.n {
		across := s.part(k.b, i).and(&lowSide[k.bits][a])
		across = across.and(open)
		if across == (mask{}) {
			continue
		}
		for j := range below.n {
			m := s.part(low, j).beyond(k.bits, a)
			if m.and(&across) != (mask{}) {
				s.sets.Join(own.first+i, below.first+j)
			}
		}
	}
}

// joinUnlike joins a block's parts with those beyond a side, where cells are larger.
func (s *airSearch) joinUnlike(k *block, side int) {
	d, own := s.d, &s.blocks[k.b]
	at := cellsAt(k.bits, side)
	for i, m := range &at {
		for m &= own.air[i]; m != 0; m &= m - 1 {
			c := i<<6 + bits.TrailingZeros64(m)
			place := k.place(c)
			cell, _ := d.next(k, side, place)
			if to := s.partOf(d.g.Neighbour[k.b][side], cell); to >= 0 && s.passes(k, side, place) {
				s.sets.Join(s.partOf(k.b, k.first+int32(c)), to)
			}
		}
	}
}

// passes tells whether the face on a side of a cell, which may be a quarter of a composite one, is open.
func (s *airSearch) passes(k *block, side int, at [3]int) bool {
	for a := range 3 {
		if a != side/2 {
			at[a] &^= 1
		}
	}
	return s.d.opens(k, side, at)
}

// partOf is the part that a cell of a block is of, or -1.
func (s *airSearch) partOf(b, cell int32) int32 {
	k, c := &s.blocks[b], int(cell-s.d.g.Cur.First[b])
	if k.n == 0 || !k.air.has(c) {
		return -1
	}
	if k.n == 1 {
		return k.first
	}
	for i := range k.n {
		if s.parts[k.list+i].has(c) {
			return k.first + i
		}
	}
	return -1
}

// markOpen marks the regions that reach the sky or an open side, and the blocks that have parts of others. It tells whether there are any.
func (s *airSearch) markOpen() (any bool) {
	d := s.d
	leads := s.leadsOut()
	for b := range int32(d.g.Bases()) {
		if s.blocks[b].n > 0 {
			k := d.block(b)
			s.markBlock(&k, &leads)
		}
	}
	for b := range s.hidden {
		k := &s.blocks[b]
		s.hidden[b] = false
		for i := k.first; i < k.first+k.n; i++ {
			if !s.open[s.sets.Find(i)] {
				s.hidden[b], any = true, true
			}
		}
	}
	return any
}

// leadsOut tells which sides of the domain air is open at: those that liquid leaves through, and those that face up. Without gravity all do.
func (s *airSearch) leadsOut() (to [6]bool) {
	d := s.d
	for side := range to {
		up := d.Up[side/2]
		if side&1 == 0 {
			up = -up
		}
		to[side] = d.domain.open[side] || up >= skyward || d.Up == [3]float64{}
	}
	return to
}

// markBlock marks the regions of a block's parts that reach a side of the domain where air is open.
func (s *airSearch) markBlock(k *block, leads *[6]bool) {
	d := s.d
	edge, half := float64(k.h*float64(k.n)), float64(k.h/2)
	var out mask
	for a := range 3 {
		low := leads[2*a] && k.lo[a] < d.domain.lo[a]+half
		high := leads[2*a+1] && k.lo[a]+edge > d.domain.hi[a]-half
		if !low && !high {
			continue
		}
		layer := lowSide[k.bits][a]
		for i := range k.n {
			x := k.lo[a] + float64(float64(i)*k.h)
			if low && x < d.domain.lo[a]+half || high && x+k.h > d.domain.hi[a]-half {
				out.or(&layer)
			}
			layer = layer.above(k.bits, a)
		}
	}
	if out == (mask{}) {
		return
	}
	for i := range s.blocks[k.b].n {
		if s.part(k.b, i).and(&out) != (mask{}) {
			s.open[s.sets.Find(s.blocks[k.b].first+i)] = true
		}
	}
}
