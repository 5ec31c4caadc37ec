package fluid

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Liquid is kept on its side of a thin wall by tracing it in the wall's frame. That needs the wall's motion from where it was
// when the surface was last moved to where it is now. A body's velocity does not tell it: a game sets that for the step to come,
// and contacts change it within one. So poses are remembered.

// wallMotion is a rigid motion from where a solid was to where it is. The zero value is none.
type wallMotion struct {
	moves    bool
	from, to r3.Vec
	turn     [3]r3.Vec // rows of the rotation matrix
}

// stood is the pose of what never moved.
var stood = rigid.Pose{Known: true, Turned: quat.Number{Real: 1}}

// motionBetween is the motion from one pose to another, or none if the first is not known.
func motionBetween(p, q *rigid.Pose) (m wallMotion) {
	if !p.Known || p.Centre == q.Centre && p.Turned == q.Turned {
		return m
	}
	m.moves, m.from, m.to = true, p.Centre, q.Centre
	back := quat.Number{Real: p.Turned.Real, Imag: -p.Turned.Imag, Jmag: -p.Turned.Jmag, Kmag: -p.Turned.Kmag}
	turn := reproducible.QuatMul(q.Turned, back)
	m.turn = reproducible.RotationRows(reproducible.QuatScale(1/reproducible.QuatAbs(turn), turn))
	return m
}

// forth is where what was at x is now.
func (m *wallMotion) forth(x r3.Vec) r3.Vec {
	d := r3.Sub(x, m.from)
	return r3.Add(m.to, r3.Vec{X: reproducible.Dot(m.turn[0], d), Y: reproducible.Dot(m.turn[1], d), Z: reproducible.Dot(m.turn[2], d)})
}

// back is where what is at x now was.
func (m *wallMotion) back(x r3.Vec) r3.Vec {
	d, t := r3.Sub(x, m.to), &m.turn
	return r3.Add(m.from, r3.Add(reproducible.Scale(d.X, t[0]), r3.Add(reproducible.Scale(d.Y, t[1]), reproducible.Scale(d.Z, t[2]))))
}

// farthest is the greatest distance that anything in a box, where it is now, has moved, m.
func (m *wallMotion) farthest(box r3.Box) (most float64) {
	if !m.moves {
		return 0
	}
	for c := range 8 { // the distance is a convex function
		x := boxes.Corner(&box, c)
		most = max(most, reproducible.Norm(r3.Sub(x, m.back(x))))
	}
	return most
}

// fastestIn is the greatest speed in a box, m/s, of what moves with a twist about a centre.
func fastestIn(box r3.Box, centre r3.Vec, twist *[6]float64) (most float64) {
	v, w := reproducible.Vector([3]float64(twist[:3])), reproducible.Vector([3]float64(twist[3:]))
	for c := range 8 {
		most = max(most, reproducible.Norm(r3.Add(v, reproducible.Cross(w, r3.Sub(boxes.Corner(&box, c), centre)))))
	}
	return most
}

// readWallMotions finds how each solid has moved since the surface was, and remembers where it is.
func (l *Liquid) readWallMotions() {
	c := l.coupling
	motions := arrays.Resize(l.world.motions, len(c.Solids))
	l.world.motions = motions
	for i := range c.Known() {
		now := c.Pose(i)
		motions[i] = l.motionSince(i, c.SeenPose(i), &now)
		c.SetSeenPose(i, &now)
	}
	i := c.Known()
	for _, o := range l.world.obstacles {
		if o.moves {
			now := o.pose()
			motions[i] = l.motionSince(i, &o.seen, &now)
			o.last, o.seen = o.seen, now
			i++
		}
	}
}

// motionSince is how a solid has moved from one pose to another. One that was put elsewhere has not moved.
func (l *Liquid) motionSince(i int, from, to *rigid.Pose) wallMotion {
	solid := &l.coupling.Solids[i]
	if !to.Known || solid.Fixed || !boxes.Overlap(solid.Bounds, l.def.Domain) {
		return wallMotion{}
	}
	m := motionBetween(from, to)
	if m.moves {
		box := l.inDomain(solid.Bounds)
		speed := max(fastestIn(box, to.Centre, &to.Twist), fastestIn(box, to.Centre, &from.Twist))
		if !(m.farthest(box) <= l.def.CellSize+float64(speed*slowFrame)) {
			return wallMotion{}
		}
	}
	return m
}

// inDomain is what of a box, m, is in the domain.
func (l *Liquid) inDomain(box r3.Box) r3.Box {
	return r3.Box{Min: boxes.Max(box.Min, l.def.Domain.Min), Max: boxes.Min(box.Max, l.def.Domain.Max)}
}

// standStill has no solid moved since the surface was: the surface does not move either.
func (l *Liquid) standStill() {
	l.world.motions = arrays.Resize(l.world.motions, len(l.coupling.Solids))
	clear(l.world.motions)
}

// revertPoses takes the memory of where solids were back by a substep that is undone.
func (l *Liquid) revertPoses() {
	l.coupling.RevertPoses()
	for _, o := range l.world.obstacles {
		if o.moves {
			o.seen = o.last
		}
	}
}

// rigid.Pose is where an obstacle is.
func (o *obstacle) pose() rigid.Pose {
	m := &o.motion
	return rigid.Pose{Known: true, Centre: m.Translation, Turned: m.Rotation, Twist: rigid.Twist(m.Velocity, m.Spin)}
}
