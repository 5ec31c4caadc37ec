package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// code goes along what acts on the liquid. A game's shapes are code and can't be written: their bounds and kinds must be the same; what steps and calls change of the rest is state.
// restacks tells whether obstacles that were read stand still now and moved before, or the other way round.
func (w *surroundings) code(c *codec.Codec) (restacks bool) {
	w.fields.Code(c)
	c.Part("obstacles")
	list := c.List(len(w.obstacles))
	for list.Next() {
		o := w.obstacles[list.At]
		c.SameBox("the bounds of a shape", o.shape.Bounds())
		moved := o.moves
		o.code(c)
		restacks = restacks || o.moves != moved
	}
	return restacks
}

// code goes along how an obstacle moves. It goes on for ever, so that where it is has no limit.
func (o *obstacle) code(c *codec.Codec) {
	m := &o.motion
	c.Bool(&o.moves)
	for _, v := range [3]*float64{&m.Translation.X, &m.Translation.Y, &m.Translation.Z} {
		c.Float64(v, -math.MaxFloat64, math.MaxFloat64)
	}
	for _, v := range [4]*float64{&m.Rotation.Real, &m.Rotation.Imag, &m.Rotation.Jmag, &m.Rotation.Kmag} {
		c.Float64(v, -1.1, 1.1)
	}
	for _, v := range [6]*float64{&m.Velocity.X, &m.Velocity.Y, &m.Velocity.Z, &m.AngularVelocity.X, &m.AngularVelocity.Y, &m.AngularVelocity.Z} {
		c.Float64(v, -maxMotion, maxMotion)
	}
	if c.Version() >= 7 {
		o.seen.Code(c)
	} else if c.Reading() {
		o.seen = rigid.Pose{}
	}
	if c.Reading() && o.moves {
		o.place()
	}
}
