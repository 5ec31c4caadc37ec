package adapter

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// wetness keeps how wet the liquid leaves what it touches. What stands still is wet where the liquid was, on a grid over the domain;
// each body has a grid of its own, which moves with it. The methods of a nil one do nothing.
type wetness struct {
	drying  float64 // s, from DrippingWet to dry
	time    float64 // s
	steps   int
	still   WetGrid
	dried   [sweeps]int // by sweep, to when
	columns columns
	turn    int // of the bindings, the first that the last step has left out
}

const (
	sweeps     = 8       // steps in which the grid over the domain dries once
	mostTexels = 1 << 19 // of the grid over the domain
	bodyTexels = 16 * 16 * 16
	bodyBudget = 1 << 14 // texels of bodies in a step; the rest has its turn in the next ones
)

// newWetness returns the wetness of a source; nil if it has no domain, or none is asked for.
func newWetness(source Source, drying float64) *wetness {
	l, ok := source.(interface{ Def() fluid.Def })
	if !ok || drying <= 0 {
		return nil
	}
	d := l.Def()
	size := d.Domain.Size()
	if !(size.X > 0 && size.Y > 0 && size.Z > 0 && d.CellSize > 0) {
		return nil
	}
	w := &wetness{drying: drying}
	// What is wet ends level as a rule: texels are as wide as a cell, and half as high.
	wide := max(d.CellSize, math.Cbrt(2*size.X*size.Y*size.Z/mostTexels))
	w.still.divide(d.Domain, r3.Vec{X: wide, Y: wide / 2, Z: wide})
	w.columns.over(&w.still)
	return w
}

// ready makes the grids that Soak asked for. No step is under way.
func (w *wetness) ready(bindings []*Binding) {
	if w == nil {
		return
	}
	for _, k := range bindings {
		k.ready()
	}
}

// update goes on by a step of dt seconds that the source and the bodies have taken, and been captured after.
func (w *wetness) update(source Source, dt float64, bindings []*Binding) {
	if w == nil {
		return
	}
	w.time += dt
	w.steps++
	w.columns.find(source.Surface())
	w.wetStill()
	w.wetBodies(bindings)
}

// now is the time in units of what dries.
func (w *wetness) now() int { return int(w.time * DrippingWet / w.drying) }

// wetStill dries some of the columns of the grid over the domain, and wets all that are in the liquid.
func (w *wetness) wetStill() {
	high, low, edge := w.still.Size[1], float32(w.columns.low.Y), float32(w.columns.edge.Y)
	sweep, now := w.steps%sweeps, w.now()
	for i := range w.columns.heads {
		texels := w.still.Texels[i*high : (i+1)*high]
		if i%sweeps == sweep {
			dry(texels, now-w.dried[sweep])
		}
		runs := w.columns.runs[w.columns.first[i]:w.columns.first[i+1]]
		for k := 0; k+1 < len(runs); k += 2 {
			soak(texels, (runs[k]-low)/edge, (runs[k+1]-low)/edge)
		}
	}
	w.dried[sweep] = now
	w.still.Revision++
}

// soak wets a column of texels between two heights, in texels: those at the ends as far as the liquid fills them.
func soak(texels []uint8, from, to float32) {
	from, to = max(from, 0), min(to, float32(len(texels)))
	if from >= to {
		return
	}
	first, last := int(from), int(to) // last is filled in part, if at all
	if first == last {
		texels[first] = max(texels[first], uint8(Soaked*(to-from)))
		return
	}
	texels[first] = max(texels[first], uint8(Soaked*(float32(first+1)-from)))
	full := texels[first+1 : last]
	for i := range full {
		full[i] = Soaked
	}
	if last < len(texels) {
		texels[last] = max(texels[last], uint8(Soaked*(to-float32(last))))
	}
}

// wetBodies dries and wets what is bound, in turn, as far as a step's share of texels goes.
func (w *wetness) wetBodies(bindings []*Binding) {
	for left := bodyBudget; left > 0; {
		if w.turn >= len(bindings) {
			w.turn = 0
			return
		}
		left -= bindings[w.turn].soak(&w.columns, w.now())
		w.turn++
	}
}
