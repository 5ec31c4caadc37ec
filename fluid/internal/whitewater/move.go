package whitewater

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Distances to the surface, in cells, at which a particle changes its kind. Foam has the widest range, so that a particle that stays in place does not
// change back and forth.
const (
	foamDepth  = .5  // deeper spray becomes a bubble; trapped air that starts deeper is a bubble
	foamSinks  = 1.5 // deeper foam becomes a bubble
	foamFlies  = 1.  // higher foam becomes spray
	foamRises  = .25 // less deep bubbles become foam
	foamReturn = .25 // the greatest motion of foam towards the surface in a step
)

// fastest is the greatest speed of particles, m/s, far above any liquid in a game.
const fastest = 300

// stuckAging is the factor on the ageing of spray in a step in which a solid or a side stops it.
const stuckAging = 4

// scratch is the memory of one worker.
type scratch struct {
	at       [batch]r3.Vec // places of the particles in the stored liquid, m
	around   [batch]Around // the liquid at those places
	from, to [batch]r3.Vec // their paths, m
	distance [batch]float32
	moved    [batch]particle
	stopped  [batch]bool
	near     []query.Solid // solids that the particles may reach
	batch    query.Batch
	gap      float64 // Config.Gap
	tracer   walls.Tracer
	probe    [4]r3.Vec
	probed   [4]float32
}

// move moves particles lo to hi-1, and stores them in next.
//
// The liquid is stored for a time that is Delay before the particles' new one. A particle first moves with its old velocity to the time of the
// stored liquid, is accelerated there, and moves the rest of the way with its new velocity.
func (w *Water) move(worker, lo, hi int) {
	s, n := &w.work[worker], hi-lo
	ahead := w.step.Dt - w.step.Delay
	for k := range n {
		p := &s.moved[k]
		*p = w.Now.at(lo + k)
		s.from[k] = p.x
		s.at[k], s.around[k].Flying = r3.Add(p.x, reproducible.Scale(ahead, p.v)), p.kind == Spray
	}
	w.Liquid.Look(s.at[:n], s.around[:n])
	for k := range n {
		p := &s.moved[k]
		p.kind = kindAt(p.kind, &s.around[k])
		p.v = w.accelerated(p, s.at[k], &s.around[k])
		s.to[k] = r3.Add(r3.Add(s.at[k], reproducible.Scale(w.step.Delay, p.v)), toSurface(p.kind, &s.around[k]))
	}
	w.stop(s, n)
	for k := range n {
		p := &s.moved[k]
		p.x = s.to[k]
		w.end(p, s.stopped[k])
		w.next.set(lo+k, p)
	}
}

// kindAt returns the new kind of a particle at a place.
func kindAt(kind Kind, a *Around) Kind {
	d := a.Distance / a.Edge
	switch {
	case kind == Spray && d < -foamDepth, kind == Foam && d < -foamSinks:
		return Bubble
	case kind == Spray && d < 0, kind == Bubble && d > -foamRises:
		return Foam
	case kind == Foam && d > foamFlies:
		return Spray
	}
	return kind
}

// accelerated returns a particle's new velocity. Drag is implicit, and so stable for any step.
func (w *Water) accelerated(p *particle, x r3.Vec, a *Around) r3.Vec {
	v := a.Velocity
	if p.kind != Foam {
		fall := w.step.Gravity
		if w.step.Fields != nil {
			fall = w.step.Fields(x)
		}
		medium, time := w.step.Wind, w.AirTime
		if p.kind == Bubble {
			fall, medium, time = reproducible.Scale(-2, fall), a.Velocity, w.BubbleTime
		}
		drag := w.step.Dt / time
		v = r3.Add(r3.Add(p.v, reproducible.Scale(w.step.Dt, fall)), reproducible.Scale(drag, medium))
		v = reproducible.Scale(1/(1+drag), v)
	}
	switch speed := reproducible.Norm(v); {
	case speed <= fastest:
		return v
	case speed <= math.MaxFloat64:
		return reproducible.Scale(fastest/speed, v)
	}
	return r3.Vec{}
}

// toSurface returns the motion of foam to the surface in a step, m.
func toSurface(kind Kind, a *Around) r3.Vec {
	if kind != Foam {
		return r3.Vec{}
	}
	most := foamReturn * a.Edge
	return reproducible.Scale(-max(-most, min(most, a.Distance)), a.Normal)
}

// end ages a particle that has moved, and keeps it in the domain, unless it leaves through an open side.
func (w *Water) end(p *particle, stopped bool) {
	lo, hi := reproducible.Array(w.Domain.Min), reproducible.Array(w.Domain.Max)
	x, v := reproducible.Array(p.x), reproducible.Array(p.v)
	for a := range x {
		switch least, most := lo[a]+w.Gap, hi[a]-w.Gap; {
		case x[a] < least && w.Open[2*a], x[a] > most && w.Open[2*a+1], x[a] != x[a]:
			p.life = 0
			return
		case x[a] < least:
			x[a], v[a], stopped = least, max(0, v[a]), true
		case x[a] > most:
			x[a], v[a], stopped = most, min(0, v[a]), true
		}
	}
	p.x, p.v = reproducible.Vector(x), reproducible.Vector(v)
	aged := w.aging * float32(w.step.Dt) / p.span
	if stopped && p.kind == Spray {
		aged = float32(stuckAging * aged)
	}
	p.life -= aged
}
