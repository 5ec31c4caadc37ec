package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// solid is a part in the world.
type solid struct {
	kind   geometryKind
	pos    r3.Vec
	rot    *mat3
	half   r3.Vec  // as in part
	radius float64 // by which a round solid exceeds its core, m
	hull   *hull
	normal r3.Vec // half-space: world
	dist   func(dst []float32, pts []r3.Vec)
	mesh   *surface
}

func (s *shape) solid(k uint8) solid {
	p, g := &s.parts[k], &s.def.Geometry
	out := solid{kind: p.kind, pos: s.pos, rot: &s.rot, half: p.half, radius: p.radius, hull: p.hull, dist: g.dist, mesh: g.surface}
	if p.offset != (r3.Vec{}) {
		out.pos = r3.Add(s.pos, mulVec(&s.rot, p.offset))
	}
	if p.kind == halfSpaceGeometry {
		out.normal = mulVec(&s.rot, g.normal)
	}
	return out
}

// centre is a point inside a convex solid.
func (s *solid) centre() r3.Vec {
	if s.hull == nil {
		return s.pos
	}
	return r3.Add(s.pos, mulVec(s.rot, s.hull.centre))
}

// collider adds to m the points of contact of a and b nearer than margin, a moving by motion
// against b within the step, m.
type collider func(w *World, a, b *solid, motion r3.Vec, margin float64, m *manifold)

// colliders has one for each pair of kinds that can meet, the first kind not above the second.
var colliders = func() (t [geometryKinds][geometryKinds]collider) {
	for a := sphereGeometry; a <= hullGeometry; a++ {
		for b := a; b <= hullGeometry; b++ {
			t[a][b] = func(w *World, a, b *solid, _ r3.Vec, margin float64, m *manifold) {
				w.pairing.convex(a, b, margin, m)
			}
		}
		t[a][halfSpaceGeometry] = func(w *World, a, b *solid, _ r3.Vec, margin float64, m *manifold) {
			w.pairing.halfSpace(a, b, margin, m)
		}
		t[a][sdfGeometry] = func(w *World, a, b *solid, _ r3.Vec, margin float64, m *manifold) {
			w.sdf.collide(a, b, margin, m)
		}
	}
	for a := sphereGeometry; a <= hullGeometry; a++ {
		t[a][meshGeometry] = func(w *World, a, b *solid, motion r3.Vec, margin float64, m *manifold) {
			w.pairing.onMesh(a, b, motion, margin, m)
		}
	}
	// The most frequent pairs have colliders of their own.
	t[sphereGeometry][sphereGeometry] = func(_ *World, a, b *solid, _ r3.Vec, margin float64, m *manifold) {
		sphereSphere(a, b, margin, m)
	}
	t[sphereGeometry][boxGeometry] = func(_ *World, a, b *solid, _ r3.Vec, margin float64, m *manifold) {
		sphereBox(a, b, margin, m)
	}
	t[boxGeometry][boxGeometry] = func(_ *World, a, b *solid, _ r3.Vec, margin float64, m *manifold) {
		boxBox(a, b, margin, m)
	}
	return t
}()

// collides reports whether contacts are found between two geometries.
func collides(a, b geometryKind) bool {
	convex := func(k geometryKind) geometryKind {
		if k == openBoxGeometry {
			return boxGeometry
		}
		return k
	}
	a, b = convex(a), convex(b)
	return colliders[min(a, b)][max(a, b)] != nil
}

// grazingDepth, m, is the depth that a fast body must be about to reach for a hit. Less counts as grazing, as at the
// seam of a floor, which must not stop a sliding body.
const grazingDepth = 5e-3

// collide adds to m the points of contact of a and b that may close within the step, in which
// a moves by motion against b, m.
func (w *World) collide(a, b *solid, motion r3.Vec, m *manifold) {
	flip := a.kind > b.kind
	if flip {
		a, b, motion = b, a, reproducible.Scale(-1, motion)
	}
	colliders[a.kind][b.kind](w, a, b, motion, speculation+reproducible.Norm(motion), m)
	if b.kind <= hullGeometry && m.n > 0 && m.deepest() > 0 && missesOrGrazes(a, b, motion, m.points[0].normal) {
		m.n = 0
	}
	if flip {
		for i := range m.points[:m.n] {
			h := &m.points[i]
			h.normal = reproducible.Scale(-1, h.normal)
			h.roundA, h.roundB = h.roundB, h.roundA
		}
	}
}

func sphereSphere(a, b *solid, margin float64, m *manifold) {
	d := r3.Sub(b.pos, a.pos)
	l := reproducible.Norm(d)
	sep := l - a.radius - b.radius
	if sep > margin {
		return
	}
	n := r3.Vec{Y: 1} // any will do for concentric spheres
	if l > 1e-12 {
		n = reproducible.Scale(1/l, d)
	}
	m.add(manifoldPoint{pos: r3.Add(a.pos, reproducible.Scale(a.radius+float64(sep/2), n)), normal: n, sep: sep, roundA: a.radius, roundB: b.radius})
}

func sphereBox(a, b *solid, margin float64, m *manifold) {
	p := mulVecT(b.rot, r3.Sub(a.pos, b.pos))
	q := maxVec(reproducible.Scale(-1, b.half), minVec(p, b.half))
	d := r3.Sub(q, p)
	l := reproducible.Norm(d)
	sep := l - a.radius
	if sep > margin {
		return
	}
	if l > 1e-12 {
		d = reproducible.Scale(1/l, d)
	} else {
		// The centre is inside: out through the nearest face.
		axis, depth := nearestFace(p, b.half)
		d, sep = reproducible.Scale(-1, axis), -depth-a.radius
	}
	n := mulVec(b.rot, d)
	m.add(manifoldPoint{pos: r3.Add(a.pos, reproducible.Scale(a.radius+float64(sep/2), n)), normal: n, sep: sep, roundA: a.radius})
}

// nearestFace is the outward normal of the face of a box nearest to p inside it, and how far
// p is from it.
func nearestFace(p, half r3.Vec) (normal r3.Vec, depth float64) {
	e := r3.Sub(half, absVec(p))
	switch {
	case e.X <= e.Y && e.X <= e.Z:
		return r3.Vec{X: math.Copysign(1, p.X)}, e.X
	case e.Y <= e.Z:
		return r3.Vec{Y: math.Copysign(1, p.Y)}, e.Y
	}
	return r3.Vec{Z: math.Copysign(1, p.Z)}, e.Z
}

// halfSpace finds which vertices of a, or points of a round solid's underside, are below b.
func (q *convexScratch) halfSpace(a, b *solid, margin float64, m *manifold) {
	n := reproducible.Scale(-1, b.normal)
	q.a.n, q.a.face, q.a.radius, q.a.curve = 0, 0, 0, 0
	if a.hull == nil {
		a.faceToward(n, &q.a)
	} else {
		for _, v := range a.hull.vertices {
			q.a.put(r3.Add(a.pos, mulVec(a.rot, v)))
		}
	}
	q.candidates = q.candidates[:0]
	for _, v := range q.a.points[:q.a.n] {
		sep := reproducible.Dot(b.normal, r3.Sub(v.p, b.pos)) - q.a.radius
		if sep <= margin {
			pos := r3.Add(v.p, reproducible.Scale(q.a.radius+float64(sep/2), n))
			q.candidates = append(q.candidates, manifoldPoint{pos: pos, normal: n, sep: sep, id: q.a.face<<8 | v.id, roundA: q.a.curve})
		}
	}
	m.reduce(q.candidates, 4)
}

// boxCorner is corner k of the box of half extents h; the bits of k choose the sides.
func boxCorner(h r3.Vec, k uint32) r3.Vec {
	if k&1 == 0 {
		h.X = -h.X
	}
	if k&2 == 0 {
		h.Y = -h.Y
	}
	if k&4 == 0 {
		h.Z = -h.Z
	}
	return h
}
