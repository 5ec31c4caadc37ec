package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// code goes along what acts on the liquid. A game's shapes are code and can't be written: their bounds and kinds must be the same; what steps and calls change of the rest is state.
// restacks tells whether obstacles that were read stand still now and moved before, or the other way round.
func (w *surroundings) code(c *codec.Codec) (restacks bool) {
	w.codeTaps(c)
	c.Part("fields")
	list := c.List(len(w.fields))
	for list.Next() {
		codeField(c, w.fields[list.At])
	}
	c.Part("obstacles")
	list = c.List(len(w.obstacles))
	for list.Next() {
		o := w.obstacles[list.At]
		codeShape(c, o.shape)
		moved := o.moves
		o.code(c)
		restacks = restacks || o.moves != moved
	}
	return restacks
}

func (w *surroundings) codeTaps(c *codec.Codec) {
	c.Part("emitters")
	list := c.List(len(w.emitters))
	for list.Next() {
		e := w.emitters[list.At]
		codeShape(c, e.Shape)
		c.Settable("Velocity or Rate", -maxMotion, maxMotion, &e.Velocity.X, &e.Velocity.Y, &e.Velocity.Z)
		c.Settable("Velocity or Rate", math.SmallestNonzeroFloat64, maxRate, &e.Rate)
		c.Bool(&e.running)
		c.Float64(&e.debt, -math.MaxFloat64, math.MaxFloat64)
	}
	c.Part("sinks")
	list = c.List(len(w.sinks))
	for list.Next() {
		s := w.sinks[list.At]
		codeShape(c, s.shape)
		c.Settable("their rates", math.SmallestNonzeroFloat64, maxRate, &s.rate)
		if c.Version() >= 3 {
			c.Float64(&s.debt, 0, math.MaxFloat64)
		}
	}
}

// codeField goes along what a field is like.
func codeField(c *codec.Codec, f *fields.Field) {
	const most = math.MaxFloat64
	c.Same("Kind", uint64(f.Kind))
	c.Settable("what they are like", -most, most, &f.Centre.X, &f.Centre.Y, &f.Centre.Z)
	c.Settable("what they are like", -most, most, &f.Axis.X, &f.Axis.Y, &f.Axis.Z)
	c.Settable("what they are like", 0, most, &f.Radius)
	c.Settable("what they are like", -fields.MaxStrength, fields.MaxStrength, &f.Strength)
}

func codeShape(c *codec.Codec, s SDF) {
	b := s.Bounds()
	c.SameFloats("the bounds of a shape", b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
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
