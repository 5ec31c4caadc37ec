package physics

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// geometry codes a geometry. The function of an SDF is that of the shape old, which has the same ID in the present world.
func (s *snapshot) geometry(g *Geometry, old *shape) {
	integer(s.codec, &g.kind, int(sphereGeometry), int(geometryKinds)-1)
	s.vecs(&g.half, &g.centre)
	s.numbers(&g.radius, &g.wall, &g.turn.Real, &g.turn.Imag, &g.turn.Jmag, &g.turn.Kmag)
	s.require(g.turn == quat.Number{} || unitRotation(g.turn) == g.turn, "a turn that is no rotation")
	switch g.kind {
	case hullGeometry:
		s.hull(g)
	case meshGeometry:
		s.surface(g)
	case halfSpaceGeometry:
		s.vecs(&g.normal)
		s.require(within(reproducible.Norm2(g.normal), 1-1e-6, 1+1e-6), "a normal that is no unit")
	case sdfGeometry:
		s.box(&g.bounds)
		if !s.reading || s.err != nil {
			return
		}
		if old == nil || old.def.Geometry.kind != sdfGeometry || old.def.Geometry.bounds != g.bounds {
			s.err = fmt.Errorf("%w: the world has no SDF with the bounds %v in the place of the one that was saved", ErrNotSaved, g.bounds)
			return
		}
		g.dist = old.def.Geometry.dist
	}
}

// hull codes the vertices and the loops of the faces: the rest follows.
func (s *snapshot) hull(g *Geometry) {
	if s.reading {
		g.hull = &hull{}
	}
	h := g.hull
	list(s.codec, &h.vertices, MaxHullVertices, 24, func(v *r3.Vec) {
		s.vecs(v)
		s.require(near(*v), "a corner too far out")
	})
	list(s.codec, &h.first, 2*MaxHullVertices+1, 4, func(i *uint16) { integer(s.codec, i, 0, 1<<16-1) })
	list(s.codec, &h.loop, 1<<16-1, 4, func(i *uint8) { integer(s.codec, i, 0, len(h.vertices)-1) })
	if s.reading && s.err == nil {
		s.require(h.rebuilt(), "a hull that is none")
	}
}

// rebuilt completes a hull of which vertices and loops are given. It reports whether these are
// such as buildHull makes: faces flat and convex up to what it merges.
func (h *hull) rebuilt() bool {
	if len(h.vertices) < 4 || len(h.first) < 5 || h.first[0] != 0 || int(h.first[len(h.first)-1]) != len(h.loop) {
		return false
	}
	for i := range h.first[1:] {
		if h.first[i+1] < h.first[i]+3 || int(h.first[i+1]) > len(h.loop) {
			return false
		}
	}
	size := boxOf(h.vertices).Size()
	extent := max(size.X, size.Y, size.Z)
	if !h.complete() || h.width < minSize {
		return false
	}
	for i := range h.planes {
		f, n := h.face(i), h.planes[i].normal
		for k, a := range f {
			p, q, r := h.vertices[a], h.vertices[f[(k+1)%len(f)]], h.vertices[f[(k+2)%len(f)]]
			if h.planes[i].above(p) < -4*mergeShare*extent || reproducible.Dot(n, reproducible.Cross(r3.Sub(q, p), r3.Sub(r, q))) < -mergeShare*extent*extent {
				return false
			}
		}
	}
	return true
}

// surface codes the MeshDef or HeightFieldDef: welding twice changes nothing.
func (s *snapshot) surface(g *Geometry) {
	var mesh MeshDef
	var field HeightFieldDef
	isField := false
	if f := g.surface; f != nil {
		mesh = MeshDef{Vertices: f.vertices, Triangles: f.triangles, TwoSided: f.twoSided}
		if isField = f.field != nil; isField {
			field = HeightFieldDef(*f.field)
		}
	}
	if s.flags(&isField, &mesh.TwoSided); isField {
		integer(s.codec, &field.Columns, 2, maxTriangles)
		integer(s.codec, &field.Rows, 2, maxTriangles)
		s.numbers(&field.SpacingX, &field.SpacingZ)
		list(s.codec, &field.Heights, maxSnapshot, 8, func(h *float64) { s.numbers(h) })
	} else {
		list(s.codec, &mesh.Vertices, maxTriangles, 24, func(v *r3.Vec) { s.vecs(v) })
		list(s.codec, &mesh.Triangles, maxTriangles, 12, func(t *[3]int32) {
			for k := range t {
				integer(s.codec, &t[k], 0, len(mesh.Vertices)-1)
			}
		})
	}
	switch {
	case !s.reading || s.err != nil:
		return
	case isField:
		*g = HeightField(field)
	default:
		mesh.Open = true // holes that were to be closed are
		var limit string
		g.surface, limit = newMesh(mesh, true)
		g.flaw = checkField(limit == "", "Mesh: def", any(nil), limit)
	}
	s.require(g.flaw == nil, "a surface that is none")
}
