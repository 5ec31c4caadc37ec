package raytrace

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// ray is a half line.
type ray struct {
	from, to r3.Vec // to: unit
	inv      r3.Vec // 1 over to, by part
}

func newRay(from, to r3.Vec) ray {
	return ray{from, to, r3.Vec{X: 1 / to.X, Y: 1 / to.Y, Z: 1 / to.Z}}
}

func (r *ray) at(t float64) r3.Vec { return r3.Add(r.from, r3.Scale(t, r.to)) }

// triangle is a corner and the edges from it to the two others.
type triangle struct{ a, ab, ac r3.Vec }

// hit finds where a ray meets the triangle, between distances near and far. u and v are the weights of the second and the third corner.
//
// Source: Möller and Trumbore 1997.
func (q *triangle) hit(r *ray, near, far float64) (t, u, v float64, ok bool) {
	p := r3.Cross(r.to, q.ac)
	det := r3.Dot(q.ab, p)
	if det == 0 {
		return 0, 0, 0, false
	}
	inv := 1 / det
	s := r3.Sub(r.from, q.a)
	u = r3.Dot(s, p) * inv
	if u < 0 || u > 1 {
		return 0, 0, 0, false
	}
	w := r3.Cross(s, q.ab)
	v = r3.Dot(r.to, w) * inv
	if v < 0 || u+v > 1 {
		return 0, 0, 0, false
	}
	t = r3.Dot(q.ac, w) * inv
	return t, u, v, t > near && t < far
}

// normal is the unit normal of the side that has the corners counter-clockwise.
func (q *triangle) normal() r3.Vec { return r3.Unit(r3.Cross(q.ab, q.ac)) }

// solidKind is which shape a Solid is.
type solidKind uint8

const (
	boxSolid solidKind = iota
	sphereSolid
	cylinderSolid
)

// meet finds where a ray in the shape's own axes meets it first, between distances near and far, and the outward normal there.
func (s *Solid) meet(r *ray, near, far float64) (t float64, n r3.Vec, ok bool) {
	switch s.kind {
	case sphereSolid:
		return sphereHit(r.from, r.to, s.half.X, near, far)
	case cylinderSolid:
		return cylinderHit(r, s.half.X, s.half.Y, near, far)
	}
	return boxHit(r, s.half, near, far)
}

// within picks the first of two distances that lies between near and far.
func within(t0, t1, near, far float64) (float64, bool) {
	if t0 > near && t0 < far {
		return t0, true
	}
	return t1, t1 > near && t1 < far
}

// sphereHit is for a ball about the origin.
func sphereHit(from, to r3.Vec, radius, near, far float64) (t float64, n r3.Vec, ok bool) {
	b := r3.Dot(from, to)
	closest := r3.Sub(from, r3.Scale(b, to))
	d := radius*radius - r3.Dot(closest, closest)
	if d < 0 {
		return 0, n, false
	}
	d = math.Sqrt(d)
	if t, ok = within(-b-d, -b+d, near, far); !ok {
		return 0, n, false
	}
	return t, r3.Scale(1/radius, r3.Add(from, r3.Scale(t, to))), true
}

// boxHit is for a box about the origin.
func boxHit(r *ray, half r3.Vec, near, far float64) (t float64, n r3.Vec, ok bool) {
	t0, t1 := math.Inf(-1), math.Inf(1)
	var axis0, axis1 int
	for axis := range 3 {
		inv, from, h := component(&r.inv, axis), component(&r.from, axis), component(&half, axis)
		a, b := (-h-from)*inv, (h-from)*inv
		if a > b {
			a, b = b, a
		}
		if a > t0 {
			t0, axis0 = a, axis
		}
		if b < t1 {
			t1, axis1 = b, axis
		}
	}
	if t0 > t1 {
		return 0, n, false
	}
	if t, ok = within(t0, t1, near, far); !ok {
		return 0, n, false
	}
	axis, way := axis0, -1.
	if t == t1 {
		axis, way = axis1, 1
	}
	way *= math.Copysign(1, component(&r.to, axis))
	switch axis {
	case 0:
		n.X = way
	case 1:
		n.Y = way
	default:
		n.Z = way
	}
	return t, n, true
}

// tubeHit is for the side of an endless cylinder about the y axis: where a ray enters and leaves it.
func tubeHit(r *ray, radius float64) (t0, t1 float64, ok bool) {
	a := r.to.X*r.to.X + r.to.Z*r.to.Z
	if a == 0 {
		return 0, 0, false
	}
	b := (r.from.X*r.to.X + r.from.Z*r.to.Z) / a
	x, z := r.from.X-b*r.to.X, r.from.Z-b*r.to.Z
	d := (radius*radius - x*x - z*z) / a
	if d < 0 {
		return 0, 0, false
	}
	d = math.Sqrt(d)
	return -b - d, -b + d, true
}

// wallHit is for the round wall of a cylinder about the y axis, from -reach to reach.
func wallHit(r *ray, radius, reach, near, far float64) (t float64, n r3.Vec, ok bool) {
	t = far
	if t0, t1, crosses := tubeHit(r, radius); crosses {
		for _, c := range [2]float64{t0, t1} {
			if p := r.at(c); c > near && c < t && math.Abs(p.Y) <= reach {
				t, n, ok = c, r3.Vec{X: p.X / radius, Z: p.Z / radius}, true
			}
		}
	}
	return t, n, ok
}

// cylinderHit is for a cylinder about the y axis, from -reach to reach.
func cylinderHit(r *ray, radius, reach, near, far float64) (t float64, n r3.Vec, ok bool) {
	t, n, ok = wallHit(r, radius, reach, near, far)
	for _, y := range [2]float64{-reach, reach} {
		c := (y - r.from.Y) * r.inv.Y
		if p := r.at(c); c > near && c < t && p.X*p.X+p.Z*p.Z <= radius*radius {
			t, n, ok = c, r3.Vec{Y: math.Copysign(1, y)}, true
		}
	}
	return t, n, ok
}
