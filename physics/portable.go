package physics

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Arithmetic that only physics needs, with the same bits on every machine as that of reproducible.

// dot3 is ax + by + cz.
func dot3(a, x, b, y, c, z float64) float64 { return float64(a*x) + float64(b*y) + float64(c*z) }

// det is that of the matrix with rows (a, b) and (c, d).
func det(a, b, c, d float64) float64 { return float64(a*d) - float64(b*c) }

// unit is v of length 1. Unlike reproducible.Unit it is not NaN but infinite along the axes where v is not 0, if |v|² is too small
// for a float64: nothing that a world holds is so short.
func unit(v r3.Vec) r3.Vec { return reproducible.Scale(1/reproducible.Norm(v), v) }

// hypot is |(x, y)| without the care that math.Hypot takes of squares that overflow: none does of what a world holds.
func hypot(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// turned is (x, y) turned by the angle of the given cosine and sine.
func turned(x, y, cos, sin float64) (float64, float64) {
	return float64(cos*x) - float64(sin*y), float64(cos*y) + float64(sin*x)
}

// circle is n points of the unit circle, counterclockwise from (1, 0).
func circle(n int) [][2]float64 {
	points := make([][2]float64, n)
	for k := range points {
		sin, cos := reproducible.PreciseSincos(2 * math.Pi * float64(k) / float64(n))
		points[k] = [2]float64{cos, sin}
	}
	return points
}
