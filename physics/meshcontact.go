package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// meshScratch is what the contact of a convex solid and a surface is found with.
type meshScratch struct {
	triangle triangle
	prism    hull // the triangle as a polyhedron without height
	solid    solid
	found    []int32
	hits     []hit
}

// prismPlanes are the face and the three sides of a triangle.
const prismPlanes = 4

// asPrism gives the triangle the form in which other polyhedra are met: a face, and sides
// square to it, whose edges are those of the face.
func (q *meshScratch) asPrism() {
	h := &q.prism
	if h.vertices == nil {
		h.vertices, h.planes = make([]r3.Vec, 3), make([]plane, prismPlanes)
		// A side has the loop of the edge alone, which is never shown: it is square to the axis.
		h.first, h.loop = []uint16{0, 3, 5, 7, 9}, []uint8{0, 1, 2, 0, 1, 1, 2, 2, 0}
		h.edges = []hullEdge{{0, 1, 0, 1}, {1, 2, 0, 2}, {2, 0, 0, 3}}
	}
	t := &q.triangle
	copy(h.vertices, t.v[:])
	h.planes[0] = plane{t.n, r3.Dot(t.n, t.v[0])}
	for k := range 3 {
		h.planes[k+1] = plane{t.out[k], r3.Dot(t.out[k], t.v[k])}
	}
}

// onMesh finds where the convex solid a meets the triangles of b: contacts as with a thin
// prism, but only along normals that the surface has, or inner edges would trip what slides
// over them.
func (q *convexScratch) onMesh(a, b *solid, motion r3.Vec, margin float64, m *manifold) {
	s, t := b.mesh, &q.tri
	t.found, t.hits = t.found[:0], t.hits[:0]
	box := q.boundsIn(a, b, margin)
	s.tree.overlapping(&box, func(item int32) {
		s.each(item, func(i int32) { t.found = append(t.found, i) })
	})
	t.solid = solid{kind: hullGeometry, pos: b.pos, rot: b.rot, hull: &t.prism}
	middle := mulVecT(b.rot, r3.Sub(a.middle(), b.pos))
	for _, i := range t.found {
		v := s.corners(i)
		if tb := (r3.Box{Min: minVec(v[0], minVec(v[1], v[2])), Max: maxVec(v[0], maxVec(v[1], v[2]))}); !overlap(&box, &tb) {
			continue
		}
		s.load(i, &t.triangle)
		if r3.Dot(t.triangle.n, r3.Sub(middle, t.triangle.v[0])) < 0 {
			if !s.twoSided {
				continue
			}
			t.triangle.flip()
		}
		t.asPrism()
		q.hits = q.hits[:0]
		q.onTriangle(a, &t.solid, motion, margin)
		t.collect(q.hits, i)
	}
	m.reduce(t.hits, maxPoints)
}

// boundsIn is the box about a, grown by margin, in the axes of b.
func (q *convexScratch) boundsIn(a, b *solid, margin float64) r3.Box {
	var lo, hi [3]float64
	for k := range 3 {
		u := column(b.rot, k)
		lo[k] = r3.Dot(u, r3.Sub(a.surface(r3.Scale(-1, u)), b.pos)) - margin
		hi[k] = r3.Dot(u, r3.Sub(a.surface(u), b.pos)) + margin
	}
	return r3.Box{Min: r3.Vec{X: lo[0], Y: lo[1], Z: lo[2]}, Max: r3.Vec{X: hi[0], Y: hi[1], Z: hi[2]}}
}

// onTriangle appends to q.hits the contact of a with the triangle b of q.tri.
func (q *convexScratch) onTriangle(a, b *solid, motion r3.Vec, margin float64) {
	axis, pa, pb, ok := q.axis(a, b, margin)
	if !ok || axis.sep > 0 && misses(a, b, motion, axis.n) {
		return
	}
	t := &q.tri.triangle
	if t.faces(mulVecT(b.rot, r3.Scale(-1, axis.n))) {
		q.touch(a, b, axis, pa, pb, margin)
		return
	}
	if a.kind == sphereGeometry {
		return
	}
	// What the triangle's face carries, if it is nearly as good as the axis: of a body that
	// is far below the face, and beside it, the axis tells the truth.
	n := r3.Scale(-1, mulVec(b.rot, t.n))
	least, _ := a.size()
	if sep := r3.Dot(n, r3.Sub(b.support(r3.Scale(-1, n)), a.surface(n))); sep > margin || sep < -speculation-0.25*least {
		return
	}
	a.faceToward(n, &q.a)
	b.faceToward(r3.Scale(-1, n), &q.b)
	q.onFace(&q.b, &q.a, true, margin)
}

// collect adds the hits on triangle i but those that another triangle has had.
func (t *meshScratch) collect(hits []hit, i int32) {
	const same = 1e-4 // m and rad
	for _, h := range hits {
		known := false
		for k := range t.hits {
			o := &t.hits[k]
			if r3.Norm2(r3.Sub(o.pos, h.pos)) < same*same && r3.Norm2(r3.Sub(o.normal, h.normal)) < same*same {
				known = true
				break
			}
		}
		if !known && finite(h.sep) && !math.IsNaN(h.normal.X) {
			h.id ^= uint32(i+1) * 0x9e3779b1 // spreads the triangles over the features
			t.hits = append(t.hits, h)
		}
	}
}
