package bodies

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// revised reports whether the game has changed body i since the last step that read it, other than by moving it.
func (c *Coupling) revised(i int) bool {
	s := &c.state[i]
	from, can := c.Bodies.(engine.Revising)
	return can && s.known && from.Revision(i) != s.revision
}

// keepRevision stores the revision of body i.
func (c *Coupling) keepRevision(i int) {
	s := &c.state[i]
	if from, can := c.Bodies.(engine.Revising); can {
		s.revision, s.known = from.Revision(i), true
	}
}

// rests reports whether body i is static or asleep.
func (c *Coupling) rests(i int) bool { return c.Bodies.Kind(i) == engine.Static || !c.Bodies.Awake(i) }

// wasMovedAtRest reports whether body i, which rests and did so in the last step, was moved since, from or to a place near the domain,
// or changed.
func (c *Coupling) wasMovedAtRest(i int, centre r3.Vec, turned quat.Number, bounds r3.Box, near bool) bool {
	s := &c.state[i]
	if s.awake || s.unread {
		return false
	}
	if !s.placed {
		return near
	}
	return s.centre != centre || s.turned != turned || s.bounds != bounds || c.revised(i)
}

// jumped reports whether a body that was moved at rest has moved by more than a cell, or was changed in place. Small motions, as of a body that a game places
// anew in every frame, are no jumps.
func (s *bodyState) jumped(centre r3.Vec, bounds r3.Box, cell float64) bool {
	if !s.placed || s.centre == centre && s.bounds == bounds {
		return true
	}
	far := max(reproducible.Norm(r3.Sub(centre, s.centre)), reproducible.Norm(r3.Sub(bounds.Min, s.bounds.Min)), reproducible.Norm(r3.Sub(bounds.Max, s.bounds.Max)))
	return !(far <= cell)
}

// displaced reports whether the game has moved or changed body i, which rests, near liquid since the last step.
func (c *Coupling) displaced(i int) bool {
	s := &c.state[i]
	if !c.rests(i) || s.awake {
		return false
	}
	centre, turned := c.Bodies.Pose(i)
	box := c.Bodies.Bounds(i)
	if !c.wasMovedAtRest(i, centre, turned, box, boxes.Overlap(box, c.Domain) && c.IsCoupled(i)) {
		return false
	}
	return s.placed && c.Liquid.Near(s.bounds) || badPlace(centre, turned, box) == "" && c.IsCoupled(i) && c.Liquid.Near(box)
}
