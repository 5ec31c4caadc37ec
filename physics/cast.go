package physics

import (
	"gonum.org/v1/gonum/spatial/r3"
)

// castTolerance, m: a cast ends that near to the surface.
const castTolerance = 1e-5

// sweep moves a by motion towards b, neither turning, and returns the share of the motion
// after which they touch and the unit vector from a to b there; false if they do not, or are
// in touch but part. Since both are convex, the plane across their gap bounds how far a may
// go at once (conservative advancement, Mirtich 1996).
func sweep(a, b *solid, motion r3.Vec) (t float64, n r3.Vec, ok bool) {
	for range 64 {
		g := gjk(a, b, r3.Scale(t, motion))
		if g.distance == 0 {
			if n == (r3.Vec{}) {
				n = deepest(a, b).n
			}
			return t, n, true
		}
		n = g.n
		d, speed := g.distance-a.radius-b.radius, r3.Dot(motion, n)
		if d > castTolerance && speed*(1-t) <= d || speed <= 0 {
			return 1, n, false
		}
		if d <= castTolerance {
			return t, n, true
		}
		t += (d - castTolerance/2) / speed
	}
	return t, n, true
}

// misses reports whether a, moved by motion, fast along the normal n of its contact with b,
// does not reach b or goes less than grazing into it: then it must not be stopped by it
// before it has passed.
func misses(a, b *solid, motion, n r3.Vec) bool {
	if r3.Dot(motion, n) < speculation {
		return false
	}
	t, n, ok := sweep(a, b, motion)
	return !ok || (1-t)*r3.Dot(motion, n) < grazing
}
