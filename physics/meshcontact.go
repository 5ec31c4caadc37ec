package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// meshScratch is scratch for the contact of a convex solid and a surface.
type meshScratch struct {
	triangle   triangle
	prism      hull // the triangle as a polyhedron without height
	solid      solid
	candidates []manifoldPoint
}

// prismPlanes are the face, the three sides, and the back of a triangle.
const prismPlanes = 5

// asPrism writes the triangle as a polyhedron: a face, sides square to it with the edges of the face, and a back with
// the same edges. The back is no separating face, but its edges take part in edge pairs with solids that reach around
// the rim.
func (t *meshScratch) asPrism() {
	h := &t.prism
	if h.vertices == nil {
		h.vertices, h.planes = make([]r3.Vec, 3), make([]plane, prismPlanes)
		// A side has the loop of the edge alone, which is never shown: it is square to the axis.
		h.first, h.loop = []uint16{0, 3, 5, 7, 9, 12}, []uint8{0, 1, 2, 0, 1, 1, 2, 2, 0, 0, 2, 1}
		h.edges = []hullEdge{{0, 1, 0, 1}, {1, 2, 0, 2}, {2, 0, 0, 3}, {0, 1, 1, 4}, {1, 2, 2, 4}, {2, 0, 3, 4}}
	}
	f := &t.triangle
	copy(h.vertices, f.v[:])
	h.planes[0] = plane{f.n, reproducible.Dot(f.n, f.v[0])}
	for k := range 3 {
		h.planes[k+1] = plane{f.edgeOut[k], reproducible.Dot(f.edgeOut[k], f.v[k])}
	}
	h.planes[prismPlanes-1] = plane{reproducible.Scale(-1, f.n), math.Inf(1)}
}

// each makes each triangle of b that overlaps box, in the axes of b, t.triangle, turned
// towards a, and t.solid, and calls visit with its number until that returns false. Triangles
// that show a their back are left out unless they have two sides.
func (t *meshScratch) each(a, b *solid, box *r3.Box, visit func(i int32) bool) {
	s, done := b.mesh, false
	middle := mulVecT(b.rot, r3.Sub(a.centre(), b.pos))
	t.solid = solid{kind: hullGeometry, pos: b.pos, rot: b.rot, hull: &t.prism}
	s.tree.overlapping(box, func(item int32) {
		if done {
			return
		}
		s.each(item, func(i int32) {
			v := s.corners(i)
			tb := boxOf(v[:])
			behind := reproducible.Dot(reproducible.Cross(r3.Sub(v[1], v[0]), r3.Sub(v[2], v[0])), r3.Sub(middle, v[0])) < 0
			if done || !overlap(box, &tb) || behind && !s.twoSided {
				return
			}
			s.load(i, &t.triangle)
			if behind {
				t.triangle.flip()
			}
			t.asPrism()
			done = !visit(i)
		})
	})
}

// onMesh finds the contacts of the convex solid a with the triangles of b, each as a thin prism. Only normals of the
// surface count: others at inner edges would stop a sliding body.
func (q *convexScratch) onMesh(a, b *solid, motion r3.Vec, margin float64, m *manifold) {
	t := &q.tri
	t.candidates = t.candidates[:0]
	box := boundsIn(a, b, r3.Vec{}, margin)
	t.each(a, b, &box, func(i int32) bool {
		q.candidates = q.candidates[:0]
		q.onTriangle(a, &t.solid, motion, margin)
		t.collect(q.candidates, i)
		return true
	})
	m.reduce(t.candidates, maxPoints)
}

// worldAxes are those of a solid that stands at the origin, not turned.
var worldAxes = solid{rot: &mat3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}

// boundsIn is the box about a and its way along motion, grown by margin, in the axes of b.
func boundsIn(a, b *solid, motion r3.Vec, margin float64) r3.Box {
	var lo, hi [3]float64
	for k := range 3 {
		u := column(b.rot, k)
		way := reproducible.Dot(u, motion)
		lo[k] = reproducible.Dot(u, r3.Sub(a.surfaceSupport(reproducible.Scale(-1, u)), b.pos)) + min(0, way) - margin
		hi[k] = reproducible.Dot(u, r3.Sub(a.surfaceSupport(u), b.pos)) + max(0, way) + margin
	}
	return r3.Box{Min: r3.Vec{X: lo[0], Y: lo[1], Z: lo[2]}, Max: r3.Vec{X: hi[0], Y: hi[1], Z: hi[2]}}
}

// onTriangle appends to q.candidates the contact of a with the triangle b of q.tri.
func (q *convexScratch) onTriangle(a, b *solid, motion r3.Vec, margin float64) {
	axis, ok := q.separatingAxis(a, b, margin)
	if !ok || axis.sep > 0 && missesOrGrazes(a, b, motion, axis.n) {
		return
	}
	t := &q.tri.triangle
	if t.ownsNormal(mulVecT(b.rot, reproducible.Scale(-1, axis.n))) {
		q.addContact(a, b, axis, margin)
		return
	}
	if a.kind == sphereGeometry {
		return
	}
	// The contact with the triangle's face is used if its overlap is near that of the axis. For a body far below the face,
	// or beside it, the axis decides and there is no contact.
	n := reproducible.Scale(-1, mulVec(b.rot, t.n))
	least, _ := a.size()
	if sep := reproducible.Dot(n, r3.Sub(b.support(reproducible.Scale(-1, n)), a.surfaceSupport(n))); sep > margin || sep < -speculation-float64(0.25*least) {
		return
	}
	a.faceToward(n, &q.a)
	b.faceToward(reproducible.Scale(-1, n), &q.b)
	q.addFaceContact(&q.b, &q.a, true, margin)
}

// collect adds the hits on triangle i but those that another triangle has had.
func (t *meshScratch) collect(hits []manifoldPoint, i int32) {
	const same = 1e-4 // m and rad
	for _, h := range hits {
		known := false
		for k := range t.candidates {
			o := &t.candidates[k]
			if reproducible.Norm2(r3.Sub(o.pos, h.pos)) < same*same && reproducible.Norm2(r3.Sub(o.normal, h.normal)) < same*same {
				known = true
				break
			}
		}
		if !known && finite(h.sep) && !math.IsNaN(h.normal.X) {
			h.id ^= uint32(i+1) * 0x9e3779b1 // spreads the triangles over the features
			t.candidates = append(t.candidates, h)
		}
	}
}
