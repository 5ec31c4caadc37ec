// Package synth makes audible what package sounds tells: bubbles ring, splashes and flows are noise in a band. It is plain Go, and with the same sources
// gives the same samples. It is meant to show what the data is good for; a game plays recordings, or its middleware, by the same data.
package synth

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/sounds"
)

const (
	// Rate is that of samples, Hz.
	Rate = 44100
	// Channels is how many samples each moment has: left, then right.
	Channels = 2
	// gain is the amplitude, of full scale, that a watt has at a metre. A dam break of a cubic metre then peaks at about full scale.
	gain = .02
	// mostRings is how many bubbles ring at once at most, and mostNew how many of a source begin in a step: each then stands for several.
	mostRings, mostNew = 96, 4
	// after, s, is for how long bubbles begin after what draws them in.
	after = .15
)

// Synth makes samples of sources, step by step. Make one with New.
type Synth struct {
	ear    ear
	noises []noise
	rings  []ring
	limit  limiter
	random random
	left   float64 // of a sample that is due
	mix    [Channels][]float64
	out    []int16
}

// New is a synth that hears from in front of the origin.
func New() *Synth {
	s := &Synth{random: 1}
	s.Listen(r3.Vec{Z: 1}, r3.Vec{})
	return s
}

// Listen puts the listener's head to a place, m, where it looks at a target.
func (s *Synth) Listen(eye, target r3.Vec) {
	ahead := r3.Sub(target, eye)
	right := r3.Cross(ahead, r3.Vec{Y: 1})
	if r3.Norm(right) < 1e-9 {
		right = r3.Vec{X: 1}
	}
	s.ear = ear{eye, r3.Unit(right)}
}

// Step returns the samples of a step of dt seconds with some sources, valid until the next: left and right in turns.
func (s *Synth) Step(sources []sounds.Source, dt float64) []int16 {
	s.left += dt * Rate
	n := int(s.left + 1e-6)
	s.left -= float64(n)
	s.hear(sources, dt)
	for c := range s.mix {
		if len(s.mix[c]) < n {
			s.mix[c] = make([]float64, n)
		}
		clear(s.mix[c][:n])
	}
	s.render(n)
	s.out = s.out[:0]
	for i := range n {
		for _, v := range s.limit.pass(s.mix[0][i], s.mix[1][i]) {
			s.out = append(s.out, int16(math.Round(v*math.MaxInt16)))
		}
	}
	return s.out
}

// hear starts and steers voices.
func (s *Synth) hear(sources []sounds.Source, dt float64) {
	for i := range s.noises {
		s.noises[i].level = [Channels]float64{}
	}
	drops := false
	for i := range sources {
		drops = drops || sources[i].Kind == sounds.Drop
	}
	for i := range sources {
		switch src := &sources[i]; src.Kind {
		case sounds.Splash, sounds.Tap, sounds.Sink, sounds.Side:
			s.steer(src)
		case sounds.Rain:
			if !drops { // else the drops are heard one by one
				s.steer(src)
			}
		case sounds.Bubbles:
			s.bubble(src, dt)
		default:
			s.ring(src.Position, src.Size*pitched(src), src.Energy, 0)
		}
	}
}

// pitched is the radius of the bubble that a source rings like, in its Size.
func pitched(s *sounds.Source) float64 { return sounds.Minnaert(1) / (s.Frequency() * s.Size) }

// steer has the noise of a source be as loud as it is.
func (s *Synth) steer(src *sounds.Source) {
	at := -1
	for i := range s.noises {
		if n := &s.noises[i]; n.kind == src.Kind && n.key == src.Key {
			at = i
		}
	}
	if at < 0 {
		at = len(s.noises)
		s.noises = append(s.noises, noise{kind: src.Kind, key: src.Key, random: random(uint64(src.Kind)<<32 ^ src.Key ^ 0x5bd1e995)})
		s.noises[at].tune(src.Frequency())
	}
	n := &s.noises[at]
	for c, part := range s.ear.parts(src.Position) {
		n.level[c] = gain * math.Sqrt(max(0, src.Power)) * part
	}
	n.tune(src.Frequency())
}

// bubble rings some of the bubbles of a source, a little later each.
func (s *Synth) bubble(src *sounds.Source, dt float64) {
	n := min(mostNew, int(math.Ceil(src.Rate*dt)))
	for range n {
		r := src.Size * math.Exp(1.5*s.random.part())
		s.ring(src.Position, r, src.Energy/float64(n), after*s.random.part())
	}
}

// ring begins a bubble of a radius, m, with an energy, J, in so many seconds.
func (s *Synth) ring(at r3.Vec, radius, energy, in float64) {
	if len(s.rings) >= mostRings || !(radius > 0) || !(energy > 0) {
		return
	}
	r := newRing(radius, energy, int(in*Rate))
	for c, part := range s.ear.parts(at) {
		r.level[c] = gain * r.amplitude * part
	}
	s.rings = append(s.rings, r)
}

// render adds all voices, and drops those that have died away.
func (s *Synth) render(n int) {
	kept := s.noises[:0]
	for _, v := range s.noises {
		if v.render(&s.mix, n) {
			kept = append(kept, v)
		}
	}
	s.noises = kept
	rings := s.rings[:0]
	for _, v := range s.rings {
		if v.render(&s.mix, n) {
			rings = append(rings, v)
		}
	}
	s.rings = rings
}

// ear is where the listener is, and which way is right.
type ear struct{ at, right r3.Vec }

// nearest, m, is the distance below which nothing becomes louder.
const nearest = .5

// parts are the left and the right of a source's amplitude: by its distance, and by its side, with as much power in all.
func (e *ear) parts(x r3.Vec) [Channels]float64 {
	d := r3.Sub(x, e.at)
	far := r3.Norm(d)
	side := 0.
	if far > 0 {
		side = r3.Dot(d, e.right) / far
	}
	sin, cos := math.Sincos((1 + side) * math.Pi / 4)
	near := 1 / max(nearest, far)
	return [Channels]float64{near * cos, near * sin}
}
