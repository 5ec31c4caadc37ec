package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// axisSeparation is an axis between two solids: the unit vector from a to b, in the world, and
// the distance by which their projections on it are apart, m; negative if they overlap.
type axisSeparation struct {
	n            r3.Vec
	sep          float64
	edges        bool // it is square to an edge of each: edgeA and edgeB
	edgeA, edgeB int
}

// satScratch holds hull b in the axes of hull a.
type satScratch struct {
	vertices [MaxHullVertices]r3.Vec
	normals  [2 * MaxHullVertices]r3.Vec
}

// hulls finds the axis of least overlap of two polyhedra: normals of faces, and cross
// products of those pairs of edges that make a face of the Minkowski difference. False if
// they are farther apart than margin. Source: Gregorius 2013, "The Separating Axis Test
// between Convex Polyhedra".
func (q *satScratch) hulls(a, b *solid, margin float64) (axisSeparation, bool) {
	at := transpose(a.rot)
	r := mulMat(&at, b.rot)
	t := mulVecT(a.rot, r3.Sub(b.pos, a.pos))
	ha, hb := a.hull, b.hull
	verts := q.vertices[:len(hb.vertices)]
	for i, v := range hb.vertices {
		verts[i] = r3.Add(t, mulVec(&r, v))
	}
	faceA, sepA := -1, math.Inf(-1)
	for i := range ha.planes {
		f := &ha.planes[i]
		low := math.Inf(1)
		for _, v := range verts {
			low = min(low, reproducible.Dot(f.normal, v))
		}
		if s := low - f.offset; s > sepA {
			faceA, sepA = i, s
		}
	}
	if sepA > margin {
		return axisSeparation{}, false
	}
	faceB, sepB := -1, math.Inf(-1)
	for i := range hb.planes {
		n := mulVec(&r, hb.planes[i].normal)
		q.normals[i] = n
		low := math.Inf(1)
		for _, v := range ha.vertices {
			low = min(low, reproducible.Dot(n, v))
		}
		if s := low - reproducible.Dot(n, t) - hb.planes[i].offset; s > sepB {
			faceB, sepB = i, s
		}
	}
	if sepB > margin {
		return axisSeparation{}, false
	}
	out := q.edgePairs(ha, hb, verts)
	switch {
	case out.sep > margin:
		return axisSeparation{}, false
	case out.sep > max(sepA, sepB)+edgeBias:
	case sepB > sepA+faceBias:
		out = axisSeparation{n: reproducible.Scale(-1, q.normals[faceB]), sep: sepB}
	default:
		out = axisSeparation{n: ha.planes[faceA].normal, sep: sepA}
	}
	out.n = mulVec(a.rot, out.n)
	return out, true
}

// edgePairs is the axis that separates most among the cross products of edges, in the axes
// of a. Only edges whose arcs on the Gauss maps cross make a face.
func (q *satScratch) edgePairs(ha, hb *hull, verts []r3.Vec) axisSeparation {
	out := axisSeparation{sep: math.Inf(-1), edges: true}
	for i, ea := range ha.edges {
		pa := ha.vertices[ea.a]
		u := r3.Sub(ha.vertices[ea.b], pa)
		nl, nr := ha.planes[ea.left].normal, ha.planes[ea.right].normal
		for j, eb := range hb.edges {
			ml, mr := q.normals[eb.left], q.normals[eb.right]
			cba, dba := reproducible.Dot(ml, u), reproducible.Dot(mr, u)
			if cba*dba >= 0 {
				continue
			}
			v := r3.Sub(verts[eb.b], verts[eb.a])
			adc, bdc := reproducible.Dot(nl, v), reproducible.Dot(nr, v)
			if adc*bdc >= 0 || cba*bdc >= 0 {
				continue
			}
			n := reproducible.Cross(u, v)
			l2 := reproducible.Norm2(n)
			if l2 < 1e-4*reproducible.Norm2(u)*reproducible.Norm2(v) { // nearly parallel: faces separate as well
				continue
			}
			if reproducible.Dot(n, r3.Add(nl, nr)) < 0 {
				l2 = -l2
			}
			n = reproducible.Scale(math.Copysign(1/math.Sqrt(math.Abs(l2)), l2), n)
			if s := reproducible.Dot(n, r3.Sub(verts[eb.a], pa)); s > out.sep {
				out.n, out.sep, out.edgeA, out.edgeB = n, s, i, j
			}
		}
	}
	return out
}

// deepestAxis is the axis of least overlap of two solids whose cores overlap, among the normals
// of faces, the axes of round solids, and the cross products of edges and axes: all there
// are for polyhedra and capsules, enough for a cylinder, which is seldom so deep.
func deepestAxis(a, b *solid) axisSeparation {
	out := axisSeparation{sep: math.Inf(-1)}
	try := func(n r3.Vec) {
		l := reproducible.Norm(n)
		if !(l > 1e-9) {
			return
		}
		n = reproducible.Scale(1/l, n)
		for range 2 {
			if s := reproducible.Dot(n, r3.Sub(b.surfaceSupport(reproducible.Scale(-1, n)), a.surfaceSupport(n))); s > out.sep {
				out.n, out.sep = n, s
			}
			n = reproducible.Scale(-1, n)
		}
	}
	for _, s := range [2]*solid{a, b} {
		for i := range s.faces() {
			try(s.faceNormal(i))
		}
	}
	for i := range a.directions() {
		u := a.direction(i)
		for j := range b.directions() {
			try(reproducible.Cross(u, b.direction(j)))
		}
	}
	if d := r3.Sub(b.pos, a.pos); out.sep == math.Inf(-1) || a.hull == nil && b.hull == nil {
		try(d)
		try(r3.Vec{Y: 1})
	}
	return out
}

// refine turns the axis of two overlapping solids to a local minimum of their overlap, by gradient steps on the sphere.
// The gradient is the offset of the two support points across the axis.
func (axis *axisSeparation) refine(a, b *solid) {
	step := 0.1 // rad
	for range 16 {
		w := r3.Sub(b.surfaceSupport(reproducible.Scale(-1, axis.n)), a.surfaceSupport(axis.n))
		across := r3.Sub(w, reproducible.Scale(reproducible.Dot(w, axis.n), axis.n))
		l := reproducible.Norm(across)
		if l < 1e-9 {
			return
		}
		n := unit(r3.Add(axis.n, reproducible.Scale(step/l, across)))
		if s := reproducible.Dot(n, r3.Sub(b.surfaceSupport(reproducible.Scale(-1, n)), a.surfaceSupport(n))); s > axis.sep {
			axis.n, axis.sep = n, s
		} else {
			step /= 2
		}
	}
}

// surfaceSupport is the point of the solid, not of its core, farthest along the unit vector n.
func (s *solid) surfaceSupport(n r3.Vec) r3.Vec {
	if s.kind == cylinderGeometry {
		full := *s
		full.half = s.full()
		return full.support(n)
	}
	return r3.Add(s.support(n), reproducible.Scale(s.radius, n))
}

// full is the radius and half the height of a cylinder itself.
func (s *solid) full() r3.Vec { return r3.Add(s.half, r3.Vec{X: s.radius, Y: s.radius}) }

func (s *solid) axis() r3.Vec { return column(s.rot, 1) }

func (s *solid) faces() int {
	switch {
	case s.hull != nil:
		return len(s.hull.planes)
	case s.kind == cylinderGeometry:
		return 1
	}
	return 0
}

func (s *solid) faceNormal(i int) r3.Vec {
	if s.hull != nil {
		return mulVec(s.rot, s.hull.planes[i].normal)
	}
	return s.axis()
}

// directions of edges, the axis of a round solid among them.
func (s *solid) directions() int {
	switch {
	case s.hull != nil:
		return len(s.hull.edges)
	case s.half.Y > 0:
		return 1
	}
	return 0
}

func (s *solid) direction(i int) r3.Vec {
	if s.hull == nil {
		return s.axis()
	}
	e := s.hull.edges[i]
	return mulVec(s.rot, r3.Sub(s.hull.vertices[e.b], s.hull.vertices[e.a]))
}
