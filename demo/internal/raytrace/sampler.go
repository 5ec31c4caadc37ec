package raytrace

import "math"

// sampler gives the points of the unit square that one sample of one pixel uses, in pairs: for each pair another scrambling of the same
// low-discrepancy sequence, so that the samples of a pixel fill each square evenly. The same pixel and sample always give the same points.
//
// Source: Burley 2020, Practical hash-based Owen scrambling.
type sampler struct {
	seed  uint32 // of the pixel
	index uint32 // of the sample
	pair  uint32
	place Point // as textures are asked for it, here so that no ray needs memory of its own
}

// next is the next pair, each from 0 to below 1.
func (s *sampler) next() (u, v float64) {
	s.pair++
	seed := hash32(s.seed ^ s.pair*0x9e3779b9)
	i := scramble(s.index, seed)
	x, y := sobol(i)
	return unit32(scramble(x, hash32(seed^0x68bc21eb))), unit32(scramble(y, hash32(seed^0x02e5be93)))
}

// one is a number from 0 to below 1. It takes a pair.
func (s *sampler) one() float64 {
	u, _ := s.next()
	return u
}

// sobol is point i of the Sobol' sequence's first two dimensions, in parts of 2^32.
func sobol(i uint32) (x, y uint32) {
	x = reverse(i)
	for v := uint32(1) << 31; i != 0; i, v = i>>1, v^v>>1 {
		if i&1 == 1 {
			y ^= v
		}
	}
	return x, y
}

// scramble permutes the digits of x from the highest on, each as those above it say: Owen's scrambling, by a hash.
//
// Source: Laine and Karras 2011, with the constants of Vegdahl 2021.
func scramble(x, seed uint32) uint32 {
	x = reverse(x)
	x ^= x * 0x3d20adea
	x += seed
	x *= (seed >> 16) | 1
	x ^= x * 0x05526c56
	x ^= x * 0x53a22864
	return reverse(x)
}

func reverse(x uint32) uint32 {
	x = x>>16 | x<<16
	x = x&0x00ff00ff<<8 | x&0xff00ff00>>8
	x = x&0x0f0f0f0f<<4 | x&0xf0f0f0f0>>4
	x = x&0x33333333<<2 | x&0xcccccccc>>2
	return x&0x55555555<<1 | x&0xaaaaaaaa>>1
}

func hash32(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x21f0aaad
	x ^= x >> 15
	x *= 0xd35a2d97
	return x ^ x>>15
}

func unit32(x uint32) float64 { return float64(x) / (1 << 32) }

// disc maps the unit square to the unit disc, areas to equal areas.
func disc(u, v float64) (x, y float64) {
	sin, cos := math.Sincos(2 * math.Pi * v)
	r := math.Sqrt(u)
	return r * cos, r * sin
}
