package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// surface is a triangle mesh or a height field: what a static body of any form is made of.
// Its tree's items are the triangles of a mesh, the blocks of a field.
type surface struct {
	tree        bvh
	bounds      r3.Box
	twoSided    bool
	closed      bool    // it has an inside
	usesWinding bool    // the inside needs winding numbers: pieces overlap, or more than two triangles share an edge
	pieces      int     // connected ones, of a closed mesh
	wall        float64 // the thinnest of a closed mesh, m

	vertices  []r3.Vec   // of a mesh
	normals   []r3.Vec   // of its vertices: sums of those of the triangles, weighted by angle
	triangles [][3]int32 // counterclockwise from outside
	across    [][3]int32 // the triangle across edge k, from corner k to k+1, or -1

	field *heightField
}

// triangle is one of a surface, in its axes.
type triangle struct {
	v        [3]r3.Vec
	n        r3.Vec     // unit
	edgeOut  [3]r3.Vec  // in its plane, outward across edge k, unit
	fold     [3]float64 // dihedral angle by which the surface bends back across edge k, rad: negative at a concave edge
	corners  [3]r3.Vec  // normals of the surface at the corners, of any length
	adjacent [3]r3.Vec  // normals of the triangles across the edges; zero if there is none
}

// load fills t with triangle i.
func (s *surface) load(i int32, t *triangle) {
	t.v = s.corners(i)
	t.n = triangleNormal(&t.v)
	for k := range 3 {
		t.edgeOut[k] = unit(reproducible.Cross(r3.Sub(t.v[(k+1)%3], t.v[k]), t.n))
		t.adjacent[k], t.fold[k] = r3.Vec{}, math.Pi/2
		if s.twoSided {
			t.fold[k] = math.Pi
		}
		if j := s.acrossEdge(i, k); j >= 0 {
			v := s.corners(j)
			t.adjacent[k] = triangleNormal(&v)
			t.fold[k] = reproducible.PreciseAtan2(reproducible.Dot(t.adjacent[k], t.edgeOut[k]), reproducible.Dot(t.adjacent[k], t.n))
		}
		t.corners[k] = s.cornerNormal(i, k)
	}
}

func triangleNormal(v *[3]r3.Vec) r3.Vec {
	return unit(reproducible.Cross(r3.Sub(v[1], v[0]), r3.Sub(v[2], v[0])))
}

func (s *surface) corners(i int32) [3]r3.Vec {
	if s.field != nil {
		return s.field.corners(i)
	}
	t := s.triangles[i]
	return [3]r3.Vec{s.vertices[t[0]], s.vertices[t[1]], s.vertices[t[2]]}
}

func (s *surface) acrossEdge(i int32, k int) int32 {
	if s.field != nil {
		return s.field.acrossEdge(i, k)
	}
	return s.across[i][k]
}

// cornerNormal is a vector out of the surface at corner k of triangle i.
func (s *surface) cornerNormal(i int32, k int) r3.Vec {
	if s.field != nil {
		return r3.Vec{Y: 1}
	}
	return s.normals[s.triangles[i][k]]
}

// each calls visit with the triangles of an item of the tree.
func (s *surface) each(item int32, visit func(i int32)) {
	if s.field != nil {
		s.field.each(item, visit)
		return
	}
	visit(item)
}

// flip turns the triangle over.
func (t *triangle) flip() {
	t.v[1], t.v[2] = t.v[2], t.v[1]
	t.n = reproducible.Scale(-1, t.n)
	t.edgeOut[0], t.edgeOut[2] = t.edgeOut[2], t.edgeOut[0]
	t.fold[0], t.fold[2] = t.fold[2], t.fold[0]
	for k := range 3 {
		if t.fold[k] < math.Pi { // π is a free edge, from either side
			t.fold[k] = -t.fold[k]
		}
	}
}

// ownsNormal reports whether the unit vector n, from the triangle's nearest point to another solid, is within the
// triangle's normal cone. A normal that leans over an edge beyond the surface's fold belongs to the triangle across it.
func (t *triangle) ownsNormal(n r3.Vec) bool {
	const slack = 1e-3 // rad
	up := reproducible.Dot(n, t.n)
	for k := range 3 {
		if over := reproducible.Dot(n, t.edgeOut[k]); over > 0 && reproducible.PreciseAtan2(over, up) > max(0, t.fold[k])+slack {
			return false
		}
	}
	return up > -slack
}

// nearest is the point of the triangle nearest to p, and a vector out of the surface there:
// p is outside if it is on that side (Bærentzen, Aanæs 2005).
func (t *triangle) nearest(p r3.Vec) (q, normal r3.Vec) {
	v := [4]r3.Vec{r3.Sub(t.v[0], p), r3.Sub(t.v[1], p), r3.Sub(t.v[2], p)}
	k, w, n := nearestOfTriangle(&v, 0, 1, 2)
	for i := range n {
		q = r3.Add(q, reproducible.Scale(w[i], t.v[k[i]]))
	}
	switch n {
	case 1:
		return q, t.corners[k[0]]
	case 2:
		e := k[0] // the edge starts at its first corner, the one from 2 to 0 at 2
		if k[0] == 0 && k[1] == 2 {
			e = 2
		}
		return q, r3.Add(t.n, t.adjacent[e])
	}
	return q, t.n
}

// nearestTriangle is the distance of the local point p to the nearest triangle, the point of
// it there, and its number.
func (s *surface) nearestTriangle(p r3.Vec) (best float64, at r3.Vec, found int32) {
	best = math.Inf(1)
	s.tree.nearest(p, best, func(item int32) float64 {
		s.each(item, func(i int32) {
			v := s.corners(i)
			u := [4]r3.Vec{r3.Sub(v[0], p), r3.Sub(v[1], p), r3.Sub(v[2], p)}
			k, w, n := nearestOfTriangle(&u, 0, 1, 2)
			var d r3.Vec
			for j := range n {
				d = r3.Add(d, reproducible.Scale(w[j], u[k[j]]))
			}
			if l := reproducible.Norm(d); l < best {
				best, at, found = l, r3.Add(p, d), i
			}
		})
		return best
	})
	return best, at, found
}

// distance is the signed distance of the local point p: of a field and of a closed mesh exact, but told too
// short inside where pieces of it overlap; of an open mesh, which has no inside, that to its nearest triangle.
func (s *surface) distance(p r3.Vec) float64 {
	best, _, i := s.nearestTriangle(p)
	switch {
	case s.field != nil:
		return s.field.signed(p, best)
	case !s.closed:
		return best
	case s.usesWinding:
		if s.winding(p) > 0 {
			return -best
		}
		return best
	}
	var t triangle
	s.load(i, &t)
	q, normal := t.nearest(p)
	return math.Copysign(best, reproducible.Dot(normal, r3.Sub(p, q)))
}
