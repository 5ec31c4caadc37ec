package whitewater

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Distances to the surface, in cells, at which a particle becomes something else. Foam has the widest range, so that what stays where it is does not
// change to and fro.
const (
	foamDepth  = .5  // spray that has gone deeper is a bubble, and so is air that begins deeper
	foamSinks  = 1.5 // foam that is deeper is a bubble
	foamFlies  = 1.  // foam that is higher is spray
	foamRises  = .25 // bubbles that are less deep are foam
	foamReturn = .25 // by so much foam moves to the surface in a step at most
)

// fastest bounds particles' speed, m/s: no liquid in a game comes near it.
const fastest = 300

// stuckAging is how many times faster spray ages in a step in which a solid or a side stops it.
const stuckAging = 4

// scratch is what a worker works with.
type scratch struct {
	at       [batch]r3.Vec // where particles are in the stored liquid, m
	around   [batch]Around // what is there
	from, to [batch]r3.Vec // their paths, m
	distance [batch]float32
	moved    [batch]particle
	stopped  [batch]bool
	near     []query.Solid // those that the particles at hand may come to
	asked    query.Batch
	gap      float64 // Config.Gap
	tracer   walls.Tracer
	probe    [4]r3.Vec
	probed   [4]float32
}

// move moves particles lo to hi-1, and writes them into next.
//
// They are at the time that the liquid is shown for, and the liquid is stored for Delay before. So a particle first goes on with its velocity to the time
// of the stored liquid, takes on what that makes of its velocity, and goes the rest of the way with it.
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

// kindAt is what a particle becomes where it has come to.
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

// accelerated is a particle's new velocity. Drag is taken at the end of the step, so that it is stable for any.
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

// toSurface is how far foam is brought to the surface in a step, m.
func toSurface(kind Kind, a *Around) r3.Vec {
	if kind != Foam {
		return r3.Vec{}
	}
	most := foamReturn * a.Edge
	return reproducible.Scale(-max(-most, min(most, a.Distance)), a.Normal)
}

// end lets a particle age that has come to its place, and keeps it in the domain, unless it leaves by an open side.
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
