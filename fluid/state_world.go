package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
)

// code goes along what acts on the liquid. A game's shapes are code and can't be written: their bounds and kinds must be the same; what steps and calls change of the rest is state.
// restacks tells whether obstacles that were read stand still now and moved before, or the other way round.
func (w *surroundings) code(c *codec.Codec) (restacks bool) {
	w.codeTaps(c)
	c.Part("fields")
	list := listOf(c, len(w.fields))
	for list.next() {
		codeField(c, w.fields[list.at])
	}
	c.Part("obstacles")
	list = listOf(c, len(w.obstacles.All))
	for list.next() {
		restacks = w.obstacles.Code(c, list.at) || restacks
	}
	return restacks
}

// things goes along a list of n things, in the order in which they were added. Before version 8 those that had been removed were listed, too,
// and are passed over.
type things struct {
	c           *codec.Codec
	n, left, at int
}

func listOf(c *codec.Codec, n int) things {
	return things{c: c, n: n, left: c.Count(n, math.MaxInt32, 8), at: -1}
}

// next goes on to the next thing and tells whether there is one.
func (t *things) next() bool {
	c := t.c
	for ; t.left > 0 && !c.Failed(); t.left-- {
		if removed := c.Count(0, 1, 0); removed == 1 && c.Version() < 8 {
			continue
		}
		if t.at++; t.at >= t.n {
			break
		}
		t.left--
		return true
	}
	if t.at+1 != t.n || t.left > 0 {
		c.Fail("their number is not what it was when this was saved")
	}
	return false
}

func (w *surroundings) codeTaps(c *codec.Codec) {
	c.Part("emitters")
	list := listOf(c, len(w.emitters))
	for list.next() {
		e := w.emitters[list.at]
		codeShape(c, e.Shape)
		codeSet(c, "Velocity or Rate", -maxMotion, maxMotion, &e.Velocity.X, &e.Velocity.Y, &e.Velocity.Z)
		codeSet(c, "Velocity or Rate", math.SmallestNonzeroFloat64, maxRate, &e.Rate)
		c.Bool(&e.running)
		c.Float64(&e.debt, -math.MaxFloat64, math.MaxFloat64)
	}
	c.Part("sinks")
	list = listOf(c, len(w.sinks))
	for list.next() {
		s := w.sinks[list.at]
		codeShape(c, s.shape)
		codeSet(c, "their rates", math.SmallestNonzeroFloat64, maxRate, &s.rate)
		if c.Version() >= 3 {
			c.Float64(&s.debt, 0, math.MaxFloat64)
		}
	}
}

// codeField goes along what a field is like.
func codeField(c *codec.Codec, f *fields.Field) {
	const most = math.MaxFloat64
	c.Same("Kind", uint64(f.Kind))
	codeSet(c, "what they are like", -most, most, &f.Centre.X, &f.Centre.Y, &f.Centre.Z)
	codeSet(c, "what they are like", -most, most, &f.Axis.X, &f.Axis.Y, &f.Axis.Z)
	codeSet(c, "what they are like", 0, most, &f.Radius)
	codeSet(c, "what they are like", -fields.MaxStrength, fields.MaxStrength, &f.Strength)
}

// codeSet goes along numbers from lo to hi that can be set while the liquid runs. Before version 8 they had to be the same.
func codeSet(c *codec.Codec, what string, lo, hi float64, v ...*float64) {
	for _, p := range v {
		if c.Version() < 8 {
			c.SameFloats(what, *p)
		} else {
			c.Float64(p, lo, hi)
		}
	}
}

func codeShape(c *codec.Codec, s SDF) {
	b := s.Bounds()
	c.SameFloats("the bounds of a shape", b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
}
