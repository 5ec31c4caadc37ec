package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// What versions after 7 added to the state stands at its end. As long as it is what it was before a call or a step made something of it, it has
// no part in the hash, which so is the same as that of a file of an older version.

// hasLater tells whether some of what later versions added is not as in a new liquid.
func (s *state) hasLater() bool {
	return s.sim.flows.HasLater() || s.sim.world.wind != (Wind{})
}

// codeLater goes along what later versions added.
func (s *state) codeLater(c *codec.Codec) {
	l, w := s.sim, &s.sim.world
	if c.Version() < 8 {
		if c.Reading() {
			l.flows.ForgetLater()
			w.wind = Wind{}
		}
		return
	}
	l.flows.CodeLater(c, l.whole())
	c.Part("wind")
	c.Vec(&w.wind.Velocity, maxMotion)
	c.Float64(&w.wind.Drag, 0, maxWindDrag)
}
