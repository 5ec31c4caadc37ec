package obstacles

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// ReviewFaults sets obstacles aside whose shapes returned invalid numbers in the last step, and takes those back whose shapes are valid again. It
// reports whether something changed; then StackStatic must follow.
func (s *Set) ReviewFaults() (changed bool) {
	for _, o := range s.All {
		g, ok := o.Shape.(*shapes.Guarded)
		if !ok || !g.Fault.Seen() {
			continue
		}
		switch valid := g.Valid(); {
		case valid && o.SetAside:
			o.SetAside, changed = false, true
			g.Fault.Reset()
		case !o.SetAside:
			o.SetAside, changed = true, true
			o.Seen = rigid.Pose{}
		}
	}
	return changed
}

// Code encodes and decodes how obstacles move. Obstacles move without limit, so translations are unbounded. Shapes are the game's code, and not encoded:
// only their bounds must match. Code reports whether an obstacle became static or moving; then StackStatic must follow.
func (s *Set) Code(c *codec.Codec) (restacks bool) {
	c.Part("obstacles")
	list := c.List(len(s.All))
	for list.Next() {
		o := s.All[list.At]
		c.SameBox("the bounds of a shape", o.Shape.Bounds())
		moved := o.Moves
		o.code(c)
		restacks = restacks || o.Moves != moved
	}
	return restacks
}

func (o *Obstacle) code(c *codec.Codec) {
	m := &o.Motion
	c.Bool(&o.Moves)
	for _, v := range [3]*float64{&m.Translation.X, &m.Translation.Y, &m.Translation.Z} {
		c.Float64(v, -math.MaxFloat64, math.MaxFloat64)
	}
	for _, v := range [4]*float64{&m.Rotation.Real, &m.Rotation.Imag, &m.Rotation.Jmag, &m.Rotation.Kmag} {
		c.Float64(v, -1.1, 1.1)
	}
	for _, v := range [6]*float64{&m.Velocity.X, &m.Velocity.Y, &m.Velocity.Z, &m.AngularVelocity.X, &m.AngularVelocity.Y, &m.AngularVelocity.Z} {
		c.Float64(v, -MaxSpeed, MaxSpeed)
	}
	if c.Version() >= 7 {
		o.Seen.Code(c)
	} else if c.Reading() {
		o.Seen = rigid.Pose{}
	}
	if c.Reading() && o.Moves {
		o.place()
	}
}

// CopyTo copies the obstacles into dst; shapes are shared. It reports whether the static obstacles differ; then dst.StackStatic must follow.
func (s *Set) CopyTo(dst *Set) (restacks bool) {
	restacks = !dst.sameStatic(s)
	arrays.CopyEach(&dst.All, s.All, dst.copyObstacle)
	return restacks
}

// copyObstacle copies an obstacle of another set to one of this set.
func (s *Set) copyObstacle(to, from *Obstacle) {
	to.cullBox, to.membranes = from.cullBox, from.membranes
	if to.distanceInStep == nil || to.origin != from.origin {
		to.Shape = shapes.GuardCopy(from.Shape)
		to.distanceNow, to.distanceInStep = to.placed.Eval, s.movingDistance(to)
	}
	if _, ok := from.Shape.(*shapes.Guarded); !ok {
		to.Shape = from.Shape
	}
	to.origin, to.Moves, to.SetAside, to.Motion, to.Seen = from.origin, from.Moves, from.SetAside, from.Motion, from.Seen
	if to.Moves {
		to.place()
	}
}

// CopyFaults copies the faults of guards to a copy of the set, over those that its making has recorded, and whether the liquid was cut by each
// obstacle.
func (s *Set) CopyFaults(dst *Set) {
	for i, o := range s.All {
		dst.All[i].uncut = o.uncut
		if g, ok := o.Shape.(*shapes.Guarded); ok {
			dst.All[i].Shape.(*shapes.Guarded).Fault.CopyFrom(&g.Fault)
		}
	}
}

// sameStatic reports whether two sets have the same static obstacles.
func (s *Set) sameStatic(other *Set) bool {
	if len(s.All) != len(other.All) {
		return false
	}
	for i, o := range s.All {
		p := other.All[i]
		if o.origin != p.origin || o.Moves != p.Moves || o.SetAside != p.SetAside {
			return false
		}
	}
	return true
}
