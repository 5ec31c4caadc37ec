package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The nearest feature of a triangle: corner 0 to 2, edge AtEdge + 0 to 2 from the corner of that number to the next, or the face between.
const (
	AtEdge = 3
	AtFace = 6
)

// Triangle is a triangle with the products of its sides, for many questions about it.
type Triangle struct {
	A, AB, AC        r3.Vec  // the first corner, and the sides from there to the second and the third
	ABAB, ABAC, ACAC float64 // products of sides
}

// NewTriangle returns the triangle with the corners a, b and c.
func NewTriangle(a, b, c r3.Vec) Triangle {
	ab, ac := r3.Sub(b, a), r3.Sub(c, a)
	return Triangle{a, ab, ac, reproducible.Norm2(ab), reproducible.Dot(ab, ac), reproducible.Norm2(ac)}
}

// edgesOnly is a bound of the squared double area over |AB| |AC| l², with l² = |AP|² + |AB|² + |AC|² for a point P. Below it the triangle is treated as its three
// edges. The rounding error of that square is about 1e-15 |AB| |AC| l². So rounding moves the nearest point along a triangle by at most a few hundredths of its size,
// and the distance, which changes with the square of the angle, by less than the resolution of a float32.
const edgesOnly = 1e-13

// Nearest returns the feature of the triangle that is nearest to p, and the vector from the nearest point to p. Its errors are roundings of the sides' products.
// The function [Nearest] returns weights, and is more accurate where p is near a corner.
//
// Source: Ericson 2005, Real-Time Collision Detection, section 5.1.5, with the products of the sides taken beforehand.
func (f *Triangle) Nearest(p *r3.Vec) (what int, away r3.Vec) {
	ap := r3.Vec{X: p.X - f.A.X, Y: p.Y - f.A.Y, Z: p.Z - f.A.Z}
	d1 := float64(f.AB.X*ap.X) + float64(f.AB.Y*ap.Y) + float64(f.AB.Z*ap.Z)
	d2 := float64(f.AC.X*ap.X) + float64(f.AC.Y*ap.Y) + float64(f.AC.Z*ap.Z)
	d3, d4 := d1-f.ABAB, d2-f.ABAC
	d5, d6 := d1-f.ABAC, d2-f.ACAC
	var v, w float64
	switch {
	case d1 <= 0 && d2 <= 0:
		return 0, ap
	case d3 >= 0 && d4 <= d3:
		what, v = 1, 1
	case d6 >= 0 && d5 <= d6:
		what, w = 2, 1
	default:
		wc, wb, wa := float64(d1*d4)-float64(d3*d2), float64(d5*d2)-float64(d1*d6), float64(d3*d6)-float64(d5*d4)
		sum := wa + wb + wc
		reach := float64(ap.X*ap.X) + float64(ap.Y*ap.Y) + float64(ap.Z*ap.Z) + f.ABAB + f.ACAC
		switch {
		case wc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3:
			what, v = AtEdge, d1/(d1-d3)
		case wb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6:
			what, w = AtEdge+2, d2/(d2-d6)
		case wa <= 0 && d4 >= d3 && d5 >= d6 && (d4-d3)+(d5-d6) > 0:
			what, w = AtEdge+1, (d4-d3)/((d4-d3)+(d5-d6))
			v = 1 - w
		case !(sum > 0) || sum*sum <= float64(float64(edgesOnly*edgesOnly)*f.ABAB*f.ACAC*reach*reach):
			return f.nearestEdge(p)
		default:
			what, v, w = AtFace, wb/sum, wc/sum
		}
	}
	return what, r3.Vec{
		X: ap.X - float64(v*f.AB.X) - float64(w*f.AC.X),
		Y: ap.Y - float64(v*f.AB.Y) - float64(w*f.AC.Y),
		Z: ap.Z - float64(v*f.AB.Z) - float64(w*f.AC.Z),
	}
}

// nearestEdge is Nearest for a triangle that is treated as its edges.
func (f *Triangle) nearestEdge(p *r3.Vec) (what int, away r3.Vec) {
	corners := [3]r3.Vec{f.A, r3.Add(f.A, f.AB), r3.Add(f.A, f.AC)}
	best := math.Inf(1)
	for i := range 3 {
		a := corners[i]
		along, ap := r3.Sub(corners[(i+1)%3], a), r3.Sub(*p, a)
		at, is := reproducible.Dot(along, ap)/reproducible.Norm2(along), AtEdge+i
		switch {
		case !(at > 0):
			at, is = 0, i
		case at >= 1:
			at, is = 1, (i+1)%3
		}
		d := r3.Sub(ap, reproducible.Scale(at, along))
		if n := reproducible.Norm2(d); n < best {
			what, away, best = is, d, n
		}
	}
	return what, away
}

// Centroid returns the triangle's centroid.
func (f *Triangle) Centroid() r3.Vec {
	return r3.Add(f.A, reproducible.Scale(1./3, r3.Add(f.AB, f.AC)))
}
