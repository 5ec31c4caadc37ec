package flows

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// CodeOpenings encodes and decodes the emitters and sinks.
func (f *Flows) CodeOpenings(c *codec.Codec) {
	c.Part("emitters")
	list := c.List(len(f.Emitters.All))
	for list.Next() {
		e := f.Emitters.All[list.At]
		c.SameBox("the bounds of a shape", e.Shape.Bounds())
		c.Settable("Velocity or Rate", -f.MaxSpeed, f.MaxSpeed, &e.Velocity.X, &e.Velocity.Y, &e.Velocity.Z)
		c.Settable("Velocity or Rate", math.SmallestNonzeroFloat64, MaxRate, &e.Rate)
		c.Bool(&e.Running)
		c.Float64(&e.Debt, -math.MaxFloat64, math.MaxFloat64)
	}
	c.Part("sinks")
	list = c.List(len(f.Sinks.All))
	for list.Next() {
		s := f.Sinks.All[list.At]
		c.SameBox("the bounds of a shape", s.Shape.Bounds())
		c.Settable("their rates", math.SmallestNonzeroFloat64, MaxRate, &s.Rate)
		if c.Version() >= 3 {
			c.Float64(&s.debt, 0, math.MaxFloat64)
		}
	}
}

// Code encodes and decodes the currents of the sides that are Flow.
func (t *Sides) Code(c *codec.Codec) {
	c.Part("currents")
	for i, flow := range t.Flow {
		if flow {
			to := &t.side[i]
			c.Float64(&to.Velocity, -MaxCurrent, MaxCurrent)
			c.Float64(&to.Level, -math.MaxFloat64, math.MaxFloat64)
			c.Float64(&to.debt, -math.MaxFloat64, math.MaxFloat64)
		}
	}
}

// Version 8 of the format adds where emitters and sinks are, and drops; version 11 adds rotations.

// HasLater reports whether the state that version 8 adds differs from that of a new liquid.
func (f *Flows) HasLater() bool {
	some := len(f.Drops.All) > 0
	for _, e := range f.Emitters.All {
		some = some || !e.unmoved()
	}
	for _, s := range f.Sinks.All {
		some = some || !s.unmoved()
	}
	return some
}

// CodeLater encodes and decodes the state that version 8 adds. Drops are within a box, m.
func (f *Flows) CodeLater(c *codec.Codec, within r3.Box) {
	c.Part("where emitters and sinks are")
	for _, e := range f.Emitters.All {
		e.code(c)
	}
	for _, s := range f.Sinks.All {
		s.code(c)
	}
	f.Drops.Code(c, within)
}

// code encodes and decodes the pose of a shape.
func (m *Movable) code(c *codec.Codec) {
	c.Vec(&m.moved, shapes.MaxCoord)
	if c.Version() >= 11 {
		q := &m.turned
		for _, v := range [4]*float64{&q.Real, &q.Imag, &q.Jmag, &q.Kmag} {
			c.Float64(v, -1, 1)
		}
		if n := reproducible.QuatAbs(*q); c.Reading() && n != 0 && !(math.Abs(n-1) <= 1e-9) {
			c.Fail("a rotation of length %v; must be 1, or 0 for none", n)
		}
	} else if c.Reading() {
		m.turned = quat.Number{}
	}
	if c.Reading() {
		m.place()
	}
}

// ForgetLater resets the state that version 8 adds to that of a new liquid.
func (f *Flows) ForgetLater() {
	for _, e := range f.Emitters.All {
		e.moved, e.turned = r3.Vec{}, quat.Number{}
	}
	for _, s := range f.Sinks.All {
		s.moved, s.turned = r3.Vec{}, quat.Number{}
	}
	f.Drops.Clear()
}
