package fluid

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// Liquid is kept on its side of a thin wall by tracing it in the wall's frame. That needs the wall's motion from where it was
// when the surface was last moved to where it is now. A body's velocity does not tell it: a game sets that for the step to come,
// and contacts change it within one. So poses are remembered.

// stood is the pose of what never moved.
var stood = rigid.Pose{Known: true, Turned: quat.Number{Real: 1}}

// readWallMotions finds how each solid has moved since the surface was, and remembers where it is.
func (l *simulation) readWallMotions() {
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
func (l *simulation) motionSince(i int, from, to *rigid.Pose) (m walls.Motion) {
	solid := &l.coupling.Solids[i]
	if !from.Known || !to.Known || solid.Fixed || !boxes.Overlap(solid.Bounds, l.def.Domain) {
		return m
	}
	m = walls.Between(from.Centre, from.Turned, to.Centre, to.Turned)
	if m.Moves() {
		box := l.inDomain(solid.Bounds)
		speed := max(walls.MaxSpeedIn(box, to.Centre, &to.Twist), walls.MaxSpeedIn(box, to.Centre, &from.Twist))
		if !(m.Farthest(box) <= l.def.CellSize+float64(speed*slowFrame)) {
			return walls.Motion{}
		}
	}
	return m
}

// inDomain is what of a box, m, is in the domain.
func (l *simulation) inDomain(box r3.Box) r3.Box {
	return boxes.Intersection(box, l.def.Domain)
}

// standStill has no solid moved since the surface was: the surface does not move either.
func (l *simulation) standStill() {
	l.world.motions = arrays.Resize(l.world.motions, len(l.coupling.Solids))
	clear(l.world.motions)
}

// revertPoses takes the memory of where solids were back by a substep that is undone.
func (l *simulation) revertPoses() {
	l.coupling.RevertPoses()
	for _, o := range l.world.obstacles {
		if o.moves {
			o.seen = o.last
		}
	}
}

// readThinWalls lists the thin walls of the step, and has the blocks near them marked.
func (l *simulation) readThinWalls() {
	c, set := l.coupling, l.disc.StepWalls()
	set.Clear()
	if len(l.world.static.Shapes()) > 0 {
		set.Add(l.world.distance, l.world.static.Bounds(), &walls.Motion{})
	}
	for i := range c.Solids {
		if s := &c.Solids[i]; s.Thin && boxes.Overlap(s.Bounds, l.def.Domain) {
			set.Add(s.Distance, s.Bounds, &l.world.motions[i])
		}
	}
	l.disc.MarkThinWalls()
}

// pose is where an obstacle is.
func (o *obstacle) pose() rigid.Pose {
	m := &o.motion
	return rigid.Pose{Known: true, Centre: m.Translation, Turned: m.Rotation, Twist: rigid.Twist(m.Velocity, m.AngularVelocity)}
}
