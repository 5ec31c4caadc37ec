package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// What is remembered of where bodies were when the surface was moved: a body's velocity does not tell it, as a game sets that for the step to
// come, and contacts change it within one.

// pose is the pose that the step takes body i in. It is not known of one that takes no part.
func (c *Coupling) pose(i int) (p rigid.Pose) {
	s := &c.state[i]
	p.Centre, p.Turned = c.midway.body[i].centre, c.midway.body[i].turned
	p.Known, p.Twist = s.ok && finiteVec(p.Centre) && finiteQuat(p.Turned) && reproducible.QuatAbs(p.Turned) > 0, s.before
	return p
}

// SeenPose is where body i was when the surface was moved last.
func (c *Coupling) SeenPose(i int) *rigid.Pose { return &c.state[i].seen }

// ReadMotions finds how bodies have moved since the surface was, and remembers where they are. They are the first of the step's solids.
func (c *Coupling) ReadMotions(m *walls.Motions) {
	for i := range c.state {
		s, now := &c.state[i], c.pose(i)
		m.Read(i, &c.Solids[i], &s.seen, &now)
		s.last, s.seen = s.seen, now
	}
}

// BeginSubstep has nothing for RevertPoses to take back.
func (c *Coupling) BeginSubstep() {
	for i := range c.state {
		s := &c.state[i]
		s.last = s.seen
	}
}

// RevertPoses takes the memory of where bodies were back by a substep that is undone.
func (c *Coupling) RevertPoses() {
	c.solves.kept = false
	for i := range c.state {
		s := &c.state[i]
		s.seen = s.last
	}
}

// EachStirring visits the bounds of the step's solids that move, or rest and were put elsewhere, or made another, before the last Read, and may be in
// the domain.
func (c *Coupling) EachStirring(visit func(r3.Box)) {
	for i := range c.Solids {
		s := &c.Solids[i]
		if s.Still || s.Fixed && !(i < len(c.state) && c.state[i].put) || !boxes.Overlap(s.Bounds, c.Domain) {
			continue
		}
		visit(s.Bounds)
	}
}

// SolidVelocity is the velocity of a solid of the step at a place, m/s.
func (c *Coupling) SolidVelocity(solid int32, x r3.Vec) r3.Vec {
	return rigid.VelocityAt(&c.Rigid[solid].V, r3.Sub(x, c.Solids[solid].Centre))
}
