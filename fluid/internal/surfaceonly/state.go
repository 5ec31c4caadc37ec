package surfaceonly

import "github.com/meniscus3d/meniscus/fluid/internal/codec"

// mostState is more bytes than the state of any liquid takes that can be stepped.
const mostState = 1 << 28

// Code goes along the surface and its velocities.
func (s *Solver) Code(c *codec.Codec) {
	s.liquid.Code(c)
	if c.Reading() {
		s.rereadSolids()
		s.measure()
	}
}

// CodeMeasured has nothing to go along: nothing that steps measure outlasts them.
func (s *Solver) CodeMeasured(*codec.Codec) {}

// Most is more bytes than the state takes.
func (s *Solver) Most() int { return mostState }
