package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What is remembered of where bodies were when the surface was moved: a body's velocity does not tell it, as a game sets that for the step to
// come, and contacts change it within one.

// Pose is the pose that the step takes body i in. It is not known of one that takes no part.
func (c *Coupling) Pose(i int) (p rigid.Pose) {
	s := &c.state[i]
	p.Centre, p.Turned = c.midway.body[i].centre, c.midway.body[i].turned
	p.Known, p.Twist = s.ok && finiteVec(p.Centre) && finiteQuat(p.Turned) && reproducible.QuatAbs(p.Turned) > 0, s.before
	return p
}

// SeenPose is where body i was when the surface was moved last.
func (c *Coupling) SeenPose(i int) *rigid.Pose { return &c.state[i].seen }

// SetSeenPose remembers where body i is as the surface is moved.
func (c *Coupling) SetSeenPose(i int, now *rigid.Pose) {
	s := &c.state[i]
	s.last, s.seen = s.seen, *now
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
	for i := range c.state {
		s := &c.state[i]
		s.seen = s.last
	}
}
