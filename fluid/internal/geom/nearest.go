package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Lerp returns the point at a part t of the way from a to b: exactly a at 0 and b at 1.
func Lerp(t float64, a, b *r3.Vec) r3.Vec {
	s := 1 - t
	return r3.Vec{X: float64(s*a.X) + float64(t*b.X), Y: float64(s*a.Y) + float64(t*b.Y), Z: float64(s*a.Z) + float64(t*b.Z)}
}

// sliver is the squared sine of the angle between two sides below which a triangle counts as one without area. Below it rounding dominates u, v and w, which
// are differences of products larger by 1/sliver. Every point of such a triangle is within 2⁻¹³ of a side's length from its sides.
const sliver = 0x1p-26

// Nearest returns the barycentric weights of the point of a triangle that is nearest to x.
//
// Source: Ericson 2005, Real-Time Collision Detection, section 5.1.5.
func Nearest(x, a, b, c r3.Vec) (wa, wb, wc float64) {
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

// NearestOnSegments returns the parameters, 0 to 1, of the nearest points of the segments from p to q and from a to b.
//
// Source: Ericson 2005, Real-Time Collision Detection, section 5.1.9.
func NearestOnSegments(p, q, a, b r3.Vec) (s, t float64) {
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

// nearestOnSides is Nearest for a triangle with almost no area.
func nearestOnSides(x, a, b, c r3.Vec) (wa, wb, wc float64) {
	best := math.Inf(1)
	for side, ends := range [3][2]r3.Vec{{a, b}, {b, c}, {c, a}} {
		_, t := NearestOnSegments(x, x, ends[0], ends[1])
		if d := reproducible.Norm2(r3.Sub(x, Lerp(t, &ends[0], &ends[1]))); d < best {
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
