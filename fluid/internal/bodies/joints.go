package bodies

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// readJoints reads the joints' rows, and drops invalid ones.
func (cs *constraints) readJoints() {
	c := cs.c
	c.Joints, cs.joined = c.Joints[:0], arrays.Resize(cs.joined, len(c.Rigid))
	for i := range cs.joined {
		cs.joined[i] = false
	}
	if c.Bodies == nil {
		return
	}
	bad := -1
	for j := range c.Bodies.Joints() {
		var out rigid.Joint
		a, b, n := c.Bodies.JointRows(j, &out.Rows)
		if n == 0 {
			continue
		}
		out.N = n
		if a < -1 || b < -1 || a >= len(c.Rigid) || b >= len(c.Rigid) || !goodJoint(&out) {
			if bad < 0 {
				bad = j
			}
			continue
		}
		out.A, out.B = int32(a), int32(b)
		c.Joints = append(c.Joints, out)
		for _, i := range [2]int{a, b} {
			if i >= 0 {
				cs.joined[i] = true
			}
		}
	}
	if bad >= 0 && !cs.badJoint {
		c.Warn("Bodies", fmt.Sprintf("joint %d: JointRows is not of at most 6 rows of finite numbers up to 1e12 between two of %d bodies; the liquid does without it", bad, len(c.Rigid)))
	}
	cs.badJoint = bad >= 0
}
