package raytrace

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// reflect mirrors a direction d on a surface with the unit normal n.
func reflect(d, n r3.Vec) r3.Vec { return r3.Sub(d, r3.Scale(2*r3.Dot(d, n), n)) }

// refract bends the unit direction d by Snell's law where it meets a surface with the unit normal n, which looks against d. ratio is the index
// of refraction before the surface over that behind it. ok is false where all light is reflected.
func refract(d, n r3.Vec, ratio float64) (bent r3.Vec, ok bool) {
	cos := -r3.Dot(d, n)
	sin2 := ratio * ratio * (1 - cos*cos)
	if sin2 >= 1 {
		return r3.Vec{}, false
	}
	return r3.Add(r3.Scale(ratio, d), r3.Scale(ratio*cos-math.Sqrt(1-sin2), n)), true
}

// Fresnel is the share of unpolarised light that a boundary between two clear media reflects, 0 to 1.
//
// cos: of the angle between the light and the surface's normal, 0 to 1. ratio: the index of refraction before the surface over that behind it.
func Fresnel(cos, ratio float64) float64 {
	cos = max(0, min(cos, 1))
	sin2 := ratio * ratio * (1 - cos*cos)
	if sin2 >= 1 {
		return 1
	}
	behind := math.Sqrt(1 - sin2)
	parallel := (cos - ratio*behind) / (cos + ratio*behind)
	across := (ratio*cos - behind) / (ratio*cos + behind)
	return (parallel*parallel + across*across) / 2
}

// schlick is what a surface reflects at an angle if it reflects f0 straight on.
//
// Source: Schlick 1994.
func schlick(cos float64, f0 Colour) Colour {
	k := 1 - max(0, min(cos, 1))
	k *= k * k * k * k
	return r3.Add(f0, r3.Scale(k, r3.Sub(Grey(1), f0)))
}
