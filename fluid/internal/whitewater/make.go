package whitewater

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// rate is the expected number of particles from a source in a step, by trapped air and by torn liquid.
type rate struct{ trapped, torn float64 }

// thinFrom is the share of the greatest number of particles above which generation falls, linearly to zero at that number. Ageing rises there too, up
// to a factor of 1 + crowdedAging, to make room for new particles.
const thinFrom, crowdedAging = .5, 3

// crowding returns how crowded n particles are: 0 up to thinFrom, 1 at the greatest number.
func (w *Water) crowding(n int) float64 {
	most := min(w.step.Most, w.Most)
	if most == 0 {
		return 1
	}
	return Range{thinFrom, 1}.share(float64(n) / float64(most))
}

// generate appends new particles to the moved ones.
func (w *Water) generate() {
	first, most := w.next.Len(), min(w.step.Most, w.Most)
	if first >= most {
		return
	}
	w.makeSplashes(1-w.crowding(first), most)
	w.sources = w.Liquid.AppendSources(w.sources[:0], w.Speed.From)
	scale := 1 - w.crowding(first)
	if wanted := w.measure() * scale; wanted > float64(most-first) {
		scale *= float64(most-first) / wanted
	}
	for i := range w.sources {
		w.generateFrom(&w.sources[i], w.rates[i], scale, most)
	}
	w.dropBlocked(first)
	w.made = w.next.Len() - first
}

// measure computes the sources' rates, and returns their sum.
func (w *Water) measure() (sum float64) {
	w.rates = arrays.Resize(w.rates, len(w.sources))
	for i := range w.sources {
		s := &w.sources[i]
		trapped, torn := w.potentials(s)
		full := s.Edge * s.Edge * w.density * w.step.Dt / w.Fill
		w.rates[i] = rate{float64(full * trapped), float64(full * torn)}
		sum += w.rates[i].trapped + w.rates[i].torn
	}
	return sum
}

// generateFrom appends a source's particles, up to most in all. Their number has the source's rate as expected value; random numbers depend on the
// cell and the step alone.
func (w *Water) generateFrom(s *Source, r rate, scale float64, most int) {
	wanted := float64((r.trapped + r.torn) * scale)
	if wanted == 0 {
		return
	}
	dice := dice{droplets.SplitMix64(w.step.Seed ^ droplets.SplitMix64(s.Cell))}
	for n := int(wanted + dice.next()); n > 0 && w.next.Len() < most; n-- {
		var p particle
		if dice.next()*(r.trapped+r.torn) < r.torn {
			p = w.torn(s, &dice)
		} else {
			p = w.trapped(s, &dice)
		}
		w.add(&p, &dice)
	}
}

// add appends a particle, whose place, velocity and kind are set.
func (w *Water) add(p *particle, d *dice) {
	p.radius = float32(w.radius * (.4 + float64(.6*d.next())))
	p.span = float32(w.Life.From + float64((w.Life.To-w.Life.From)*d.next()))
	p.life = 1
	w.next.resize(w.next.Len() + 1)
	w.next.set(w.next.Len()-1, p)
}

// Where particles start, in cells from the surface: trapped air down to deepest, torn liquid up to highest.
const (
	deepest = 1.25
	highest = .5
	// throw is the greatest share of the liquid's speed that torn liquid gains along the normal, scatter that in any direction.
	throw, scatter = .25, .15
)

// trapped returns a particle of trapped air, with the liquid's velocity.
func (w *Water) trapped(s *Source, d *dice) particle {
	depth := deepest * d.next()
	p := particle{v: s.Velocity, kind: Foam}
	if depth > foamDepth {
		p.kind = Bubble
	}
	w.place(&p, s, -depth, d)
	return p
}

// torn returns a particle of liquid that leaves a crest.
func (w *Water) torn(s *Source, d *dice) particle {
	speed := reproducible.Norm(s.Velocity)
	along := r3.Add(s.Velocity, reproducible.Scale(throw*speed*d.next(), s.Normal))
	p := particle{v: r3.Add(along, reproducible.Scale(scatter*speed, d.direction())), kind: Spray}
	w.place(&p, s, highest*d.next(), d)
	return p
}

// place sets a random place of a particle over a source, off cells from the surface, moved on by Step.Delay.
func (w *Water) place(p *particle, s *Source, off float64, d *dice) {
	u, v := reproducible.Basis(s.Normal)
	x := r3.Add(s.Place, reproducible.Scale(off*s.Edge, s.Normal))
	x = r3.Add(x, reproducible.Scale((d.next()-.5)*s.Edge, u))
	x = r3.Add(x, reproducible.Scale((d.next()-.5)*s.Edge, v))
	p.x = r3.Add(x, reproducible.Scale(w.step.Delay, p.v))
}

// dropBlocked removes the new particles that start in solids or outside of the domain.
func (w *Water) dropBlocked(first int) {
	inside := boxes.Grown(w.Domain, -w.Gap)
	s := &w.work[0]
	for lo := first; lo < w.next.Len(); lo += batch {
		hi := min(lo+batch, w.next.Len())
		for k := range hi - lo {
			s.from[k] = w.next.at(lo + k).x
		}
		w.listSolids(s, boxes.Around(s.from[:hi-lo]), w.Gap)
		s.measure(s.distance[:hi-lo], s.from[:hi-lo])
		for i := lo; i < hi; i++ {
			if float64(s.distance[i-lo]) < w.Gap || !boxes.Contains(inside, s.from[i-lo]) {
				w.next.Life[i] = 0
			}
		}
	}
	w.next.dropDead(first)
}

// dice is a pseudo-random sequence.
type dice struct{ seed uint64 }

// next returns a number in [0, 1).
func (d *dice) next() float64 {
	d.seed = droplets.SplitMix64(d.seed)
	return float64(float64(d.seed>>11) / (1 << 53))
}

// direction returns a vector in the unit ball, if one of eight tries finds one.
func (d *dice) direction() (v r3.Vec) {
	for range 8 {
		v = r3.Vec{X: float64(2*d.next()) - 1, Y: float64(2*d.next()) - 1, Z: float64(2*d.next()) - 1}
		if reproducible.Norm2(v) <= 1 {
			break
		}
	}
	return v
}
