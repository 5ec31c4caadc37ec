package stuffing

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// warp moves each vertex that a cut of one of its edges is too near to, onto the nearest such cut. It then is on the surface, and its edges are not
// cut any more. All decide by the cuts that the field has, so that the order doesn't matter: the bounds hold even where one is moved towards
// another that is moved too.
//
// Vertices of transitions stay where they are, and so do corners inside that lie on a side of the layout, except that the latter may move along the side. They count as
// on the surface then. Of an edge between two vertices of transitions the one that is nearer to the cut does so, whatever the distance.
func (m *Mesher) warp() {
	n := m.l.Vertices()
	m.after, m.snapped = arrays.Resize(m.after, n), arrays.Resize(m.snapped, n)
	par.For(m.pool, n, grain, m, (*Mesher).warpChunk)
}

func (m *Mesher) warpChunk(_, from, to int) {
	for v := int32(from); v < int32(to); v++ {
		s := m.state[v]
		m.after[v], m.snapped[v] = s, noCut
		if hasBit(m.near, v) {
			m.warpVertex(v)
		}
		if m.sides[v] != 0 && isIn(m.after[v]) {
			m.after[v] = s&^signMask | surface
		}
	}
}

func (m *Mesher) warpVertex(v int32) {
	c := m.nearest(v)
	if c == noCut {
		return
	}
	s := m.state[v]&^signMask | surface
	if m.cuts[c].solid {
		s |= onSolid
	}
	if hasBit(m.fixed, v) {
		s |= resting
	} else {
		s |= moved
		m.snapped[v] = c
	}
	m.after[v] = s
}

// nearest is the nearest of the cuts that are too near to a vertex, or noCut.
func (m *Mesher) nearest(v int32) int32 {
	l := m.l
	best, least := int32(noCut), 0.
	fixed := hasBit(m.fixed, v)
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		if !m.opposite(m.state, e) {
			continue
		}
		w := l.Ends[e][0] + l.Ends[e][1] - v
		if !m.attracts(v, w) {
			continue
		}
		t := m.cuts[m.cutOf[e]].t
		if l.Ends[e][0] != v {
			t = 1 - t
		}
		if fixed && hasBit(m.fixed, w) {
			if t > .5 {
				continue
			}
		} else if t >= m.limit(v, w) {
			continue
		}
		if d := t * l.Dist[e]; best == noCut || d < least {
			best, least = m.cutOf[e], d
		}
	}
	return best
}

// limit is how near to v a cut of its edge to w must be to move v.
func (m *Mesher) limit(v, w int32) float64 {
	if (m.state[v]^m.state[w])&centred == 0 {
		return m.Alpha.Long
	}
	return m.Alpha.Short
}

// attracts tells whether v may move along its edge to w, one of them inside. A corner inside on a side of the layout will count as on the surface, so that its edges to others
// won't be cut; it moves along the side alone, and one outside to it only from the same side.
func (m *Mesher) attracts(v, w int32) bool {
	in, out := v, w
	if !isIn(m.state[v]) {
		in, out = w, v
	}
	a, b := m.sides[in], m.sides[out]
	if a == 0 {
		return true
	}
	return a&b != 0 && (v == out || a&^b == 0)
}
