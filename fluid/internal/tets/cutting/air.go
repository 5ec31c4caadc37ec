package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Air that open edges connect is a region. Regions that reach the sky or an open side of the domain are open; what else liquid touches may be a bubble, which the
// solve decides: it knows what the liquid is connected with.

// airSearch finds the regions of air. At each base cell the air that its own edges connect is a part of a region.
type airSearch struct {
	d      *Discretiser
	first  []int32   // per base cell, and one more: its first part
	part   []int32   // per vertex: its part, or none
	sets   geom.Sets // of parts
	open   []bool    // per part that is a root: the region reaches the sky or an open side
	bubble []int32   // likewise: its number among the graph's bubbles, or none
	hidden []bool    // per base cell: it has parts of regions that are not open

	gr  *graph.Graph // while it runs
	phi []float64
}

func (s *airSearch) init(bases int) { s.first, s.hidden = make([]int32, bases+1), make([]bool, bases) }

// skyward is the cosine of the angle to the vertical up to which a side of the domain is the sky.
const skyward = .5

// findBubbles lists the bubbles of the graph, which has rows and faces.
func (s *airSearch) findBubbles(gr *graph.Graph, phi []float64) {
	d := s.d
	gr.Bubbles = gr.Bubbles[:0]
	s.part = arrays.Resize(s.part, d.l.Vertices())
	if gr.Rows == 0 {
		return
	}
	s.gr, s.phi = gr, phi
	bases := d.g.Bases()
	par.Each(d.pool, bases, fillGrain, s, (*airSearch).findParts)
	parts := int32(0)
	for b := range bases {
		s.first[b], parts = parts, parts+s.first[b]
	}
	s.first[bases] = parts
	par.Each(d.pool, bases, fillGrain, s, (*airSearch).numberParts)
	s.sets.Reset(int(parts))
	s.open = arrays.Resize(s.open, int(parts))
	clear(s.open)
	for b := range int32(bases) {
		s.joinAcross(b)
	}
	if s.markOpen() {
		s.listBubbles()
	}
	s.gr, s.phi = nil, nil
}

// isAir tells whether a vertex is air that liquid may enter.
func (s *airSearch) isAir(v int32) bool {
	d := s.d
	return !(s.phi[v] < 0) && d.Row[v] == none && !d.rows.shut[v] && !d.l.Beyond[v]
}

// findParts finds the parts of a base cell's air: part has a vertex's, counted from 0, and first how many there are.
func (s *airSearch) findParts(worker int, b int32) {
	d, l := s.d, s.d.l
	lo, hi := l.VertexRuns.Of(b)
	k := &d.work[worker]
	k.sets = arrays.Resize(k.sets, int(hi-lo))
	any := false
	for v := lo; v < hi; v++ {
		k.sets[v-lo] = v - lo
		if s.part[v] = none; s.isAir(v) {
			s.part[v], any = 0, true
		}
	}
	s.first[b] = 0
	if !any {
		return
	}
	for e := l.EdgeRuns[b]; e < l.EdgeRuns[b+1]; e++ {
		p, q := l.Ends[e][0], l.Ends[e][1]
		if min(p, q) < lo || max(p, q) >= hi || d.Open[e] == 0 || s.part[p] == none || s.part[q] == none {
			continue
		}
		if p, q = root(k.sets, p-lo), root(k.sets, q-lo); p != q {
			k.sets[max(p, q)] = min(p, q)
		}
	}
	n := int32(0)
	for v := lo; v < hi; v++ {
		if s.part[v] == none {
			continue
		}
		if r := root(k.sets, v-lo); r < v-lo {
			s.part[v] = s.part[lo+r]
		} else {
			s.part[v] = n
			n++
		}
	}
	s.first[b] = n
}

// numberParts counts the parts of a base cell's vertices from that of the first base cell.
func (s *airSearch) numberParts(_ int, b int32) {
	lo, hi := s.d.l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		if s.part[v] != none {
			s.part[v] += s.first[b]
		}
	}
}

// joinAcross joins parts that edges of a base cell connect with those of others.
func (s *airSearch) joinAcross(b int32) {
	d, l := s.d, s.d.l
	lo, hi := l.VertexRuns.Of(b)
	for e := l.EdgeRuns[b]; e < l.EdgeRuns[b+1]; e++ {
		p, q := l.Ends[e][0], l.Ends[e][1]
		if min(p, q) >= lo && max(p, q) < hi || d.Open[e] == 0 {
			continue
		}
		if p, q := s.part[p], s.part[q]; p != none && q != none && s.sets.Find(p) != s.sets.Find(q) {
			s.sets.Join(p, q)
		}
	}
}

// markOpen marks the regions that reach the sky or an open side, and the base cells that have parts of others. It tells whether there are any.
func (s *airSearch) markOpen() (any bool) {
	d, l := s.d, s.d.l
	leads := s.leadsOut()
	for b := range int32(d.g.Bases()) {
		if s.first[b] == s.first[b+1] || !s.mayReach(b, leads) {
			continue
		}
		lo, hi := l.VertexRuns.Of(b)
		for v := lo; v < hi; v++ {
			if s.part[v] != none && s.reaches(v, leads) {
				s.open[s.sets.Find(s.part[v])] = true
			}
		}
	}
	for b := range s.hidden {
		s.hidden[b] = false
		for i := s.first[b]; i < s.first[b+1]; i++ {
			if !s.open[s.sets.Find(i)] {
				s.hidden[b], any = true, true
			}
		}
	}
	return any
}

// leadsOut tells which sides of the domain air is open at, as bits: those that liquid leaves through, and those that face up. Without gravity all do.
func (s *airSearch) leadsOut() (to uint8) {
	d := s.d
	for side := range 6 {
		up := d.Up[side/2]
		if side&1 == 0 {
			up = -up
		}
		if d.domain.open[side] || up >= skyward || d.Up == [3]float64{} {
			to |= 1 << side
		}
	}
	return to
}

// mayReach tells whether vertices of a base cell may be at a side of the domain where air is open, or beyond.
func (s *airSearch) mayReach(b int32, leads uint8) bool {
	d := s.d
	lo, edge := d.g.Corner(b), d.domain.baseEdge
	for a := range lo {
		if leads>>(2*a)&1 == 1 && lo[a] < d.domain.lo[a]+edge || leads>>(2*a+1)&1 == 1 && lo[a]+edge > d.domain.hi[a]-edge {
			return true
		}
	}
	return false
}

// reaches tells whether a vertex's cell is at a side of the domain where air is open, or beyond.
func (s *airSearch) reaches(v int32, leads uint8) bool {
	d := s.d
	x, half := &d.l.Position[v], float64((.5+touch)*d.cellEdge(v))
	for a := range x {
		if leads>>(2*a)&1 == 1 && x[a] < max(d.domain.lo[a], d.domain.first[a])+half {
			return true
		}
		if leads>>(2*a+1)&1 == 1 && x[a] > min(d.domain.hi[a], d.domain.last[a])-half {
			return true
		}
	}
	return false
}

// bubbleOf is the number of the bubble that a vertex is in, or none.
func (s *airSearch) bubbleOf(v int32) int32 {
	if s.part[v] == none {
		return none
	}
	return s.bubble[s.sets.Find(s.part[v])]
}
