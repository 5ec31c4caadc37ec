package stuffing

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// warp moves each vertex that a cut of one of its edges is too near to, onto the nearest such cut. It then is on the surface, and its edges are not
// cut any more. All decide by the cuts that the field has, so that the order doesn't matter: the bounds hold even where one is moved towards
// another that is moved too.
//
// Vertices of transitions stay where they are until settle, and count as on the surface. Of an edge between two of them the one that is nearer to the
// cut does so, whatever the distance. So do all corners inside that lie on a side of the layout; these move along the side alone, at once if the cut is near enough.
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
			m.closeSide(v)
		}
	}
}

func (m *Mesher) warpVertex(v int32) {
	c := m.nearest(v, false)
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
	}
	m.after[v], m.snapped[v] = s, c
}

// closeSide has a corner inside that lies on a side of the layout count as on the surface. Where the surface ends at the side beside it, it is to be moved there.
func (m *Mesher) closeSide(v int32) {
	m.after[v] = m.state[v]&^signMask | surface
	if !hasBit(m.near, v) {
		return
	}
	if c := m.nearest(v, true); c != noCut {
		m.after[v], m.snapped[v] = m.after[v]|resting, c
	}
}

// nearest is the nearest of the cuts that are too near to a vertex, or however far they are, or noCut.
func (m *Mesher) nearest(v int32, however bool) int32 {
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
		switch {
		case however:
		case fixed && hasBit(m.fixed, w):
			if t > .5 {
				continue
			}
		case t >= m.limit(v, w):
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

// attracts tells whether v may move along its edge to w, one of them inside. A corner inside on a side of the layout will count as on the surface, so
// that its edges to others won't be cut; it moves along the side alone, and one outside to it only from the same side.
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
