// Package components keeps the target volume of each connected component, and computes the sources that hold it there. It identifies
// components by number, matches those of two steps by shared volumes, and finds the surface by the faces of the graph.
//
// Targets follow the components: when components merge their targets add up, when one splits its target is shared in proportion
// (Brochu 2006 §4.4). The difference between target and measured volume becomes a gentle, uniform source in the pressure solve (Kim, Liu, Llamas,
// Rossignac 2007), and where it is large a shift of the surface.
package components

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// Targets is the target and measured volumes of the components, and the matching of those of two steps.
//
// The order of calls in a step is: Measure and Hold; StartMatch; Share, Loosen and Bind; Distribute; Gain, Inherit and Split; EndMatch; Balance and
// PlanShifts, in turns; ChooseRates.
type Targets struct {
	Target []float64 // per component, m³
	Held   []float64 // per component: measured volume, m³
	Rate   []float64 // per component: its source per volume, 1/s

	defers bool      // volume that the current step displaces is corrected in the next
	next   []float64 // per new component: its target, m³
	found  []float64 // per old component: volume found again, m³
	loose  []float64 // per old component: volume that is in no new component, m³
	bound  []float64 // per new component: volume that was in no old component, m³
	known  []bool    // per new component: it shares volume with an old one

	freedom []float64 // per component: share of its source that it has room for

	pairs     []Pair
	ambiguous []Pair
	shift     shift
}

// Pair is the volume, m³, that an old and a new component share.
type Pair struct {
	From, To int32
	Volume   float64
}

// Make returns Targets with room for the ambiguous pairs of a step.
func Make() Targets { return Targets{ambiguous: make([]Pair, 0, 64)} }

const (
	// rateGain is the rate at which a component's error is corrected, 1/s: fast enough for
	// splashing, slow enough that the measure's noise causes no visible motion.
	rateGain = 12
	// Noise is the relative change of a component's measured volume with the cells' sizes at a still surface.
	Noise = 1e-4
	// RateLimit is the greatest source per volume, 1/s.
	RateLimit = 0.6
)

// joinTime is the shortest time, s, in which liquid takes up the volume of a drop that it meets: a short step of a game. The rest in a shorter
// step is corrected like any other error. A source that added all of it in an arbitrarily short step would have no bound.
const joinTime = 1. / 240

// JoinRate returns the source, m³/s, that adds the volume of a drop, m³, to the liquid in a step of dt seconds.
func JoinRate(volume, dt float64) float64 { return volume / max(dt, joinTime) }

// Restart makes the next step set the targets to the measured volumes: liquid was added or removed.
func (t *Targets) Restart() { t.Target = t.Target[:0] }

// Empty reports whether there are no targets.
func (t *Targets) Empty() bool { return len(t.Target) == 0 }

// Defer makes the next step correct only what was missing before, and leave what it displaces itself to the step after it. A game may add liquid and
// call Defer in every step; the error stays at what one step displaces.
func (t *Targets) Defer() { t.defers = true }

// Defers reports whether Defer was called since the last ChooseRates.
func (t *Targets) Defers() bool { return t.defers }

// Begin appends an old component without liquid and returns its number.
func (t *Targets) Begin() int32 {
	t.Target = append(t.Target, 0)
	return int32(len(t.Target) - 1)
}

// Total returns the sum of the targets, m³.
func (t *Targets) Total() (sum float64) {
	for _, v := range t.Target {
		sum += v
	}
	return sum
}

// Add adds to a component's target, m³. The target never falls below 0.
func (t *Targets) Add(component int32, volume float64) {
	v := &t.Target[component]
	*v = max(0, *v+volume)
}

// Resize makes room for the measured volumes of n components.
func (t *Targets) Resize(n int) { t.Held = arrays.Resize(t.Held, n) }

// Measure clears the measured volumes; Hold adds to them.
func (t *Targets) Measure() { clear(t.Held) }

// AddHeld adds to a component's measured volume, m³.
func (t *Targets) AddHeld(component int32, volume float64) { t.Held[component] += volume }

// ResetToHeld sets the targets to the measured volumes.
func (t *Targets) ResetToHeld() { t.Target = append(t.Target[:0], t.Held...) }

// Balance scales the targets so that their sum exceeds the measured volume by just what the ledger misses, m³. Targets that accumulated the misses of
// each step would overshoot and oscillate.
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

// ChooseRates sets Rate, 1/s, for a step of dt seconds. c is the components of gr; those that are
// closed, or nearly so, have no sources. It ends what Defer began.
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

// beyond returns x reduced by a limit towards 0.
func beyond(x, limit float64) float64 { return math.Copysign(max(0, math.Abs(x)-limit), x) }

// CodeTargets encodes and decodes n targets.
func (t *Targets) CodeTargets(c *codec.Codec, n int) {
	if c.Reading() {
		t.Target = arrays.Resize(t.Target, n)
	}
	c.Float64s(t.Target, n, 0, math.MaxFloat64)
}

// CodeDefer encodes and decodes the flag that Defer sets.
func (t *Targets) CodeDefer(c *codec.Codec) { c.Bool(&t.defers) }
