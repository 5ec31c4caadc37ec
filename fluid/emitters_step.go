package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// An emitter fills its opening as its rate allows, and the pressure solve brings what a full opening can't take. Where the rate is too low for the
// grid for longer than dropDelay, drops leave the opening.

const (
	// overfill is the part of what an emitter gives in a substep that its opening may take on too early.
	overfill = .05
	// dropDelay, s, is for how long what is due waits for the grid to hold it before it falls in drops.
	dropDelay = .2
	// dropsPerSecond is the most drops that leave an emitter in a second, as long as the size of drops allows.
	dropsPerSecond = 120
)

// applyEmitters lets the open emitters run for a substep.
func (l *simulation) applyEmitters() {
	l.out.ev.Blocked = l.out.ev.Blocked[:0]
	w := &l.world
	for i, e := range w.emitters {
		if !e.running {
			continue
		}
		id := w.ids.emitters.ids[i]
		put, at, open := l.applyEmitter(e, uint64(id))
		if !open {
			e.debt, e.source = 0, 0
			l.out.ev.Blocked = append(l.out.ev.Blocked, EmitterID(id))
			continue
		}
		if put > 0 {
			l.ledger.EmittedL += put / litre
			l.volumes.GainAt(at, put)
		}
	}
}

// applyEmitter lets one emitter put what its rate gives, and what is due, into its opening. It returns what it put there, m³, and where, or
// that the opening is not open.
//
// What an opening takes on is measured as the ledger measures it, and so need not be what was due: the debt keeps the difference.
func (l *simulation) applyEmitter(e *emitter, id uint64) (put float64, at r3.Vec, open bool) {
	o := l.sources.Opening(e.opening())
	if o == nil {
		return 0, at, false
	}
	e.grown, e.source = o.FillGrowth(), 0
	whole := o.Capacity()
	volume := e.Rate * litre * l.step.dt
	if volume > whole {
		l.warn("EmitterDef.Shape", "an emitter's Shape is too small for its Rate: it lets through what it holds in a substep")
		volume = whole
	}
	e.debt += volume
	took, needed := o.Fill(e.debt, float64(overfill*volume))
	at = o.Place()
	switch {
	case needed > 0:
		if needed > float64(dropDelay*e.Rate*litre) && e.debt >= max(droplets.LeastVolume, float64(e.Rate*litre)/dropsPerSecond) {
			l.releaseDrops(e, at, id, l.step.report.Substeps)
		}
		return 0, at, true
	case took < e.debt && o.Sealed():
		o.Empty()
		return 0, at, false
	case took < e.debt:
		put = max(0, min(e.debt-took, volume))
		e.source = put / l.step.dt
	}
	put += took
	e.debt -= put
	return put, at, true
}

// setEmitterVelocity sets the velocity in the openings of open emitters.
func (l *simulation) setEmitterVelocity() {
	for _, e := range l.world.emitters {
		if e.running && e.Velocity != (r3.Vec{}) {
			l.sources.SetVelocityIn(e.opening(), e.grown, e.Velocity)
		}
	}
}

// addSources adds what emitters, drops, sinks and currents bring to the rows' sources, m³/s.
func (l *simulation) addSources(rows []float64) {
	for _, e := range l.world.emitters {
		if e.running && e.source > 0 {
			l.sources.Distribute(e.opening(), e.grown, e.source, rows)
		}
	}
	l.joinDrops(rows)
	l.drawSinks(rows)
	l.addCurrents(rows)
}

// appendOpenings lists where emitters run, where sinks are to let air in, in the middle of what of them is in the domain, and where
// drops may become liquid on the grid.
func (l *simulation) appendOpenings(dst []r3.Box) []r3.Box {
	w, domain := &l.world, l.def.Domain
	for _, e := range w.emitters {
		if e.running {
			dst = append(dst, e.opening().Bounds())
		}
	}
	for _, s := range w.sinks {
		if s.debt > 0 {
			b := s.opening().Bounds()
			middle := reproducible.Scale(.5, r3.Add(boxes.Max(b.Min, domain.Min), boxes.Min(b.Max, domain.Max)))
			dst = append(dst, boxes.Grown(r3.Box{Min: middle, Max: middle}, l.sources.BubbleRadius()))
		}
	}
	return w.drops.AppendPuddles(dst)
}

// A jet no wider than thinJet cells where it leaves its emitter, which falls ever thinner, is followed for longestJet
// blocks: coarser cells would tear it.
const thinJet, longestJet = 8, 12

// appendJets lists the places, a block's edge apart, that thin jets fall past before they meet more liquid, as they would in
// the void.
func (l *simulation) appendJets(dst []r3.Box) []r3.Box {
	edge := l.disc.Tiles().Edge
	for _, e := range l.world.emitters {
		if !e.running {
			continue
		}
		opening := e.opening().Bounds()
		if width := boxes.LeastEdge(opening); !(width <= thinJet*l.def.CellSize) {
			continue
		}
		x, v := reproducible.Scale(.5, r3.Add(opening.Min, opening.Max)), e.Velocity
		for range longestJet {
			// The time that a path of a block's edge takes, from v t + g t²/2.
			g := l.accelerationAt(x)
			speed, weight := reproducible.Norm(v), reproducible.Norm(g)
			t := 2 * edge / (speed + math.Sqrt(float64(speed*speed)+float64(2*edge*weight)))
			x = r3.Add(x, r3.Add(reproducible.Scale(t, v), reproducible.Scale(t*t/2, g)))
			v = r3.Add(v, reproducible.Scale(t, g))
			if !boxes.Contains(l.def.Domain, x) {
				break
			}
			dst = append(dst, r3.Box{Min: x, Max: x})
			if l.sources.MostlyLiquid(x) {
				break
			}
		}
	}
	return dst
}

// keepSources notes what a substep that goes wrong is to leave as it was.
func (l *simulation) keepSources() {
	w := &l.world
	w.drops.Keep()
	for _, e := range w.emitters {
		e.before = e.debt
	}
	for _, s := range w.sinks {
		s.before, s.took = s.debt, 0
	}
}

// restoreSources takes back what emitters, sinks and drops did in a substep.
func (l *simulation) restoreSources() {
	w := &l.world
	w.drops.Restore()
	for _, e := range w.emitters {
		e.debt = e.before
	}
	for _, s := range w.sinks {
		s.debt = s.before
	}
}
