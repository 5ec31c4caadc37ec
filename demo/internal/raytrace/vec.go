package raytrace

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Colour is linear light or a share of it: red, green, blue in X, Y, Z.
type Colour = r3.Vec

// Grey is a colour of equal parts.
func Grey(v float64) Colour { return Colour{X: v, Y: v, Z: v} }

// times is the product of two colours, part by part.
func times(a, b Colour) Colour { return Colour{X: a.X * b.X, Y: a.Y * b.Y, Z: a.Z * b.Z} }

// mix goes from a at t = 0 to b at t = 1.
func mix(a, b Colour, t float64) Colour { return r3.Add(r3.Scale(1-t, a), r3.Scale(t, b)) }

// decay is e to the power of -c·s, part by part.
func decay(c Colour, s float64) Colour {
	return Colour{X: math.Exp(-c.X * s), Y: math.Exp(-c.Y * s), Z: math.Exp(-c.Z * s)}
}

// largest is the largest part of a colour.
func largest(c Colour) float64 { return max(c.X, c.Y, c.Z) }

// smoothstep rises from 0 at lo to 1 at hi; hi may be less than lo.
func smoothstep(lo, hi, x float64) float64 {
	t := max(0, min(1, (x-lo)/(hi-lo)))
	return t * t * (3 - 2*t)
}

// component is X, Y or Z for 0, 1 or 2.
func component(v *r3.Vec, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

// frame is two unit vectors that are upright on the unit vector n and on each other.
//
// Source: Duff et al. 2017, Building an orthonormal basis, revisited.
func frame(n r3.Vec) (u, v r3.Vec) {
	s := math.Copysign(1, n.Z)
	a := -1 / (s + n.Z)
	b := n.X * n.Y * a
	return r3.Vec{X: 1 + s*n.X*n.X*a, Y: s * b, Z: -s * n.X}, r3.Vec{X: b, Y: s + n.Y*n.Y*a, Z: -n.Y}
}

// finite tells whether no part of a vector is NaN or infinite.
func finite(v r3.Vec) bool {
	return !math.IsNaN(v.X-v.X) && !math.IsNaN(v.Y-v.Y) && !math.IsNaN(v.Z-v.Z)
}
