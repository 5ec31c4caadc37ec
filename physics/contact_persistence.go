package physics

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Points of contact of flat surfaces that hardly move against each other persist: they move with the surfaces, without
// a new narrow phase. At rest that applies to nearly all.

// persistenceTolerance, m and rad, is how far two shapes may have moved against each other since their points were
// found, and how far they may move within the step. It is far below the speculative distance and the thickness of a
// card: with 2e-4 a house of cards falls.
const persistenceTolerance = 5e-5

// anchors are where a point of contact is on the surfaces, in the axes of their shapes.
type anchors struct {
	onA, onB r3.Vec
	axis     r3.Vec // normal, in the axes of A
}

// poseIn is the pose of shape b, of a body at rotation qb, in the axes of shape a.
func poseIn(a, b *shape, qa, qb quat.Number) pose {
	return pose{mulVecT(&a.rot, r3.Sub(b.pos, a.pos)), reproducible.QuatMul(quat.Conj(qa), qb)}
}

// unmoved reports whether the present points remain valid at the pose now, of B against A, and for the motion within the
// step, m.
func (c *contact) unmoved(now *pose, motion r3.Vec) bool {
	if reproducible.Norm2(motion) > persistenceTolerance*persistenceTolerance || reproducible.Norm2(r3.Sub(now.x, c.foundPose.x)) > persistenceTolerance*persistenceTolerance {
		return false
	}
	d := quat.Sub(now.q, c.foundPose.q) // half the angle, as it is small
	return reproducible.QuatNorm2(d) < persistenceTolerance*persistenceTolerance/4
}

// storeAnchors stores the places of the points on a and b, found at the pose now.
func (c *contact) storeAnchors(a, b *shape, now *pose) {
	c.foundPose = *now
	for k := range c.points[:c.n] {
		p := &c.points[k]
		if p.roundA > 0 || p.roundB > 0 {
			c.foundPose.q = quat.Number{} // no rotation: the normal turns as fast as the surfaces move, over the radius
			return
		}
		gap := reproducible.Scale(p.sep/2, p.normal)
		p.anchors = anchors{
			onA:  mulVecT(&a.rot, r3.Sub(r3.Sub(p.pos, gap), a.pos)),
			onB:  mulVecT(&b.rot, r3.Sub(r3.Add(p.pos, gap), b.pos)),
			axis: mulVecT(&a.rot, p.normal),
		}
	}
}

// movePoints moves the points with a and b, and drops them if they are not finite.
func (c *contact) movePoints(a, b *shape) {
	c.rolling = 0
	for k := range c.points[:c.n] {
		p := &c.points[k]
		onA, onB := r3.Add(a.pos, mulVec(&a.rot, p.onA)), r3.Add(b.pos, mulVec(&b.rot, p.onB))
		p.normal = mulVec(&a.rot, p.axis)
		p.pos, p.sep = reproducible.Scale(0.5, r3.Add(onA, onB)), reproducible.Dot(p.normal, r3.Sub(onB, onA))
		p.peak, p.approach = 0, 0
		if !finite(p.sep) || !finiteVec(p.pos) || !finiteVec(p.normal) { // anchors of a snapshot may be anywhere
			c.n, c.foundPose.q = 0, quat.Number{} // found anew in the next step
			return
		}
	}
}
