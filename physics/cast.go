package physics

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// castTolerance, m: a cast ends that near to the surface.
const castTolerance = 1e-5

// fullCore returns the solid with a core as large as itself if it is a cylinder, whose core is
// smaller and, enlarged by a radius, would have a round rim.
func (s *solid) fullCore() solid {
	out := *s
	if s.kind == cylinderGeometry {
		out.half, out.radius = s.full(), 0
	}
	return out
}

// sweep moves a by motion towards b, neither turning, and returns the share of the motion
// after which they touch and the unit vector from a to b there; false if they do not, or are
// in touch but part. Since both are convex, the plane across their gap bounds how far a may
// go at once (conservative advancement, Mirtich 1996).
func sweep(a, b *solid, motion r3.Vec) (t float64, n r3.Vec, ok bool) {
	ea, eb := a.fullCore(), b.fullCore()
	for range 64 {
		g := gjkGap(&ea, &eb, reproducible.Scale(t, motion))
		if g.distance == 0 {
			if n == (r3.Vec{}) {
				n = deepestAxis(a, b).n
			}
			return t, n, reproducible.Dot(motion, n) > 0
		}
		n = g.n
		d, speed := g.distance-ea.radius-eb.radius, reproducible.Dot(motion, n)
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

// missesOrGrazes reports whether a, moved by motion, fast along the normal n of its contact with b,
// does not reach b, or overlaps it by less than grazingDepth. Such a contact must not stop it.
func missesOrGrazes(a, b *solid, motion, n r3.Vec) bool {
	if reproducible.Dot(motion, n) < speculation {
		return false
	}
	t, n, ok := sweep(a, b, motion)
	return !ok || (1-t)*reproducible.Dot(motion, n) < grazingDepth
}

// sweepAny is sweep of a convex solid against a part of any kind.
func (q *queryScratch) sweepAny(a, b *solid, motion r3.Vec) (t float64, n r3.Vec, ok bool) {
	switch b.kind {
	case halfSpaceGeometry:
		n = reproducible.Scale(-1, b.normal)
		gap := reproducible.Dot(n, r3.Sub(b.pos, a.surfaceSupport(n)))
		speed := reproducible.Dot(motion, n)
		if speed <= 0 || speed < gap {
			return 1, n, false
		}
		return max(0, gap/speed), n, true
	case sdfGeometry:
		return q.sweepSDF(a, b, motion)
	case meshGeometry:
		return q.sweepMesh(a, b, motion)
	}
	return sweep(a, b, motion)
}

// sweepSDF advances by the least distance that samples of a and a descent from the best of
// them find.
func (q *queryScratch) sweepSDF(a, b *solid, motion r3.Vec) (t float64, n r3.Vec, ok bool) {
	const steps, touch = 128, 1e-4
	l := reproducible.Norm(motion)
	for range steps {
		q.moved = *a
		q.moved.pos = r3.Add(a.pos, reproducible.Scale(t, motion))
		at, low := q.sdf.deepest(&q.moved, b)
		if low <= touch {
			least, _ := a.size()
			n, _ = q.sdf.normal(b, at, width(least))
			return t, n, t > 0 || reproducible.Dot(n, motion) > 0
		}
		if t += low / l; t > 1 {
			break
		}
	}
	return 1, n, false
}

// sweepMesh is the first sweep against any triangle that faces a, from its front.
func (q *queryScratch) sweepMesh(a, b *solid, motion r3.Vec) (t float64, n r3.Vec, ok bool) {
	t = 1
	box := boundsIn(a, b, motion, castTolerance)
	q.tri.each(a, b, &box, func(int32) bool {
		if x, m, hit := sweep(a, &q.tri.solid, motion); hit && (x < t || !ok) {
			t, n, ok = x, m, true
		}
		return true
	})
	return t, n, ok
}
