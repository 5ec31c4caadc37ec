package droplets

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// sprayState is a copy of the droplets' state for Restore.
type sprayState struct {
	position, velocity, radius []float32
	volume                     float64
}

// Keep stores the droplets for Restore.
func (s *Spray) Keep() {
	k := &s.kept
	k.position = append(k.position[:0], s.Position...)
	k.velocity = append(k.velocity[:0], s.Velocity...)
	k.radius = append(k.radius[:0], s.Radius...)
	k.volume = s.Volume
}

// Restore restores the droplets of the last Keep.
func (s *Spray) Restore() {
	k := &s.kept
	s.Position = append(s.Position[:0], k.position...)
	s.Velocity = append(s.Velocity[:0], k.velocity...)
	s.Radius = append(s.Radius[:0], k.radius...)
	s.Volume = k.volume
	s.Begin()
}

// Code encodes and decodes the droplets.
func (s *Spray) Code(c *codec.Codec) {
	const most = math.MaxFloat32
	c.Part("droplets")
	n := c.Count(s.Len(), max(s.Max, 0), 7*4)
	if c.Reading() {
		if n > 0 {
			s.reserve()
		}
		s.truncate(n)
		s.Begin()
	}
	c.Float32s(s.Position, 3*n, -most, most)
	c.Float32s(s.Velocity, 3*n, -most, most)
	c.Float32s(s.Radius, n, -most, most)
	c.Float64(&s.Volume, -most, most)
}
