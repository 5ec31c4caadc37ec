package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// ray finds where p+t·d enters the part, 0 ≤ t ≤ limit, and the outward normal there, all in
// the world. One that starts inside enters at once, against its normal.
func (s *solid) ray(q *queryScratch, p, d r3.Vec, limit float64) (t float64, n r3.Vec, ok bool) {
	p, d = mulVecT(s.rot, r3.Sub(p, s.pos)), mulVecT(s.rot, d)
	switch s.kind {
	case boxGeometry, hullGeometry:
		t, n, ok = s.hull.ray(p, d, limit)
	case sphereGeometry, capsuleGeometry:
		t, n, ok = rayCapsule(p, d, s.half.Y, s.radius)
	case cylinderGeometry:
		full := s.full()
		t, n, ok = rayCylinder(p, d, full.Y, full.X)
	case halfSpaceGeometry:
		f := plane{normal: mulVecT(s.rot, s.normal)}
		t, n, ok = rayPlanes([]plane{f}, p, d, limit)
	case sdfGeometry:
		t, n, ok = q.raySDF(s, p, d, limit)
	case meshGeometry:
		t, n, ok = s.mesh.ray(p, d, limit)
	}
	if ok && n == (r3.Vec{}) {
		n = reproducible.Scale(-1, unit(d))
	}
	return t, mulVec(s.rot, n), ok && t <= limit
}

func (h *hull) ray(p, d r3.Vec, limit float64) (float64, r3.Vec, bool) {
	return rayPlanes(h.planes, p, d, limit)
}

// rayPlanes finds where a ray enters the part of space below all planes.
func rayPlanes(planes []plane, p, d r3.Vec, limit float64) (t float64, n r3.Vec, ok bool) {
	lo, hi := 0.0, limit
	for i := range planes {
		f := &planes[i]
		above, speed := f.above(p), reproducible.Dot(f.normal, d)
		switch {
		case speed < 0 && above > 0:
			if x := -above / speed; x > lo {
				lo, n = x, f.normal
			}
		case speed > 0:
			hi = min(hi, -above/speed)
		case above > 0:
			return 0, n, false
		}
	}
	return lo, n, lo <= hi
}

// rayBall finds where a ray enters the ball about c.
func rayBall(p, d, c r3.Vec, radius float64) (t float64, n r3.Vec, ok bool) {
	m := r3.Sub(p, c)
	b, out, l2 := reproducible.Dot(m, d), reproducible.Norm2(m)-float64(radius*radius), reproducible.Norm2(d)
	if out <= 0 {
		return 0, r3.Vec{}, true
	}
	disc := det(b, l2, out, b)
	if b >= 0 || disc < 0 {
		return 0, n, false
	}
	t = out / (math.Sqrt(disc) - b) // the smaller root, without cancellation
	return t, unit(r3.Add(m, reproducible.Scale(t, d))), true
}

// rayTube finds where a ray enters the endless cylinder about y.
func rayTube(p, d r3.Vec, radius float64) (t float64, n r3.Vec, ok bool) {
	p.Y, d.Y = 0, 0
	return rayBall(p, d, r3.Vec{}, radius)
}

// rayCapsule finds where a ray enters the capsule whose segment has the half length h.
func rayCapsule(p, d r3.Vec, h, radius float64) (float64, r3.Vec, bool) {
	if capsuleDistance(p, h, radius) <= 0 {
		return 0, r3.Vec{}, true
	}
	if t, n, ok := rayTube(p, d, radius); ok && t > 0 && math.Abs(p.Y+float64(t*d.Y)) <= h {
		return t, n, true
	}
	best, normal, found := math.Inf(1), r3.Vec{}, false
	for _, y := range [2]float64{-h, h} {
		if t, n, ok := rayBall(p, d, r3.Vec{Y: y}, radius); ok && t < best {
			best, normal, found = t, n, true
		}
	}
	return best, normal, found
}

// rayCylinder finds where a ray enters the cylinder of half height h.
func rayCylinder(p, d r3.Vec, h, radius float64) (float64, r3.Vec, bool) {
	if cylinderDistance(p, h, radius) <= 0 {
		return 0, r3.Vec{}, true
	}
	if t, n, ok := rayTube(p, d, radius); ok && t > 0 && math.Abs(p.Y+float64(t*d.Y)) <= h {
		return t, n, true
	}
	y := math.Copysign(h, p.Y)
	if t := (y - p.Y) / d.Y; t >= 0 && hypot(p.X+float64(t*d.X), p.Z+float64(t*d.Z)) <= radius {
		return t, r3.Vec{Y: math.Copysign(1, y)}, true
	}
	return 0, r3.Vec{}, false
}

// raySDF is sphere tracing: it steps along a ray by the distance until that is 0.
func (q *queryScratch) raySDF(s *solid, p, d r3.Vec, limit float64) (t float64, n r3.Vec, ok bool) {
	const steps, touch = 256, 1e-5
	l := reproducible.Norm(d)
	for range steps {
		q.pts[0] = r3.Add(p, reproducible.Scale(t, d))
		s.dist(q.out[:1], q.pts[:1])
		gap := float64(q.out[0])
		if !(gap > touch) {
			at := q.pts[0]
			switch {
			case t == 0 && !(gap <= touch):
				return 0, n, false
			case gap > -leastDepth/4 && !besideInside(s.dist, q.pts[:7], q.out[:7], at, gap):
				gap = max(gap, 0) + leastDepth // through a membrane
			case t == 0:
				return 0, n, true
			default:
				return t, q.outward(s, at), true
			}
		}
		if t += gap / l; t > limit {
			return t, n, false
		}
	}
	return t, q.outward(s, q.pts[0]), true
}

// outward is the unit gradient of the distance at the local point p; zero where it has none.
func (q *queryScratch) outward(s *solid, p r3.Vec) r3.Vec {
	const e = 1e-3
	for k := range 3 {
		var d [3]float64
		d[k] = e
		step := r3.Vec{X: d[0], Y: d[1], Z: d[2]}
		q.pts[2*k], q.pts[2*k+1] = r3.Add(p, step), r3.Sub(p, step)
	}
	s.dist(q.out[:6], q.pts[:6])
	g := r3.Vec{X: float64(q.out[0] - q.out[1]), Y: float64(q.out[2] - q.out[3]), Z: float64(q.out[4] - q.out[5])}
	if l := reproducible.Norm(g); l > 0 && finite(l) {
		return reproducible.Scale(1/l, g)
	}
	return r3.Vec{}
}

// ray finds the first triangle that a ray meets, from its front unless it has two sides.
func (s *surface) ray(p, d r3.Vec, limit float64) (t float64, n r3.Vec, ok bool) {
	best := limit
	s.tree.along(p, d, func(item int32) float64 {
		s.each(item, func(i int32) {
			v := s.corners(i)
			if x, m, hit := rayTriangle(&v, p, d); hit && x <= best && (s.twoSided || reproducible.Dot(m, d) < 0) {
				best, n, ok = x, m, true
			}
		})
		return best
	})
	if ok && reproducible.Dot(n, d) > 0 {
		n = reproducible.Scale(-1, n)
	}
	return best, n, ok
}

// rayTriangle finds where a ray meets a triangle (Möller, Trumbore 1997), and its normal.
func rayTriangle(v *[3]r3.Vec, p, d r3.Vec) (t float64, n r3.Vec, ok bool) {
	a, b := r3.Sub(v[1], v[0]), r3.Sub(v[2], v[0])
	h := reproducible.Cross(d, b)
	det := reproducible.Dot(a, h)
	if det == 0 {
		return 0, n, false
	}
	m := r3.Sub(p, v[0])
	u := reproducible.Dot(m, h) / det
	k := reproducible.Cross(m, a)
	w := reproducible.Dot(d, k) / det
	// Rays must not slip through between two triangles.
	const seam = 1e-12
	if u < -seam || w < -seam || u+w > 1+seam {
		return 0, n, false
	}
	t = reproducible.Dot(b, k) / det
	return t, triangleNormal(v), t >= 0
}
