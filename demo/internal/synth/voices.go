package synth

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/sounds"
)

// silent is the amplitude, of full scale, at which a voice ends: below half of the least step of 16 bits.
const silent = 1e-5

// ring is a bubble of air: a sine that dies away and rises.
//
// Source: van den Doel 2005, Physically-based models for liquid sounds, eqs. 2 to 6.
type ring struct {
	wait      int // samples
	phase     float64
	turn      float64 // rad a sample
	rise      float64 // rad a sample²
	fade      float64 // a sample
	amplitude float64 // at a metre, in watts' root
	level     [Channels]float64
}

// rising is how much higher a bubble rings, of its frequency, by when its amplitude has fallen to 37 %: it nears the surface.
const rising = .03

// newRing is a bubble with an energy, J, that begins after so many samples.
func newRing(radius, energy float64, wait int) ring {
	f := min(sounds.Minnaert(radius), .45*Rate)
	damping := .13/radius + .0072/(radius*math.Sqrt(radius)) // 1/s
	turn := 2 * math.Pi * f / Rate
	return ring{
		wait: wait, turn: turn, rise: turn * rising * damping / Rate, fade: math.Exp(-damping / Rate),
		amplitude: math.Sqrt(4 * damping * energy), // the square's integral is the energy
	}
}

// render adds n samples, and tells whether more are to come.
func (r *ring) render(mix *[Channels][]float64, n int) bool {
	from := min(r.wait, n)
	r.wait -= from
	for i := from; i < n; i++ {
		v := math.Sin(r.phase)
		for c := range mix {
			mix[c][i] += r.level[c] * v
			r.level[c] *= r.fade
		}
		r.phase += r.turn
		if r.turn < math.Pi {
			r.turn += r.rise
		}
	}
	return max(r.level[0], r.level[1]) > silent
}

// noise is noise in a band: of a splash, a flow, or rain.
type noise struct {
	kind   sounds.Kind
	key    uint64
	random random
	level  [Channels]float64 // to come to
	now    [Channels]float64
	band
}

// Levels come up and go down within these times, s.
const comes, goes = .002, .06

// render adds n samples, and tells whether it is still heard.
func (v *noise) render(mix *[Channels][]float64, n int) bool {
	up, down := 1-math.Exp(-1/(comes*Rate)), 1-math.Exp(-1/(goes*Rate))
	for i := range n {
		x := v.pass(v.random.even())
		for c := range mix {
			by := down
			if v.level[c] > v.now[c] {
				by = up
			}
			v.now[c] += by * (v.level[c] - v.now[c])
			mix[c][i] += v.now[c] * x
		}
	}
	return max(v.now[0], v.now[1], v.level[0], v.level[1]) > silent
}

// band passes a band of frequencies.
//
// Source: Bristow-Johnson, Cookbook formulae for audio equalizer biquad filter coefficients: the band-pass with 0 dB at its peak.
type band struct {
	b0, a1, a2 float64
	x, y       [2]float64
	scale      float64
}

// quality is the band's frequency over its width.
const quality = .8

// tune sets the band's middle, Hz.
func (b *band) tune(f float64) {
	f = max(40, min(f, .3*Rate))
	w := 2 * math.Pi * f / Rate
	sin, cos := math.Sincos(w)
	alpha := sin / (2 * quality)
	b.b0, b.a1, b.a2 = alpha/(1+alpha), -2*cos/(1+alpha), (1-alpha)/(1+alpha)
	// White noise of variance 1/3 keeps the part of the band's width, π/2 f/quality, over that of all, Rate/2.
	b.scale = math.Sqrt(3 * quality * Rate / (math.Pi * f))
}

// pass is the next sample: of noise from -1 to 1 one of unit power.
func (b *band) pass(x float64) float64 {
	y := b.b0*(x-b.x[1]) - b.a1*b.y[0] - b.a2*b.y[1]
	b.x[1], b.x[0] = b.x[0], x
	b.y[1], b.y[0] = b.y[0], y
	return y * b.scale
}

// random is a sequence of numbers by its state.
// Source: Steele, Lea, Flood 2014, SplitMix64.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	x := uint64(*r)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// part is from 0 to 1, even from -1 to 1.
func (r *random) part() float64 { return float64(r.next()>>11) / (1 << 53) }
func (r *random) even() float64 { return 2*r.part() - 1 }
