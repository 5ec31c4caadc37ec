package sleep

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// State is how long liquid has been calm. The zero State is that of liquid which is awake.
type State struct {
	Slow   float64 // s since anything was faster than SlowSpeedBody
	Time   float64 // s since it was last not calm
	Asleep bool
}

// Code encodes and decodes the state. Before version 7 it counted steps, at an assumed 60 a second.
func (s *State) Code(c *codec.Codec) {
	const most = math.MaxFloat64
	c.Float64(&s.Slow, 0, most)
	if c.Version() >= 7 {
		c.Float64(&s.Time, 0, most)
	} else {
		steps := 0
		c.Int(&steps, 0, math.MaxInt)
		if c.Reading() {
			s.Time = float64(steps) / 60
		}
	}
	c.Bool(&s.Asleep)
}
