package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Disturb tells whether a dynamic body in the liquid is awake, or any body moves in or near it, or was put elsewhere or made another
// there, or bodies came or went. Even at rest a body that is awake needs the liquid to carry it.
func (c *Coupling) Disturb() bool {
	n := c.Count()
	if n != len(c.state) {
		return true
	}
	for i := range n {
		if c.Bodies.ID(i) != c.state[i].id || c.displaced(i) {
			return true
		}
		if c.rests(i) || !c.Takes(i) {
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

// AppendReached lists the boxes, m, that bodies are in, or come to in dt seconds, but for static ones that were there before; and
// those where a body was that is gone.
func (c *Coupling) AppendReached(dst []r3.Box, dt float64) []r3.Box {
	n := c.Count()
	for i := range max(n, len(c.state)) {
		same := i < n && i < len(c.state) && c.Bodies.ID(i) == c.state[i].id && c.Bodies.Kind(i) == engine.Static && c.Bodies.Bounds(i) == c.state[i].bounds
		if same && !c.displaced(i) {
			continue
		}
		if i < len(c.state) {
			dst = append(dst, c.state[i].bounds)
		}
		if i < n {
			v, _ := c.Bodies.Velocity(i)
			if !finiteVec(v) {
				v = r3.Vec{}
			}
			dst = append(dst, boxes.Grown(c.Bodies.Bounds(i), dt*reproducible.Norm(v)))
		}
	}
	return dst
}
