package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// The poses of bodies when the surface last moved are stored: a body's velocity does not give its motion since then, as a game sets the velocity for the next
// step, and contacts change it within one.

// pose returns the pose of body i in the step. It is not Known for a body that takes no part.
func (c *Coupling) pose(i int) (p rigid.Pose) {
	s := &c.state[i]
	p.Centre, p.Turned = c.midway.body[i].centre, c.midway.body[i].turned
	p.Known, p.Twist = s.ok && geom.FiniteVec(p.Centre) && geom.FiniteQuat(p.Turned) && reproducible.QuatAbs(p.Turned) > 0, s.before
	return p
}

// SeenPose returns the pose of body i when the surface last moved.
func (c *Coupling) SeenPose(i int) *rigid.Pose { return &c.state[i].seen }

// ReadMotions sets the motions of bodies since the surface last moved, and stores their poses. They are the first of the step's solids.
func (c *Coupling) ReadMotions(m *walls.Motions) {
	for i := range c.state {
		s, now := &c.state[i], c.pose(i)
		m.Read(i, &c.Solids[i], &s.seen, &now)
		s.last, s.seen = s.seen, now
	}
}

// BeginSubstep stores the poses for RevertPoses.
func (c *Coupling) BeginSubstep() {
	for i := range c.state {
		s := &c.state[i]
		s.last = s.seen
	}
}

// RevertPoses restores the poses of BeginSubstep, after a failed substep.
func (c *Coupling) RevertPoses() {
	c.solves.kept = false
	for i := range c.state {
		s := &c.state[i]
		s.seen = s.last
	}
}

// EachMoved visits the bounds of solids in the domain that move, or that rest and were moved or changed before the last
// Read.
func (c *Coupling) EachMoved(visit func(r3.Box)) {
	for i := range c.Solids {
		s := &c.Solids[i]
		if s.Still || s.Fixed && !(i < len(c.state) && c.state[i].movedAtRest) || !boxes.Overlap(s.Bounds, c.Domain) {
			continue
		}
		visit(s.Bounds)
	}
}

// SolidVelocity returns the velocity of a solid at a place, m/s.
func (c *Coupling) SolidVelocity(solid int32, x r3.Vec) r3.Vec {
	return rigid.VelocityAt(&c.Rigid[solid].V, r3.Sub(x, c.Solids[solid].Centre))
}
