package trimesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
)

// The questions of this file are about what an operation would make, before it is done. Triangles in the list except, a short one, count as removed. They are answered
// exactly: see package predicates. All of them use the scratch of the mesh, so that one worker at a time may ask.

// TriangleMeets tells whether a triangle at x would meet one of the mesh, apart from the vertices and edges that they share. Those are known by the numbers v of its vertices; Gone
// stands for one that does not exist yet. Two triangles with the same vertices meet. So do two that share an edge if they lie upon each other.
func (m *Mesh) TriangleMeets(v [3]int32, x *[3]r3.Vec, except []int32) bool {
	box := boxes.Around(x[:])
	m.found = m.Boxes.Overlapping(m.found[:0], &box)
	for _, t := range m.found {
		if !slices.Contains(except, t) && m.meets(t, v, x) {
			return true
		}
	}
	return false
}

// EdgeMeets tells whether an edge at x would meet a triangle of the mesh, apart from the vertices that they share, by their numbers as in TriangleMeets. An edge meets no triangle
// of which it is a side.
func (m *Mesh) EdgeMeets(v [2]int32, x *[2]r3.Vec, except []int32) bool {
	box := boxes.Around(x[:])
	m.found = m.Boxes.Overlapping(m.found[:0], &box)
	for _, t := range m.found {
		if slices.Contains(except, t) {
			continue
		}
		first, second := slices.Index(m.Triangle[t][:], v[0]), slices.Index(m.Triangle[t][:], v[1])
		a, b, c := m.Corners(t)
		y := [3]r3.Vec{a, b, c}
		var meet bool
		switch {
		case first < 0 && second < 0:
			meet = predicates.SegmentTriangle(x[0], x[1], a, b, c)
		case second < 0:
			meet = predicates.Fan(x[0], x[1], y[(first+1)%3], y[(first+2)%3])
		case first < 0:
			meet = predicates.Fan(x[1], x[0], y[(second+1)%3], y[(second+2)%3])
		}
		if meet {
			return true
		}
	}
	return false
}

// VertexInside tells whether a vertex that has a triangle, apart from some, is in the tetrahedron of four points or on it.
func (m *Mesh) VertexInside(x *[4]r3.Vec, apart []int32) bool {
	box := boxes.Around(x[:])
	m.found = m.Boxes.Overlapping(m.found[:0], &box)
	for _, t := range m.found {
		for _, v := range m.Triangle[t] {
			if m.VertexTriangles[v][0] != t || slices.Contains(apart, v) || !boxes.Holds(&box, &m.Position[v]) {
				continue
			}
			if predicates.PointTetrahedron(m.Position[v], x[0], x[1], x[2], x[3]) {
				return true
			}
		}
	}
	return false
}

// MotionMeets tells whether a vertex on a straight way from its position to another place, with its edges and triangles, would meet anything at rest. Whatever has one of the vertices in the
// list merged is not looked at: for a collapse that is the other end of the edge, on whose triangles the way ends. Such a way may still end with a triangle
// on one of those that were left out: ask TriangleMeets as well.
func (m *Mesh) MotionMeets(v int32, to r3.Vec, merged, except []int32) bool {
	box := boxes.Around([]r3.Vec{m.Position[v], to})
	for _, t := range m.VertexTriangles[v] {
		for _, w := range m.Triangle[t] {
			boxes.Enclose(&box, &m.Position[w])
		}
	}
	moves := predicates.Motion{m.Position[v], to}
	m.found = m.Boxes.Overlapping(m.found[:0], &box)
	for _, t := range m.found {
		if slices.Contains(except, t) {
			continue
		}
		if m.vertexMeets(v, &moves, t, merged) || m.sidesMeet(v, &moves, t, merged, except) || m.cornersMeet(v, &moves, t, merged, except) {
			return true
		}
	}
	return false
}

// vertexMeets tells whether a vertex on its way meets a triangle.
func (m *Mesh) vertexMeets(v int32, moves *predicates.Motion, t int32, merged []int32) bool {
	w := &m.Triangle[t]
	for _, u := range w {
		if u == v || slices.Contains(merged, u) {
			return false
		}
	}
	a, b, c := m.rest(w[0]), m.rest(w[1]), m.rest(w[2])
	_, meet := predicates.VertexTriangle(moves, &a, &b, &c)
	return meet
}

// sidesMeet tells whether an edge of a vertex on its way meets a side of a triangle, if the side has no other triangle before it in its list.
func (m *Mesh) sidesMeet(v int32, moves *predicates.Motion, t int32, merged, except []int32) bool {
	for _, side := range m.Sides[t] {
		ends := m.Edge[side]
		if owner(m.EdgeTriangles[side], except) != t || ends[0] == v || ends[1] == v || slices.Contains(merged, ends[0]) || slices.Contains(merged, ends[1]) {
			continue
		}
		a, b := m.rest(ends[0]), m.rest(ends[1])
		for _, e := range m.VertexEdges[v] {
			w := m.Other(e, v)
			if w == ends[0] || w == ends[1] || slices.Contains(merged, w) {
				continue
			}
			end := m.rest(w)
			if _, meet := predicates.EdgeEdge(moves, &end, &a, &b); meet {
				return true
			}
		}
	}
	return false
}

// cornersMeet tells whether a triangle of a vertex on its way meets a corner of a triangle, if the corner has no other triangle before it in its list.
func (m *Mesh) cornersMeet(v int32, moves *predicates.Motion, t int32, merged, except []int32) bool {
	for _, w := range m.Triangle[t] {
		if w == v || owner(m.VertexTriangles[w], except) != t || slices.Contains(merged, w) {
			continue
		}
		x := m.rest(w)
		for _, u := range m.VertexTriangles[v] {
			y := m.Triangle[u]
			i := slices.Index(y[:], v)
			b, c := y[(i+1)%3], y[(i+2)%3]
			if b == w || c == w || slices.Contains(except, u) || slices.Contains(merged, b) || slices.Contains(merged, c) {
				continue
			}
			mb, mc := m.rest(b), m.rest(c)
			if _, meet := predicates.VertexTriangle(&x, moves, &mb, &mc); meet {
				return true
			}
		}
	}
	return false
}

// rest is the motion of a vertex that has none.
func (m *Mesh) rest(v int32) predicates.Motion {
	return predicates.Motion{m.Position[v], m.Position[v]}
}

// owner is the first triangle of a list that is not among others, or Gone.
func owner(list, except []int32) int32 {
	for _, t := range list {
		if !slices.Contains(except, t) {
			return t
		}
	}
	return Gone
}

// meets tells whether triangle t and one of vertices v at x meet apart from what they share.
func (m *Mesh) meets(t int32, v [3]int32, x *[3]r3.Vec) bool {
	a, b, c := m.Corners(t)
	return trianglesMeet(v, x, m.Triangle[t], &[3]r3.Vec{a, b, c})
}

// trianglesMeet tells whether triangles of vertices v at x and w at y meet apart from what they share.
func trianglesMeet(v [3]int32, x *[3]r3.Vec, w [3]int32, y *[3]r3.Vec) bool {
	var mine, its [3]int // where the shared vertices are
	shared := 0
	for i := range v {
		for j := range w {
			if v[i] == w[j] {
				mine[shared], its[shared] = i, j
				shared++
			}
		}
	}
	switch shared {
	case 0:
		return predicates.TrianglesMeet(x, y)
	case 1:
		// What they have in common begins at the shared vertex, and ends where it leaves one of them through the opposite side.
		i, j := mine[0], its[0]
		return predicates.SegmentTriangle(x[(i+1)%3], x[(i+2)%3], y[0], y[1], y[2]) || predicates.SegmentTriangle(y[(j+1)%3], y[(j+2)%3], x[0], x[1], x[2])
	case 2:
		return predicates.Folded(x[mine[0]], x[mine[1]], x[3-mine[0]-mine[1]], y[3-its[0]-its[1]])
	}
	return true
}
