package fluid

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Liquid is kept on its side of a thin wall by tracing it in the wall's frame. That needs the wall's motion from where it was
// when the surface was last moved to where it is now. A body's velocity does not tell it: a game sets that for the step to come,
// and contacts change it within one. So poses are remembered.

// pose is where a solid was when the surface was last moved, and how fast it was to go on from there.
type pose struct {
	known  bool
	centre r3.Vec
	turned quat.Number
	twist  [6]float64
}

// stood is the pose of what never moved.
var stood = pose{known: true, turned: quat.Number{Real: 1}}

// readWallMotions finds how each solid has moved since the surface was, and remembers where it is.
func (l *Liquid) readWallMotions() {
	c := &l.coupling
	c.wallMotions = arrays.Resize(c.wallMotions, len(c.solid))
	for i := range c.state {
		s := &c.state[i]
		now := c.poseOf(i)
		c.wallMotions[i] = l.motionSince(i, &s.seen, &now)
		s.last, s.seen = s.seen, now
	}
	i := len(c.state)
	for _, o := range l.world.obstacles {
		if o.moves {
			now := o.pose()
			c.wallMotions[i] = l.motionSince(i, &o.seen, &now)
			o.last, o.seen = o.seen, now
			i++
		}
	}
}

// motionSince is how a solid has moved from one pose to another. One that was put elsewhere has not moved.
func (l *Liquid) motionSince(i int, from, to *pose) (m walls.Motion) {
	solid := &l.coupling.solid[i]
	if !from.known || !to.known || solid.Fixed || !boxes.Overlap(solid.Bounds, l.def.Domain) {
		return m
	}
	m = walls.Between(from.centre, from.turned, to.centre, to.turned)
	if m.Moves() {
		box := l.inDomain(solid.Bounds)
		speed := max(walls.MaxSpeedIn(box, to.centre, &to.twist), walls.MaxSpeedIn(box, to.centre, &from.twist))
		if !(m.Farthest(box) <= l.def.CellSize+float64(speed*slowFrame)) {
			return walls.Motion{}
		}
	}
	return m
}

// inDomain is what of a box, m, is in the domain.
func (l *Liquid) inDomain(box r3.Box) r3.Box {
	return boxes.Intersection(box, l.def.Domain)
}

// standStill has no solid moved since the surface was: the surface does not move either.
func (l *Liquid) standStill() {
	c := &l.coupling
	c.wallMotions = arrays.Resize(c.wallMotions, len(c.solid))
	clear(c.wallMotions)
}

// revertPoses takes the memory of where solids were back by a substep that is undone.
func (l *Liquid) revertPoses() {
	for i := range l.coupling.state {
		s := &l.coupling.state[i]
		s.seen = s.last
	}
	for _, o := range l.world.obstacles {
		if o.moves {
			o.seen = o.last
		}
	}
}

// readThinWalls lists the thin walls of the step, and has the blocks near them marked.
func (l *Liquid) readThinWalls() {
	c, set := &l.coupling, l.m.Walls
	set.Clear()
	if len(l.world.static.Shapes()) > 0 {
		set.Add(l.world.distance, l.world.static.Bounds(), &walls.Motion{})
	}
	for i := range c.solid {
		if s := &c.solid[i]; s.Thin && boxes.Overlap(s.Bounds, l.def.Domain) {
			set.Add(s.Distance, s.Bounds, &c.wallMotions[i])
		}
	}
	l.m.MarkWalls()
}

// poseOf is the pose that the step takes body i in. It is not known of one that takes no part.
func (c *coupling) poseOf(i int) (p pose) {
	s := &c.state[i]
	p.centre, p.turned = c.midway[i].centre, c.midway[i].turned
	p.known, p.twist = s.ok && finiteVec(p.centre) && finiteQuat(p.turned) && reproducible.QuatAbs(p.turned) > 0, s.before
	return p
}

// pose is where an obstacle is.
func (o *obstacle) pose() pose {
	m := &o.motion
	return pose{true, m.Translation, m.Rotation, twist(m.Velocity, m.Spin)}
}

// code goes along a pose. What a rigid-body engine tells may be anything.
func (p *pose) code(c *codec.Codec) {
	c.Bool(&p.known)
	q := &p.turned
	c.Bits(&p.centre.X, &p.centre.Y, &p.centre.Z, &q.Real, &q.Imag, &q.Jmag, &q.Kmag)
	for d := range p.twist {
		c.Bits(&p.twist[d])
	}
}
