package physics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// sdfScratch evaluates a signed-distance function at points of convex solids.
type sdfScratch struct {
	pts        [maxSamples]r3.Vec
	world      [maxSamples]r3.Vec
	out        [maxSamples]float32
	candidates []manifoldPoint
}

// maxSamples of one solid: vertices, and middles of faces and edges, of the largest hull.
const maxSamples = 6 * MaxHullVertices

// rimSamples is the number of points about each end of a cylinder.
const rimSamples = 12

// onRim is where they are, on a cylinder of radius 1.
var onRim = circle(rimSamples)

// put appends the local point p of s to the world points.
func (q *sdfScratch) put(s *solid, n int, p r3.Vec) int {
	q.world[n] = r3.Add(s.pos, mulVec(s.rot, p))
	return n + 1
}

// sample lists points of the surface of s, or of the core of a ball or capsule. Corners come first: on flat ground they
// alone should bear the load. lowest: the unit vector towards the other solid.
func (q *sdfScratch) sample(s *solid, lowest r3.Vec) (n int) {
	switch {
	case s.hull != nil:
		h := s.hull
		for _, v := range h.vertices {
			n = q.put(s, n, v)
		}
		for _, e := range h.edges {
			n = q.put(s, n, reproducible.Scale(0.5, r3.Add(h.vertices[e.a], h.vertices[e.b])))
		}
		for i := range h.planes {
			var c r3.Vec
			f := h.face(i)
			for _, v := range f {
				c = r3.Add(c, reproducible.Scale(1/float64(len(f)), h.vertices[v]))
			}
			n = q.put(s, n, c)
		}
	case s.kind == cylinderGeometry:
		// The first of each rim is its lowest, so that it rolls on the same points.
		full, l := s.full(), mulVecT(s.rot, lowest)
		cos, sin := 1.0, 0.0
		if rim := hypot(l.X, l.Z); rim > 1e-3 {
			cos, sin = l.X/rim, l.Z/rim
		}
		for _, y := range [3]float64{-full.Y, full.Y, 0} {
			for _, p := range onRim {
				x, z := turned(p[0], p[1], cos, sin)
				n = q.put(s, n, r3.Vec{X: full.X * x, Y: y, Z: full.X * z})
			}
		}
		n = q.put(s, n, r3.Vec{Y: -full.Y})
		n = q.put(s, n, r3.Vec{Y: full.Y})
	case s.kind == capsuleGeometry:
		for _, t := range [5]float64{-1, 1, -0.5, 0, 0.5} {
			n = q.put(s, n, r3.Vec{Y: t * s.half.Y})
		}
	default:
		n = q.put(s, n, r3.Vec{})
	}
	return n
}

// clamp is the point of the solid, or of the core of a ball or capsule, nearest to the local
// point p; of a hull a point near it.
func (s *solid) clamp(p r3.Vec) r3.Vec {
	switch s.kind {
	case boxGeometry:
		return maxVec(reproducible.Scale(-1, s.half), minVec(p, s.half))
	case hullGeometry:
		for range 4 {
			for i := range s.hull.planes {
				f := &s.hull.planes[i]
				p = r3.Sub(p, reproducible.Scale(max(0, f.above(p)), f.normal))
			}
		}
		return p
	case cylinderGeometry:
		full := s.full()
		if r := hypot(p.X, p.Z); r > full.X {
			p.X, p.Z = p.X*full.X/r, p.Z*full.X/r
		}
		p.Y = max(-full.Y, min(p.Y, full.Y))
		return p
	}
	return r3.Vec{Y: max(-s.half.Y, min(p.Y, s.half.Y))}
}

// round is the radius of a solid whose samples are those of its core.
func (s *solid) round() float64 {
	if s.kind == sphereGeometry || s.kind == capsuleGeometry {
		return s.radius
	}
	return 0
}

// size is the half of the least and of the largest extent of the solid about its middle, m.
func (s *solid) size() (least, most float64) {
	switch {
	case s.kind == boxGeometry:
		return smallest(s.half), reproducible.Norm(s.half)
	case s.hull != nil:
		return s.hull.width / 2, reproducible.Norm(s.hull.bounds.Size())
	case s.kind == cylinderGeometry:
		full := s.full()
		return min(full.X, full.Y), reproducible.Norm(full)
	}
	return s.radius, s.half.Y + s.radius
}

// at is the distance of the points k < n of q.pts, moved from the world into the axes of s.
func (q *sdfScratch) at(s *solid, n int) []float32 {
	for k := range q.pts[:n] {
		q.pts[k] = mulVecT(s.rot, r3.Sub(q.pts[k], s.pos))
	}
	s.dist(q.out[:n], q.pts[:n])
	return q.out[:n]
}

// gradient is the world gradient of the distance at the world point p by central
// differences of width e, m.
func (q *sdfScratch) gradient(s *solid, p r3.Vec, e float64) r3.Vec {
	for k := range 3 {
		d := reproducible.Scale(e, column(s.rot, k))
		q.pts[2*k], q.pts[2*k+1] = r3.Add(p, d), r3.Sub(p, d)
	}
	out := q.at(s, 6)
	g := r3.Vec{X: float64(out[0] - out[1]), Y: float64(out[2] - out[3]), Z: float64(out[4] - out[5])}
	return mulVec(s.rot, reproducible.Scale(1/(2*e), g))
}

// normal is the unit vector into the solid at p; ok is false where the gradient is near 0 or not finite.
func (q *sdfScratch) normal(s *solid, p r3.Vec, e float64) (n r3.Vec, ok bool) {
	g := q.gradient(s, p, e)
	l := reproducible.Norm(g)
	return reproducible.Scale(-1/l, g), l > 1e-3 && finite(l)
}

// width of the differences for a part of size h, m: small against the part, large against
// the rounding of float32 distances.
func width(h float64) float64 { return max(1e-2*h, 1e-4) }

// collide finds where the convex solid a meets the solid b: at its sample points, and at the
// deepest point of it, which a descent from the deepest sample finds.
func (q *sdfScratch) collide(a, b *solid, margin float64, m *manifold) {
	least, most := a.size()
	var lowest r3.Vec
	if a.kind == cylinderGeometry {
		lowest, _ = q.normal(b, a.pos, width(least))
	}
	n, round := q.sample(a, lowest), a.round()
	copy(q.pts[:n], q.world[:n])
	best, low := -1, float32(unbounded)
	q.candidates = q.candidates[:0]
	for k, d := range q.at(b, n) {
		if d < low {
			best, low = k, d
		}
		if sep := float64(d) - round; sep <= margin {
			q.candidates = append(q.candidates, manifoldPoint{pos: q.world[k], sep: sep, id: uint32(k)})
		}
	}
	q.candidates = slices.DeleteFunc(q.candidates, func(h manifoldPoint) bool { return !q.touches(b, h.pos, h.sep+round) })
	if best < 0 || float64(low) > margin+most {
		return
	}
	if n > 1 {
		p, d := q.descend(a, b, q.world[best], float64(low), least, most)
		if d-round <= margin && reproducible.Norm(r3.Sub(p, q.world[best])) > 0.1*least && q.touches(b, p, d) {
			q.candidates = append(q.candidates, manifoldPoint{pos: p, sep: d - round, id: uint32(n)})
		}
	}
	m.reduce(q.candidates, maxPoints)
	q.orient(a, b, width(least), m)
}

// deepest is the point of a, or of the core of a ball or capsule, at which a is nearest to b
// or deepest in it, and the distance there, m.
func (q *sdfScratch) deepest(a, b *solid) (p r3.Vec, sep float64) {
	n := q.sample(a, r3.Vec{})
	copy(q.pts[:n], q.world[:n])
	best, low := 0, float32(unbounded)
	for k, d := range q.at(b, n) {
		if d < low {
			best, low = k, d
		}
	}
	least, most := a.size()
	p, sep = q.descend(a, b, q.world[best], float64(low), least, most)
	return p, sep - a.round()
}

// descend lowers the distance from p, a point of a, along a by projected gradient steps that
// halve when they fail.
func (q *sdfScratch) descend(a, b *solid, p r3.Vec, d, least, most float64) (r3.Vec, float64) {
	e := width(least)
	step := most / 2
	for range 8 {
		g := q.gradient(b, p, e)
		local := a.clamp(mulVecT(a.rot, r3.Sub(r3.Sub(p, reproducible.Scale(step, g)), a.pos)))
		next := r3.Add(a.pos, mulVec(a.rot, local))
		q.pts[0] = next
		if f := float64(q.at(b, 1)[0]); f < d {
			p, d = next, f
		} else {
			step /= 2
		}
	}
	return p, d
}

// orient computes the normals of the points, which are on the sampled solid or its core, and drops those without one.
func (q *sdfScratch) orient(a, b *solid, e float64, m *manifold) {
	n, round := 0, a.round()
	for _, h := range m.points[:m.n] {
		var ok bool
		if h.normal, ok = q.normal(b, h.pos, e); ok {
			h.pos = r3.Add(h.pos, reproducible.Scale(round+float64(h.sep/2), h.normal))
			if h.roundA = round; a.kind == cylinderGeometry && math.Abs(reproducible.Dot(h.normal, a.axis())) < 0.1 {
				h.roundA = a.full().X
			}
			m.points[n] = h
			n++
		}
	}
	m.n = n
}
