package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// Code encodes or decodes what published foam remembers beside Cur: how fast the surface was in each block where that is known,
// and the splashes to come. levels, per base cell, are the grid's, but for checking.
func (f *Foam) Code(c *codec.Codec, levels []uint8) {
	const most = math.MaxFloat32
	c.Part("foam")
	for b, l := range levels {
		groups, n := 0, 0
		if l >= 2 {
			groups = 1 << (3 * (l - 1))
		}
		if f.timed[b] {
			n = groups
		}
		if n = c.Count(n, groups, 4); n != 0 && n != groups {
			c.Fail("a block has %d speeds; must be %d or none", n, groups)
		}
		var speed []float32
		if !c.Checking() {
			speed = f.speed[f.g.Cur.First[b]/8:][:n]
		}
		c.Float32s(speed, n, -1, most)
		if c.Reading() {
			f.timed[b] = n > 0
		}
	}
	n := c.Count(len(f.splash), math.MaxInt32, 5*8)
	if c.Reading() {
		f.splash = f.splash[:0]
	}
	for i := range n {
		var s splash
		if c.Writing() {
			s = f.splash[i]
		}
		c.Float64s(s.x[:], len(s.x), -most, most)
		c.Float64(&s.radius, 1e-9, most)
		c.Float64(&s.strength, 0, 1)
		if c.Reading() {
			f.splash = append(f.splash, s)
		}
	}
}
