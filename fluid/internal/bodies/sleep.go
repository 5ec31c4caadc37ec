package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// KeepsAwake reports whether bodies keep the liquid awake: a dynamic body in it is awake, any body moves in or near it, a resting one was moved or changed
// there, or bodies were added or removed. A body awake at rest needs the liquid to carry it.
func (c *Coupling) KeepsAwake() bool {
	n := c.Count()
	if n != len(c.state) {
		return true
	}
	for i := range n {
		if c.Bodies.ID(i) != c.state[i].id || c.displaced(i) {
			return true
		}
		if c.rests(i) || !c.IsCoupled(i) {
			continue
		}
		if c.Bodies.Kind(i) == engine.Dynamic && c.state[i].wet {
			return true
		}
		v, w := c.Bodies.Velocity(i)
		box := c.Bodies.Bounds(i)
		size := reproducible.Norm(r3.Sub(box.Max, box.Min))
		if reproducible.Norm(v)+float64(size*reproducible.Norm(w)) > sleep.CalmSpeed && c.Liquid.Near(box) {
			return true
		}
	}
	return false
}

// AppendReached appends the boxes, m, that bodies occupy or reach within dt seconds, except those of bodies that lie still; and the last boxes of removed
// bodies.
func (c *Coupling) AppendReached(dst []r3.Box, dt float64) []r3.Box {
	n := c.Count()
	for i := range max(n, len(c.state)) {
		if i < n && c.isStill(i) {
			continue
		}
		if i < len(c.state) {
			dst = append(dst, c.state[i].bounds)
		}
		if i < n {
			v, _ := c.Bodies.Velocity(i)
			if !geom.FiniteVec(v) {
				v = r3.Vec{}
			}
			dst = append(dst, boxes.Grown(c.Bodies.Bounds(i), dt*reproducible.Norm(v)))
		}
	}
	return dst
}

// isStill reports whether body i is static or asleep, was so in the last step, and has not been moved or changed since. Liquid may sleep around it.
func (c *Coupling) isStill(i int) bool {
	if i >= len(c.state) || c.Bodies.ID(i) != c.state[i].id || c.state[i].awake {
		return false
	}
	return c.rests(i) && c.Bodies.Bounds(i) == c.state[i].bounds && !c.displaced(i)
}

// holds reports whether sleeping liquid holds body i, which has been read: some of the liquid around it sleeps, and has no rows that tell the load. It is
// that when all of the liquid was last awake.
func (c *Coupling) holds(i int) bool {
	s := &c.state[i]
	return s.ok && !s.awake && !s.justAsleep && s.kind != engine.Static && c.Liquid.Asleep(s.bounds)
}
