package predicates

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Contact is where two simplices come together: a vertex and a triangle, or two edges, of four points in all.
type Contact struct {
	// Weights say where. The sum of the weighted points leads from the place on the second simplex to that on the first: a vertex has 1 and
	// the triangle's corners negative weights, that add up to -1; the ends of the first edge have weights that add up to 1, those of the second to -1.
	Weights [4]float64
	// Normal is a unit vector from the second to the first.
	Normal r3.Vec
	// Distance is between the two, m: 0 in a collision.
	Distance float64
	// Time is when a collision happens, as a part of the motion, 0 to 1.
	Time float64
}

// NearVertexTriangle is where a vertex is nearest to a triangle. Where it lies on it, the normal is the triangle's, and if that has none any.
func NearVertexTriangle(x, a, b, c r3.Vec) (near Contact) {
	p := pair{n: 3}
	m := moment{x: [4]r3.Vec{r3.Sub(x, a), r3.Sub(x, b), r3.Sub(x, c)}}
	p.refine(&m)
	near.Weights = [4]float64{1, -m.w, -m.u, -m.v}
	near.Distance = m.distance
	near.Normal = direction(m.nearest, reproducible.Norm(m.nearest), p.across(&m.x))
	return near
}

// NearEdgeEdge is where the edges p-q and a-b are nearest to each other. Where they cross, the normal is across both, and if they are parallel any.
func NearEdgeEdge(p, q, a, b r3.Vec) (near Contact) {
	d := pair{n: 4}
	m := moment{x: [4]r3.Vec{r3.Sub(p, a), r3.Sub(p, b), r3.Sub(q, a), r3.Sub(q, b)}}
	d.refine(&m)
	near.Weights = [4]float64{1 - m.u, m.u, m.v - 1, -m.v}
	near.Distance = m.distance
	near.Normal = direction(m.nearest, reproducible.Norm(m.nearest), d.across(&m.x))
	return near
}

// direction is the unit vector of d, of length n, or that of another one if n is 0.
func direction(d r3.Vec, n float64, other r3.Vec) r3.Vec {
	if n > 0 {
		return reproducible.Scale(1/n, d)
	}
	if n = reproducible.Norm(other); n > 0 {
		return reproducible.Scale(1/n, other)
	}
	return r3.Vec{X: 1}
}

// sliver is the square of the sine between two sides of a triangle below which it counts as one without area. What is left of u, v and w, differences of
// products that are larger by one over it, would say nothing of where the nearest point is; the sides are less than 2⁻¹³ of their length from any point within.
const sliver = 0x1p-26

// nearest are the barycentric weights of the point of a triangle that is nearest to x.
//
// Source: Ericson 2005, Real-Time Collision Detection, section 5.1.5.
func nearest(x, a, b, c r3.Vec) (wa, wb, wc float64) {
	ab, ac, ax := r3.Sub(b, a), r3.Sub(c, a), r3.Sub(x, a)
	d1, d2 := reproducible.Dot(ab, ax), reproducible.Dot(ac, ax)
	if d1 <= 0 && d2 <= 0 {
		return 1, 0, 0
	}
	bx := r3.Sub(x, b)
	d3, d4 := reproducible.Dot(ab, bx), reproducible.Dot(ac, bx)
	if d3 >= 0 && d4 <= d3 {
		return 0, 1, 0
	}
	cx := r3.Sub(x, c)
	d5, d6 := reproducible.Dot(ab, cx), reproducible.Dot(ac, cx)
	if d6 >= 0 && d5 <= d6 {
		return 0, 0, 1
	}
	u := float64(d3*d6) - float64(d5*d4)
	v := float64(d5*d2) - float64(d1*d6)
	w := float64(d1*d4) - float64(d3*d2)
	switch {
	case w <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3:
		t := d1 / (d1 - d3)
		return 1 - t, t, 0
	case v <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6:
		t := d2 / (d2 - d6)
		return 1 - t, 0, t
	case u <= 0 && d4-d3 >= 0 && d5-d6 >= 0 && (d4-d3)+(d5-d6) > 0:
		t := (d4 - d3) / ((d4 - d3) + (d5 - d6))
		return 0, 1 - t, t
	}
	sum := u + v + w // the square of twice the area
	if !(sum > float64(float64(sliver*reproducible.Norm2(ab))*reproducible.Norm2(ac))) {
		return nearestOnSides(x, a, b, c)
	}
	return u / sum, v / sum, w / sum
}

// nearestOnLines are the places on two segments, 0 to 1, that are nearest to each other.
//
// Source: Ericson 2005, Real-Time Collision Detection, section 5.1.9.
func nearestOnLines(p, q, a, b r3.Vec) (s, t float64) {
	d1, d2, r := r3.Sub(q, p), r3.Sub(b, a), r3.Sub(p, a)
	e11, e22, f := reproducible.Norm2(d1), reproducible.Norm2(d2), reproducible.Dot(d2, r)
	clamp := func(x float64) float64 { return math.Max(0, math.Min(1, x)) }
	switch {
	case e11 == 0 && e22 == 0:
		return 0, 0
	case e11 == 0:
		return 0, clamp(f / e22)
	}
	c := reproducible.Dot(d1, r)
	if e22 == 0 {
		return clamp(-c / e11), 0
	}
	e12 := reproducible.Dot(d1, d2)
	// Ericson's e11 e22 - e12² and its numerator lose all digits where the segments are nearly parallel. These products do not.
	n := reproducible.Cross(d1, d2)
	if square := reproducible.Norm2(n); square > 0 {
		s = clamp(reproducible.Dot(reproducible.Cross(d2, r), n) / square)
	}
	t = (float64(e12*s) + f) / e22
	switch {
	case t < 0:
		return clamp(-c / e11), 0
	case t > 1:
		return clamp((e12 - c) / e11), 1
	}
	return s, t
}

// nearestOnSides is nearest for a triangle with next to no area.
func nearestOnSides(x, a, b, c r3.Vec) (wa, wb, wc float64) {
	best := math.Inf(1)
	for side, ends := range [3][2]r3.Vec{{a, b}, {b, c}, {c, a}} {
		_, t := nearestOnLines(x, x, ends[0], ends[1])
		if d := reproducible.Norm2(r3.Sub(x, mix(t, &ends[0], &ends[1]))); d < best {
			best = d
			switch side {
			case 0:
				wa, wb, wc = 1-t, t, 0
			case 1:
				wa, wb, wc = 0, 1-t, t
			default:
				wa, wb, wc = t, 0, 1-t
			}
		}
	}
	return wa, wb, wc
}
