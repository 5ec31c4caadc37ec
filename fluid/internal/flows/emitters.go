package flows

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// An emitter fills its opening at its rate. The pressure solve brings what a full opening can't hold. Where the rate is too low for the
// mesh for longer than DropDelay, drops leave the opening.

const (
	// overfill is the share of an emitter's volume in a substep that its opening may take in advance.
	overfill = .05
	// DropDelay is how long, s, due liquid waits for the mesh to hold it before it falls in drops.
	DropDelay = .2
	// dropsPerSecond is the greatest number of drops that leave an emitter in a second, unless each would be too large.
	dropsPerSecond = 120
	// leastDue, m³, is the least debt that a removed emitter releases.
	leastDue = 1e-9
)

// Emitter is a source of liquid.
type Emitter struct {
	Movable
	ID       int64
	Velocity r3.Vec  // m/s, before the shape is turned
	Rate     float64 // litres/s
	Label    int32   // of the surface of its liquid
	Running  bool
	Debt     float64 // m³ that are due

	debtBefore float64 // Debt before the substep
	emitted    float64 // m³ emitted in this substep
	source     float64 // m³/s that the pressure solve adds in this substep, if the opening is submerged
	grown      float64 // m by which the opening exceeds Shape, for the mesh to hold its liquid
}

// Emitters are the emitters of a liquid, in the order in which they were added.
type Emitters struct {
	All     []*Emitter
	Blocked []int64 // IDs of emitters whose opening was shut or flooded in the last substep
	Out     remedies.Out
	drops   *Drops
	*shared
}

// apply runs the emitters for a substep.
func (t *Emitters) apply() {
	t.Blocked = t.Blocked[:0]
	for _, e := range t.All {
		if !t.active(e) {
			continue
		}
		put, at, open := t.applyOne(e)
		if !open {
			e.Debt, e.source = 0, 0
			t.Blocked = append(t.Blocked, e.ID)
			continue
		}
		if put > 0 {
			e.emitted += put
			t.Ledger.EmittedL += put / litre
			t.Volumes.GainAt(at, put)
		}
	}
}

// active reports whether an emitter runs in this substep.
func (t *Emitters) active(e *Emitter) bool { return e.Running && !t.Out.Has(e.ID) }

// applyOne fills an emitter's opening with what is due. It returns the volume, m³, its place, and whether the opening is open.
//
// The volume is measured as the ledger measures it, and may differ from what was due; the debt keeps the difference.
func (t *Emitters) applyOne(e *Emitter) (put float64, at r3.Vec, open bool) {
	o := t.Sources.Opening(e.Opening())
	if o == nil {
		return 0, at, false
	}
	e.grown, e.source = o.FillGrowth(), 0
	whole := o.Capacity()
	volume := e.Rate * litre * t.Dt
	if volume > whole {
		t.Warn("EmitterDef.Shape", "an emitter's Shape is too small for its Rate: it lets through what it holds in a substep")
		volume = whole
	}
	e.Debt += volume
	took, needed := o.Fill(e.Debt, float64(overfill*volume))
	at = o.Place()
	switch {
	case needed > 0:
		if needed > float64(DropDelay*e.Rate*litre) && e.Debt >= max(droplets.LeastVolume, float64(e.Rate*litre)/dropsPerSecond) {
			t.releaseDrops(e, at, t.Seed)
		}
		return 0, at, true
	case took < e.Debt && o.Sealed():
		o.Empty()
		return 0, at, false
	}
	if took > 0 {
		took = t.Sources.KeepInflow(took, e.Label, e.Velocity)
	}
	if took < e.Debt {
		put = max(0, min(e.Debt-took, volume))
		e.source = put / t.Dt
	}
	put += took
	e.Debt -= put
	return put, at, true
}

// HasDebt reports whether an emitter that is removed has liquid to release.
func (t *Emitters) HasDebt(e *Emitter) bool { return e.Debt >= leastDue }

// Release releases what is due from a removed emitter as drops, between two steps, and reports whether its opening is open. Without Sources nothing comes: see Pour.
func (t *Emitters) Release(e *Emitter, seed uint64) (open bool) {
	if t.Sources == nil {
		return false
	}
	o := t.Sources.Opening(e.Opening())
	if o == nil {
		return false
	}
	due := e.Debt
	t.releaseDrops(e, o.Place(), seed)
	t.Ledger.HeldL += (due - e.Debt) / litre
	return true
}

// releaseDrops turns what is due from an emitter into drops, side by side in its opening, whose middle is given.
func (t *Emitters) releaseDrops(e *Emitter, middle r3.Vec, seed uint64) {
	seed = uint64(e.ID) ^ droplets.SplitMix64(seed)
	if !t.drops.Release(e.Opening(), middle, e.Debt, e.rotated(e.Velocity), seed, &t.drops.around) {
		t.Warn("AddEmitter", "too many drops of emitters are under way; what else is due waits until there are fewer")
		return
	}
	t.Ledger.EmittedL += e.Debt / litre
	e.emitted += e.Debt
	e.Debt = 0
}

// setVelocity sets the velocity in the openings of running emitters, and of the liquid that they have added.
func (t *Emitters) setVelocity() {
	t.Sources.SetInflowVelocity()
	for _, e := range t.All {
		if t.active(e) && e.Velocity != (r3.Vec{}) {
			t.Sources.SetVelocityIn(e.Opening(), e.grown, e.rotated(e.Velocity))
		}
	}
}

// addSources adds the emitters' sources in flooded openings to rows, m³/s.
func (t *Emitters) addSources(rows []float64) {
	for _, e := range t.All {
		if t.active(e) && e.source > 0 {
			t.Sources.Distribute(e.Opening(), e.grown, e.source, rows)
		}
	}
}

// running reports whether some emitter runs.
func (t *Emitters) running() bool {
	for _, e := range t.All {
		if e.Running {
			return true
		}
	}
	return false
}

// appendOpenings appends the openings of running emitters.
func (t *Emitters) appendOpenings(dst []r3.Box) []r3.Box {
	for _, e := range t.All {
		if e.Running {
			dst = append(dst, e.Opening().Bounds())
		}
	}
	return dst
}

// Jets up to thinJet cells wide at their emitter thin out as they fall, and would break up on coarser cells. AppendJets follows
// them for longestJet tiles.
const thinJet, longestJet = 8, 12

// AppendJets appends places along thin jets, a tile's edge apart, as they fall freely until they meet more liquid.
func (t *Emitters) AppendJets(dst []r3.Box) []r3.Box {
	edge := t.Regions.Edge
	for _, e := range t.All {
		if !e.Running {
			continue
		}
		opening := e.Opening().Bounds()
		if width := boxes.LeastEdge(opening); !(width <= thinJet*t.CellSize) {
			continue
		}
		x, v := reproducible.Scale(.5, r3.Add(opening.Min, opening.Max)), e.rotated(e.Velocity)
		for range longestJet {
			// Solves v t + g t²/2 = edge.
			g := t.Acceleration(x)
			speed, weight := reproducible.Norm(v), reproducible.Norm(g)
			time := 2 * edge / (speed + math.Sqrt(float64(speed*speed)+float64(2*edge*weight)))
			x = r3.Add(x, r3.Add(reproducible.Scale(time, v), reproducible.Scale(time*time/2, g)))
			v = r3.Add(v, reproducible.Scale(time, g))
			if !boxes.Contains(t.Domain, x) {
				break
			}
			dst = append(dst, r3.Box{Min: x, Max: x})
			if t.Sources.MostlyLiquid(x) {
				break
			}
		}
	}
	return dst
}
