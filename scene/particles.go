package scene

import (
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"

	"github.com/meniscus3d/meniscus/fluid"
)

// particleKind is what is drawn as sprites, in the order in which the buffer holds it.
type particleKind int

const (
	bubbleKind particleKind = iota
	dropletKind
	sprayKind
	foamKind
	particleKinds
)

// particleFloats is how many numbers a particle has in the buffer: centre, radius, velocity, and the share of its life that is left.
const particleFloats = 8

// mostParticles is how many of each kind of white water are drawn at most, by quality. Those that came first are drawn.
var mostParticles = map[DrawQuality]int{DrawLow: 10_000, DrawMedium: 50_000, DrawHigh: 50_000}

// particles are a liquid's droplets and white water in one buffer, which is uploaded once when they change.
type particles struct {
	geometry *geometry.Geometry
	buffer   *gls.VBO
	values   []float32
	first    [particleKinds + 1]int // of each kind
}

func newParticles() *particles {
	p := &particles{geometry: geometry.NewGeometry()}
	p.buffer = streamed(p.geometry, func(v *gls.VBO) {
		v.AddCustomAttrib("Particle", 4)
		v.AddCustomAttrib("Motion", 4)
	})
	return p
}

// count is how many there are of a kind.
func (p *particles) count(k particleKind) int { return p.first[k+1] - p.first[k] }

// set takes a surface's droplets, and no more than most of each kind of its white water.
func (p *particles) set(s *fluid.Surface, most int) {
	w := &s.WhiteWater
	all := min(len(w.Spheres)/4, len(w.Velocities)/3, len(w.Life), len(w.Kind))
	var n, next [particleKinds]int
	for _, kind := range w.Kind[:all] {
		if k, is := kindOf(kind); is {
			n[k] = min(n[k]+1, most)
		}
	}
	n[dropletKind] = len(s.Droplets) / 4
	for k := range n {
		next[k] = p.first[k]
		p.first[k+1] = p.first[k] + n[k]
	}
	total := particleFloats * p.first[particleKinds]
	if cap(p.values) < total {
		p.values = make([]float32, total+total/4)
	}
	p.values = p.values[:total]
	for i, kind := range w.Kind[:all] {
		if k, is := kindOf(kind); is && next[k] < p.first[k+1] {
			p.put(next[k], w.Spheres[4*i:], w.Velocities[3*i:], w.Life[i])
			next[k]++
		}
	}
	moving := len(s.DropletVelocities) >= 3*n[dropletKind]
	for i := range n[dropletKind] {
		v := still[:]
		if moving {
			v = s.DropletVelocities[3*i:]
		}
		p.put(p.first[dropletKind]+i, s.Droplets[4*i:], v, 1)
	}
	p.buffer.SetBuffer(p.values)
}

// still is the velocity of droplets of which none is known.
var still [3]float32

// put enters the i-th particle.
func (p *particles) put(i int, sphere, velocity []float32, life float32) {
	to := p.values[particleFloats*i:]
	copy(to[:4], sphere[:4])
	copy(to[4:7], velocity[:3])
	to[7] = life
}

// kindOf is the kind of a particle of white water, if it is one.
func kindOf(kind uint8) (k particleKind, is bool) {
	switch kind {
	case fluid.WhiteSpray:
		return sprayKind, true
	case fluid.WhiteFoam:
		return foamKind, true
	case fluid.WhiteBubble:
		return bubbleKind, true
	}
	return 0, false
}
