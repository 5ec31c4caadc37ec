package whitewater

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// coded is the number of bytes of a particle in Code.
const coded = 4*(4+3+1+1) + 1

// Bytes returns an upper bound of the bytes that Code writes.
func (w *Water) Bytes() int { return coded*MostParticles + 64 }

// Code encodes and decodes the particles. Reading keeps the first Config.Most of them.
func (w *Water) Code(c *codec.Codec) {
	c.Part("white water")
	p := &w.Now
	n := c.Count(p.Len(), MostParticles, coded)
	all := *p
	if c.Checking() {
		all = Particles{}
	} else if c.Reading() {
		p.resize(n)
		all = *p
	}
	reach := float32(0) // with room for rounding
	for _, x := range [2][3]float64{reproducible.Array(w.Domain.Min), reproducible.Array(w.Domain.Max)} {
		for _, v := range x {
			reach = max(reach, float32(1.001*math.Abs(v)))
		}
	}
	c.Float32s(all.Spheres, 4*n, -reach, reach)
	c.Float32s(all.Velocities, 3*n, -2*fastest, 2*fastest)
	c.Float32s(all.Life, n, 0, 1)
	c.Float32s(all.span, n, 1e-3, 1e3)
	c.Uint8s(all.Kind, n, Spray, Kinds-1)
	if c.Reading() {
		p.cut(min(n, w.Most))
	}
}
