package cutting

import (
	"math"
	"slices"
)

// tilt is how a level surface lies to the grid: it is what of a cube is under one that depends on it.
type tilt struct {
	m    [3]float64 // how far a cube reaches up along each axis, of how high it is; ascending
	size float64    // how high it is, edges
}

// level is how far a cube reaches up along an axis at most that it is taken not to: divided by, so little leaves no digits.
const level = 1e-6

// tiltOf is that of surfaces at right angles to up, of length 1, or, if that is 0, to some axis.
func tiltOf(up [3]float64) tilt {
	t := tilt{[3]float64{math.Abs(up[0]), math.Abs(up[1]), math.Abs(up[2])}, 1}
	slices.Sort(t.m[:])
	if t.m[2] == 0 {
		t.m[2] = 1
	}
	t.size = t.m[0] + t.m[1] + t.m[2]
	for a := range t.m {
		t.m[a] /= t.size
	}
	return t
}

// part is the fraction of a cube that is under a surface, edge m wide and its middle so far above it, m.
func (t *tilt) part(distance, edge float64) float64 {
	high := edge * t.size
	switch at := .5 - distance/high; {
	case at <= 0:
		return 0
	case at >= 1:
		return 1
	case at > .5:
		return 1 - t.below(1-at)
	default:
		return t.below(at)
	}
}

// below is the volume of the unit cube under a plane that is at, up to .5, of its height above its lowest corner.
//
// Source: Scardovelli, Zaleski 2000, eq. 2.
func (t *tilt) below(at float64) float64 {
	a, b, c := t.m[0], t.m[1], t.m[2]
	cube := func(x float64) float64 { return float64(x * x * x) }
	switch {
	case at < a:
		return cube(at) / (6 * a * b * c)
	case at < b:
		return (float64(at*(at-a)) + float64(a*a/3)) / (2 * b * c)
	case at >= a+b && at <= c || a < level:
		return (2*at - (a + b)) / (2 * c)
	case at < c:
		return (cube(at) - cube(at-a) - cube(at-b)) / (6 * a * b * c)
	default:
		return (cube(at) - cube(at-a) - cube(at-b) - cube(at-c)) / (6 * a * b * c)
	}
}
