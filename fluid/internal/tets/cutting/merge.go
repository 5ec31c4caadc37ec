package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// merge finds what all solids together leave open. Where several cover parts of one polygon, what is covered in all goes to each by how much it covers alone.
type merge struct {
	d     *Discretiser
	known []mergeKey // per base cell: what the lists hold
	round int        // how often run was called
	anew  bool       // all base cells are: the lattice has changed
}

// mergeKey is what was merged at a base cell, and when.
type mergeKey struct {
	key        key
	hits       int32
	round      int
	first      int32 // edge
	changed    bool  // in this round
	walls      bool  // likewise, by what never moves
	anyCovered bool  // some edge is not whole
	anyThin    bool  // some solid there has walls that may be thinner than a cell
}

func (m *merge) run() {
	d := m.d
	m.round++
	m.anew = false
	for b := range m.known {
		k := &m.known[b]
		m.anew = m.anew || k.key != d.static.bases[b].now || k.first != d.l.EdgeRuns[b] || k.round == 0
	}
	par.Each(d.pool, d.g.Bases(), 1, m, (*merge).mergeBase)
	par.Each(d.pool, d.g.Bases(), 1, m, (*merge).sumVolumes)
}

// isStale tells whether the solids at a base cell are others than those merged, or were measured anew. One that is new there was measured later. So where the
// number is the same and none was measured later, they are the same.
func (m *merge) isStale(b int32) bool {
	d, k, hits := m.d, &m.known[b], int32(0)
	if m.anew || d.static.bases[b].round > k.round {
		return true
	}
	for j := d.bodies.hits[b]; j != nil; j = j.next {
		if hits++; j.round > k.round {
			return true
		}
	}
	return hits != k.hits
}

// mergeBase finds what is left of a base cell's edges.
func (m *merge) mergeBase(worker int, b int32) {
	d, k := m.d, &m.known[b]
	if k.changed, k.walls = m.isStale(b), false; !k.changed {
		return
	}
	s, st := &d.work[worker], &d.static.bases[b]
	first := d.l.EdgeRuns[b]
	*k = mergeKey{key: st.now, round: m.round, first: first, changed: true, walls: m.anew || st.round == m.round, anyCovered: len(st.cut) > 0}
	m.reset(b)
	s.chains.begin(int(d.l.EdgeRuns[b+1] - first))
	s.chains.addAll(&st.list, true)
	k.anyThin = st.thin && len(st.list.covers) > 0
	for j := d.bodies.hits[b]; j != nil; j = j.next {
		k.hits++
		k.anyThin = k.anyThin || j.at.Thin
		s.chains.addAll(&j.list, j.at.Fixed)
	}
	for _, e := range s.chains.edges {
		m.mergeEdge(s, b, e)
		s.chains.first[e] = none
	}
	for j := d.bodies.hits[b]; j != nil; j = j.next {
		m.mergePores(b, &j.list)
	}
	k.anyCovered = k.anyCovered || len(s.chains.edges) > 0 || k.hits > 0
}

// reset makes a base cell's edges what the domain's sides leave of them.
func (m *merge) reset(b int32) {
	d, l := m.d, m.d.l
	lo, hi := l.EdgeRuns[b], l.EdgeRuns[b+1]
	copy(d.Middle[lo:hi], l.Middle[lo:hi])
	clear(d.fixed[lo:hi])
	clear(d.filled[lo:hi])
	open, within := d.Open[lo:hi], d.within[lo:hi]
	for i := range open {
		open[i], within[i] = 1, 1
		if !(l.Area[int(lo)+i] > 0) {
			open[i] = 0
		}
	}
	for _, c := range d.static.bases[b].cut {
		e := lo + c.edge
		d.Open[e], d.within[e], d.Middle[e] = c.within, c.within, c.middle
		d.fixed[e] = l.Area[e] * (1 - c.within)
	}
}

// chains are the covers of each edge of a base cell.
type chains struct {
	first []int32 // per edge: the first in nodes, or none
	edges []int32 // that have any
	nodes []chainNode
}

// chainNode is a cover of an edge, and the next one.
type chainNode struct {
	of    *coverList
	cover int32
	next  int32
	fixed bool // never moves
}

func (c *chains) begin(edges int) {
	c.first, c.edges, c.nodes = lengthen(c.first, edges), c.edges[:0], c.nodes[:0]
}

// addAll adds the covers of a list.
func (c *chains) addAll(of *coverList, fixed bool) {
	for i := range of.covers {
		e := of.covers[i].edge
		if c.first[e] == none {
			c.edges = append(c.edges, e)
		}
		c.nodes = append(c.nodes, chainNode{of, int32(i), c.first[e], fixed})
		c.first[e] = int32(len(c.nodes) - 1)
	}
}

// at is a node's cover.
func (n *chainNode) at() *cover { return &n.of.covers[n.cover] }

// mergeEdge finds what is left of an edge that solids are at.
func (m *merge) mergeEdge(s *scratch, b, edge int32) {
	d := m.d
	e := d.l.EdgeRuns[b] + edge
	within := d.l.Area[e] * d.within[e]
	node := &s.chains.nodes[s.chains.first[edge]]
	left := *node.at()
	if node.next != none {
		left = m.unite(s, b, e, node)
	}
	d.filled[e] = [2]float64{left.filled[0].volume, left.filled[1].volume}
	m.shareVolumes(s, edge, &left)
	if !m.anyArea(s, edge) {
		return
	}
	covered := min(left.area, within)
	if float64(within)-float64(covered) < least*d.l.Area[e] {
		covered = within
	}
	m.share(s, e, edge, covered, &left.x)
	if covered == 0 {
		return
	}
	open := float64(within) - float64(covered)
	d.Open[e] = open / d.l.Area[e]
	if open == 0 {
		d.Middle[e] = d.l.Middle[e]
		return
	}
	for a := range d.Middle[e] {
		d.Middle[e][a] = (float64(within*d.Middle[e][a]) - float64(covered*left.x[a])) / open
	}
}

// anyArea tells whether some solid covers some of an edge's polygon.
func (m *merge) anyArea(s *scratch, edge int32) bool {
	for i := s.chains.first[edge]; i != none; i = s.chains.nodes[i].next {
		if s.chains.nodes[i].at().area > 0 {
			return true
		}
	}
	return false
}

// share tells each solid at an edge what counts as its own of the area that all cover, m², about a centroid, m. What never moves has all that it covers, so that
// where others reach into it they press on liquid with no more than what is in front of it.
func (m *merge) share(s *scratch, e, edge int32, covered float64, middle *vec) {
	var alone [2]float64 // by all that moves, and by all that doesn't
	var moment vec       // of the latter
	for i := s.chains.first[edge]; i != none; i = s.chains.nodes[i].next {
		n := &s.chains.nodes[i]
		c := n.at()
		if alone[n.kind()] += c.area; n.fixed {
			for a, x := range c.x {
				moment[a] += float64(c.area * x)
			}
		}
	}
	still := min(alone[1], covered)
	if alone[0] == 0 {
		still = covered
	}
	part := [2]float64{(covered - still) / max(alone[0], math.SmallestNonzeroFloat64), still / max(alone[1], math.SmallestNonzeroFloat64)}
	split := still > 0 && covered-still > least*covered
	for i := s.chains.first[edge]; i != none; i = s.chains.nodes[i].next {
		n := &s.chains.nodes[i]
		c := n.at()
		if c.taken, c.at = c.area*part[n.kind()], c.x; split && !n.fixed {
			for a, x := range moment {
				c.at[a] = (float64(covered*middle[a]) - float64(x*part[1])) / (covered - still)
			}
		}
	}
	if alone[1] > 0 {
		m.d.fixed[e] += still
	}
}

// shareVolumes is share of what all solids fill, left, of the pyramids on an edge's polygon.
func (m *merge) shareVolumes(s *scratch, edge int32, left *cover) {
	for side := range left.filled {
		var alone [2]float64
		for i := s.chains.first[edge]; i != none; i = s.chains.nodes[i].next {
			n := &s.chains.nodes[i]
			alone[n.kind()] += n.at().filled[side].volume
		}
		part := 1.
		if alone[1] > 0 && alone[0] > 0 {
			part = max(0, min(1, (left.filled[side].volume-alone[1])/alone[0]))
		}
		for i := s.chains.first[edge]; i != none; i = s.chains.nodes[i].next {
			n := &s.chains.nodes[i]
			c := n.at()
			if c.own[side] = c.filled[side]; !n.fixed {
				c.own[side].scale(part)
			}
		}
	}
}

// kind is 1 for what never moves, or else 0.
func (n *chainNode) kind() int {
	if n.fixed {
		return 1
	}
	return 0
}

// unite is what several solids cover together.
func (m *merge) unite(s *scratch, b, e int32, node *chainNode) (all cover) {
	d := m.d
	all.values = none
	c := cutter{sides: d.static.bases[b].sides}
	ring := int(d.l.RingRuns[e+1] - d.l.RingRuns[e])
	v, count := s.united[:0], m.valuesOf(s, ring, node)
	for n := node; ; n = &s.chains.nodes[n.next] {
		at := n.at()
		if at.values == none {
			d.coverWhole(s, &d.domain, &c, &all, e)
			return all
		}
		own := n.of.values[at.values:]
		if !at.fine && count > ring+beyondRing {
			s.halves = appendHalves(s.halves[:0], own[:ring+beyondRing], ring)
			own = s.halves
		}
		if n == node {
			v = append(v, own[:count]...)
		}
		for i, x := range own[:count] {
			v[i] = min(v[i], x)
		}
		if n.next == none {
			break
		}
	}
	s.united = v
	d.coverPart(s, &d.domain, &c, &all, e, v)
	return all
}

// valuesOf is how many values the covers of an edge have, whose polygon has so many corners: the further ones too if some cover has them.
func (m *merge) valuesOf(s *scratch, ring int, node *chainNode) int {
	for n := node; ; n = &s.chains.nodes[n.next] {
		if n.at().fine {
			return ring + beyondRing + fineValues(ring)
		}
		if n.next == none {
			return ring + beyondRing
		}
	}
}

// nearby tells whether solids or the domain's sides take something of an edge of a base cell or of one beside it.
func (m *merge) nearby(b int32, is func(k *mergeKey) bool) bool {
	for _, nb := range m.d.g.Nearby(b) {
		if nb >= 0 && is(&m.known[nb]) {
			return true
		}
	}
	return false
}

func (k *mergeKey) isChanged() bool   { return k.changed }
func (k *mergeKey) hasNewWalls() bool { return k.walls }
func (k *mergeKey) isCovered() bool   { return k.anyCovered }
func (k *mergeKey) isThin() bool      { return k.anyThin }

// CutsInto tells whether solids or the domain's sides may take a part of some edge at a base cell's vertices.
func (d *Discretiser) CutsInto(b int32) bool { return d.merge.nearby(b, (*mergeKey).isCovered) }

// HasThinWalls tells whether solids that have walls which may be thinner than a cell take a part of some edge at a base cell's vertices.
func (d *Discretiser) HasThinWalls(b int32) bool { return d.merge.nearby(b, (*mergeKey).isThin) }
