package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// What versions after 7 added to the state stands at its end. As long as it is what it was before a call or a step made something of it, it has
// no part in the hash, which so is the same as that of a file of an older version.

// hasLater tells whether some of what later versions added is not as in a new liquid.
func (l *Liquid) hasLater() bool {
	w := &l.world
	some := len(w.drops.all) > 0 || w.wind != (Wind{})
	for _, e := range w.emitters {
		some = some || e.moved != (r3.Vec{})
	}
	for _, s := range w.sinks {
		some = some || s.moved != (r3.Vec{})
	}
	return some
}

// codeLater goes along what later versions added.
func (l *Liquid) codeLater(c *codec.Codec) {
	w := &l.world
	if c.Version() < 8 {
		if c.Reading() {
			w.forgetLater()
		}
		return
	}
	c.Part("where emitters and sinks are")
	for _, e := range w.emitters {
		codeVec(c, &e.moved, shapes.MaxCoord)
		if c.Reading() {
			e.place(e.Shape)
		}
	}
	for _, s := range w.sinks {
		codeVec(c, &s.moved, shapes.MaxCoord)
		if c.Reading() {
			s.place(s.shape)
		}
	}
	w.drops.code(c, l.m.Whole())
	c.Part("wind")
	codeVec(c, &w.wind.Velocity, maxMotion)
	c.Float64(&w.wind.Drag, 0, maxWindDrag)
}

// forgetLater makes what version 8 added what it is in a new liquid.
func (w *surroundings) forgetLater() {
	for _, e := range w.emitters {
		e.moved = r3.Vec{}
	}
	for _, s := range w.sinks {
		s.moved = r3.Vec{}
	}
	w.drops.all, w.drops.volume = w.drops.all[:0], 0
	w.wind = Wind{}
}

// code goes along the drops of taps.
func (d *drops) code(c *codec.Codec, within r3.Box) {
	const most = math.MaxFloat64
	c.Part("drops of emitters")
	n := c.Count(len(d.all), maxDrops, 7*8)
	if c.Reading() {
		d.all = arrays.Resize(d.all, n)
	}
	var none tapDrop
	for i := range n {
		p := &none
		if !c.Checking() {
			p = &d.all[i]
		}
		c.Float64(&p.x.X, within.Min.X, within.Max.X)
		c.Float64(&p.x.Y, within.Min.Y, within.Max.Y)
		c.Float64(&p.x.Z, within.Min.Z, within.Max.Z)
		codeVec(c, &p.v, maxMotion)
		c.Float64(&p.volume, 0, most)
	}
	c.Float64(&d.volume, 0, most)
}

// codeVec goes along a vector of which each part is at most so long.
func codeVec(c *codec.Codec, v *r3.Vec, most float64) {
	for _, p := range [3]*float64{&v.X, &v.Y, &v.Z} {
		c.Float64(p, -most, most)
	}
}
