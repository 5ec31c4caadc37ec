package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// solid is a part in the world.
type solid struct {
	kind   geometryKind
	pos    r3.Vec
	rot    *mat3
	half   r3.Vec
	radius float64
	normal r3.Vec // half-space: world
	dist   func(dst []float32, pts []r3.Vec)
}

func (s *shape) solid(k uint8) solid {
	p, g := &s.parts[k], &s.def.Geometry
	out := solid{kind: p.kind, pos: s.pos, rot: &s.rot, half: p.half, radius: g.radius, dist: g.dist}
	if p.offset != (r3.Vec{}) {
		out.pos = r3.Add(s.pos, mulVec(&s.rot, p.offset))
	}
	if p.kind == halfSpaceGeometry {
		out.normal = mulVec(&s.rot, g.normal)
	}
	return out
}

// collide adds to m the points of contact of a and b that may close within the step, in which
// a moves by motion against b, m.
func (w *World) collide(a, b *solid, motion r3.Vec, m *manifold) {
	flip := a.kind > b.kind
	if flip {
		a, b, motion = b, a, r3.Scale(-1, motion)
	}
	margin := speculation + r3.Norm(motion)
	switch {
	case a.kind == sphereGeometry && b.kind == sphereGeometry:
		sphereSphere(a, b, margin, m)
	case a.kind == sphereGeometry && b.kind == boxGeometry:
		sphereBox(a, b, motion, margin, m)
	case a.kind == sphereGeometry && b.kind == halfSpaceGeometry:
		sphereHalfSpace(a, b, margin, m)
	case a.kind == sphereGeometry && b.kind == sdfGeometry:
		w.sdf.sphere(a, b, margin, m)
	case a.kind == boxGeometry && b.kind == boxGeometry:
		boxBox(a, b, margin, m)
	case a.kind == boxGeometry && b.kind == halfSpaceGeometry:
		boxHalfSpace(a, b, margin, m)
	case a.kind == boxGeometry && b.kind == sdfGeometry:
		w.sdf.box(a, b, margin, m)
	}
	if flip {
		for i := range m.hits[:m.n] {
			m.hits[i].normal = r3.Scale(-1, m.hits[i].normal)
		}
	}
}

func sphereSphere(a, b *solid, margin float64, m *manifold) {
	d := r3.Sub(b.pos, a.pos)
	l := r3.Norm(d)
	sep := l - a.radius - b.radius
	if sep > margin {
		return
	}
	n := r3.Vec{Y: 1} // any will do for concentric spheres
	if l > 1e-12 {
		n = r3.Scale(1/l, d)
	}
	m.add(hit{pos: r3.Add(a.pos, r3.Scale(a.radius+sep/2, n)), normal: n, sep: sep})
}

func sphereHalfSpace(a, b *solid, margin float64, m *manifold) {
	sep := r3.Dot(b.normal, r3.Sub(a.pos, b.pos)) - a.radius
	if sep <= margin {
		n := r3.Scale(-1, b.normal)
		m.add(hit{pos: r3.Add(a.pos, r3.Scale(a.radius+sep/2, n)), normal: n, sep: sep})
	}
}

func sphereBox(a, b *solid, motion r3.Vec, margin float64, m *manifold) {
	p := mulVecT(b.rot, r3.Sub(a.pos, b.pos))
	q := maxVec(r3.Scale(-1, b.half), minVec(p, b.half))
	d := r3.Sub(q, p)
	l := r3.Norm(d)
	sep := l - a.radius
	if sep > margin || sep > 0 && margin > 2*speculation && passes(p, mulVecT(b.rot, motion), b.half, a.radius) {
		return
	}
	if l > 1e-12 {
		d = r3.Scale(1/l, d)
	} else {
		// The centre is inside: out through the nearest face.
		axis, depth := nearestFace(p, b.half)
		d, sep = r3.Scale(-1, axis), -depth-a.radius
	}
	n := mulVec(b.rot, d)
	m.add(hit{pos: r3.Add(a.pos, r3.Scale(a.radius+sep/2, n)), normal: n, sep: sep})
}

// grazing, m: how deep a fast body must be going to hit what it is not in yet. Less is the
// seam of a floor, at which it must not stumble.
const grazing = 5e-3

// passes reports whether a ball at p misses, or only grazes, a box about the origin on its
// way along motion. The distance to a convex body is convex along a line, so that ternary
// search finds the least.
func passes(p, motion, half r3.Vec, radius float64) bool {
	at := func(t float64) float64 { return boxDistance(r3.Add(p, r3.Scale(t, motion)), half) }
	lo, hi := 0.0, 1.0
	for range 24 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if at(a) < at(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return at((lo+hi)/2) > radius-min(grazing, 0.2*radius)
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

func boxHalfSpace(a, b *solid, margin float64, m *manifold) {
	for id := range uint32(8) {
		p := a.corner(id)
		if sep := r3.Dot(b.normal, r3.Sub(p, b.pos)); sep <= margin {
			m.add(hit{pos: r3.Sub(p, r3.Scale(sep/2, b.normal)), normal: r3.Scale(-1, b.normal), sep: sep, id: id})
		}
	}
}

// corner is the world position of corner k of a box; the bits of k choose the sides.
func (s *solid) corner(k uint32) r3.Vec {
	h := s.half
	if k&1 == 0 {
		h.X = -h.X
	}
	if k&2 == 0 {
		h.Y = -h.Y
	}
	if k&4 == 0 {
		h.Z = -h.Z
	}
	return r3.Add(s.pos, mulVec(s.rot, h))
}
