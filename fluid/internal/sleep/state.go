package sleep

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// State is how calm liquid is. The zero State is that of liquid which is awake.
type State struct {
	Slow   float64 // for how long nothing was faster than SlowSpeedBody, s
	Time   float64 // for how long it was calm, s
	Asleep bool
}

// Code goes along the sleep. Before version 7 it counted steps, at an assumed 60 a second.
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
