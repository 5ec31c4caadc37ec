package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// What versions after 7 added to the state stands at its end. As long as it is what it was before a call or a step made something of it, it has
// no part in the hash, which so is the same as that of a file of an older version.

// hasLater tells whether some of what later versions added is not as in a new liquid.
func (s *state) hasLater() bool {
	l := s.sim
	w := &l.world
	some := len(w.drops.All) > 0 || w.wind != (Wind{})
	for _, e := range w.emitters {
		some = some || e.moved != (r3.Vec{})
	}
	for _, s := range w.sinks {
		some = some || s.moved != (r3.Vec{})
	}
	return some
}

// codeLater goes along what later versions added.
func (s *state) codeLater(c *codec.Codec) {
	l := s.sim
	w := &l.world
	if c.Version() < 8 {
		if c.Reading() {
			w.forgetLater()
		}
		return
	}
	c.Part("where emitters and sinks are")
	for _, e := range w.emitters {
		c.Vec(&e.moved, shapes.MaxCoord)
		if c.Reading() {
			e.place(e.Shape)
		}
	}
	for _, s := range w.sinks {
		c.Vec(&s.moved, shapes.MaxCoord)
		if c.Reading() {
			s.place(s.shape)
		}
	}
	w.drops.Code(c, l.whole())
	c.Part("wind")
	c.Vec(&w.wind.Velocity, maxMotion)
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
	w.drops.Clear()
	w.wind = Wind{}
}
