// Package components keeps how much liquid each connected component is to hold, and by which sources it comes to hold that much. It knows
// components by their numbers only, what they share with those of the step before by volumes, and the surface by the faces of the graph.
//
// Every component has a target volume that follows it: when components merge the targets add, when one splits its target is shared in proportion
// (Brochu 2006 §4.4). The difference between target and measure becomes a gentle, uniform source in the pressure solve (Kim, Liu, Llamas,
// Rossignac 2007), and where it is large a shift of the surface.
package components

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// Targets is what the components are to hold, what they hold, and the matching of those of two steps.
//
// The order of a step: Measure and Hold; StartMatch; Share, Loosen and Bind; Distribute; Gain, Inherit and Split; EndMatch; Balance and
// PlanShifts, in turns; ChooseRates.
type Targets struct {
	Target []float64 // per component, m³
	Held   []float64 // per component: measured, m³
	Rate   []float64 // per component: its sources, 1/s

	defers bool      // what this step displaces is left to the next
	next   []float64 // per new component: its target, m³
	seen   []float64 // per old component: what is still there of its liquid, m³
	loose  []float64 // per old component: what of it is of no component, m³
	bound  []float64 // per new component: what it holds that was of none, m³
	known  []bool    // per new component: it holds liquid of an old one

	freedom []float64 // per component: what part of its sources it has room for

	pairs     []Pair
	ambiguous []Pair
	shift     shift
}

// Pair is how much liquid, m³, an old component and a new one share.
type Pair struct {
	From, To int32
	Volume   float64
}

// Make makes room for the pairs of components that part and meet in a step.
func Make() Targets { return Targets{ambiguous: make([]Pair, 0, 64)} }

const (
	// rateGain is the part of a component's error that is made good in a second: fast enough for
	// splashing, slow enough that the measure's noise moves nothing one can see.
	rateGain = 12
	// Noise is the part of its volume by which a component's measure changes with the cells' sizes at a still surface.
	Noise = 1e-4
	// RateLimit bounds the source: the part of its volume that a component may gain or lose in a second.
	RateLimit = 0.6
)

// joinTime is the shortest time, s, in which liquid grows by a drop that it meets: it is as long as short steps of games are. What is left at the end of a shorter
// step comes like any other gap. A source that brought all of it in a step however short would have no bound.
const joinTime = 1. / 240

// JoinRate is the source, m³/s, by which liquid grows in a step of dt seconds by a drop's volume, m³, that has met it.
func JoinRate(volume, dt float64) float64 { return volume / max(dt, joinTime) }

// Restart has the next step's components begin with what they hold as their targets: liquid was put in or taken out.
func (t *Targets) Restart() { t.Target = t.Target[:0] }

// Empty tells whether no component has a target yet.
func (t *Targets) Empty() bool { return len(t.Target) == 0 }

// Defer has the next step leave what it displaces to the one after it: the step makes good only what was missing before. A game may call for it in every
// step, with what it adds in each, and no more is missing then than what a step displaces.
func (t *Targets) Defer() { t.defers = true }

// Defers tells whether Defer was called since the last ChooseRates.
func (t *Targets) Defers() bool { return t.defers }

// Begin makes an old component without liquid and returns its number.
func (t *Targets) Begin() int32 {
	t.Target = append(t.Target, 0)
	return int32(len(t.Target) - 1)
}

// Total is what all components together are to hold, m³; 0 where none has a target.
func (t *Targets) Total() (sum float64) {
	for _, v := range t.Target {
		sum += v
	}
	return sum
}

// Add adds to a component's target, m³, or takes from it, but no more than it is.
func (t *Targets) Add(component int32, volume float64) {
	v := &t.Target[component]
	*v = max(0, *v+volume)
}

// Resize makes room for what n components hold.
func (t *Targets) Resize(n int) { t.Held = arrays.Resize(t.Held, n) }

// Measure begins a measure of what the components hold; Hold adds to it.
func (t *Targets) Measure() { clear(t.Held) }

// Hold adds to what a component holds, m³.
func (t *Targets) Hold(component int32, volume float64) { t.Held[component] += volume }

// TakeHeld makes what the components hold their targets.
func (t *Targets) TakeHeld() { t.Target = append(t.Target[:0], t.Held...) }

// Balance scales the targets so that together they ask for just what the ledger misses, m³. Were they to add up what is missing, step by
// step, they would overshoot and swing.
func (t *Targets) Balance(missing float64) {
	asked, held := 0., 0.
	for c, v := range t.Target {
		asked += v
		held += t.Held[c]
	}
	if asked <= 0 {
		return
	}
	scale := max(.5, min(1.5, (held+missing)/asked))
	for c := range t.Target {
		t.Target[c] *= scale
	}
}

// ChooseRates sets by what part of its volume each component is to grow in a second, 1/s, for a step of dt seconds. Those of gr, c, that are
// closed, or as good as, have no sources. It ends what Defer asks for.
func (t *Targets) ChooseRates(dt float64, gr *graph.Graph, c *graph.Components) {
	t.findFreedom(gr, c)
	t.defers = false
	t.Rate = arrays.Resize(t.Rate, len(t.Held))
	gain, limit := min(1, rateGain*dt), RateLimit*dt
	for c, held := range t.Held {
		t.Rate[c] = 0
		if free := t.freedom[c]; free > 0 {
			gap := gain * beyond(t.Target[c]-held, float64(Noise*held))
			t.Rate[c] = free * max(-limit*held, min(limit*held, gap)) / held / dt
		}
	}
}

// beyond is how far x is from 0 beyond a limit, with the sign of x.
func beyond(x, limit float64) float64 { return math.Copysign(max(0, math.Abs(x)-limit), x) }

// CodeTargets goes along n targets.
func (t *Targets) CodeTargets(c *codec.Codec, n int) {
	if c.Reading() {
		t.Target = arrays.Resize(t.Target, n)
	}
	c.Float64s(t.Target, n, 0, math.MaxFloat64)
}

// CodeDefer goes along whether Defer was called.
func (t *Targets) CodeDefer(c *codec.Codec) { c.Bool(&t.defers) }
