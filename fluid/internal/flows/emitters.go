package flows

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// An emitter fills its opening as its rate allows, and the pressure solve brings what a full opening can't take. Where the rate is too low for the
// mesh for longer than DropDelay, drops leave the opening.

const (
	// overfill is the part of what an emitter gives in a substep that its opening may take on too early.
	overfill = .05
	// DropDelay is for how long, s, what is due waits for the mesh to hold it before it falls in drops.
	DropDelay = .2
	// dropsPerSecond is the most drops that leave an emitter in a second, as long as the size of drops allows.
	dropsPerSecond = 120
	// leastDue, m³, is the least that leaves an emitter that is removed.
	leastDue = 1e-9
)

// Emitter is a source of liquid.
type Emitter struct {
	Movable
	ID       int64   // names it
	Velocity r3.Vec  // m/s, before the shape is turned
	Rate     float64 // litres/s
	Label    int32   // of its liquid's surface
	Running  bool
	Debt     float64 // m³ that is due and has not come yet

	before float64 // Debt before the substep
	passed float64 // m³ that have come in this substep
	source float64 // m³/s that the pressure solve is to bring in this substep, because the opening is under the surface
	grown  float64 // m by which the opening is larger than Shape, for the mesh to hold its liquid
}

// Emitters are those of a liquid, in the order in which they were added.
type Emitters struct {
	All     []*Emitter
	Blocked []int64 // IDs of those whose opening was shut or flooded in the last substep
	Out     remedies.Out
	drops   *Drops
	*shared
}

// apply lets the emitters that run do so for a substep.
func (t *Emitters) apply() {
	t.Blocked = t.Blocked[:0]
	for _, e := range t.All {
		if !t.acts(e) {
			continue
		}
		put, at, open := t.applyOne(e)
		if !open {
			e.Debt, e.source = 0, 0
			t.Blocked = append(t.Blocked, e.ID)
			continue
		}
		if put > 0 {
			e.passed += put
			t.Ledger.EmittedL += put / litre
			t.Volumes.GainAt(at, put)
		}
	}
}

// acts tells whether an emitter does in this substep.
func (t *Emitters) acts(e *Emitter) bool { return e.Running && !t.Out.Has(e.ID) }

// applyOne lets one emitter put what its rate gives, and what is due, into its opening. It returns what it put there, m³, and where, or
// that the opening is not open.
//
// What an opening takes on is measured as the ledger measures it, and so need not be what was due: the debt keeps the difference.
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
	if took > 0 {
		t.Sources.Claim(e.Opening().Bounds(), e.Label, e.Velocity)
	}
	switch {
	case needed > 0:
		if needed > float64(DropDelay*e.Rate*litre) && e.Debt >= max(droplets.LeastVolume, float64(e.Rate*litre)/dropsPerSecond) {
			t.releaseDrops(e, at, t.Seed)
		}
		return 0, at, true
	case took < e.Debt && o.Sealed():
		o.Empty()
		return 0, at, false
	case took < e.Debt:
		put = max(0, min(e.Debt-took, volume))
		e.source = put / t.Dt
	}
	put += took
	e.Debt -= put
	return put, at, true
}

// Owes tells whether something is due from an emitter that is to be removed.
func (t *Emitters) Owes(e *Emitter) bool { return e.Debt >= leastDue }

// Release lets what is due from an emitter that is removed fall, between two steps, and tells whether its opening is open.
func (t *Emitters) Release(e *Emitter, seed uint64) (open bool) {
	o := t.Sources.Opening(e.Opening())
	if o == nil {
		return false
	}
	due := e.Debt
	t.releaseDrops(e, o.Place(), seed)
	t.Ledger.HeldL += (due - e.Debt) / litre
	return true
}

// releaseDrops makes drops of what is due from an emitter, side by side in its opening, of which it is given the middle.
func (t *Emitters) releaseDrops(e *Emitter, middle r3.Vec, seed uint64) {
	seed = uint64(e.ID) ^ droplets.Shuffled(seed)
	if !t.drops.Release(e.Opening(), middle, e.Debt, e.along(e.Velocity), seed, &t.drops.around) {
		t.Warn("AddEmitter", "too many drops of emitters are under way; what else is due waits until there are fewer")
		return
	}
	t.Ledger.EmittedL += e.Debt / litre
	e.passed += e.Debt
	e.Debt = 0
}

// setVelocity sets the velocity in the openings of emitters that run, and of what has just come.
func (t *Emitters) setVelocity() {
	t.Sources.SetClaimed()
	for _, e := range t.All {
		if t.acts(e) && e.Velocity != (r3.Vec{}) {
			t.Sources.SetVelocityIn(e.Opening(), e.grown, e.along(e.Velocity))
		}
	}
}

// addSources adds what the pressure solve is to bring into flooded openings.
func (t *Emitters) addSources(rows []float64) {
	for _, e := range t.All {
		if t.acts(e) && e.source > 0 {
			t.Sources.Distribute(e.Opening(), e.grown, e.source, rows)
		}
	}
}

// run tells whether some emitter does.
func (t *Emitters) run() bool {
	for _, e := range t.All {
		if e.Running {
			return true
		}
	}
	return false
}

// appendOpenings lists where emitters run.
func (t *Emitters) appendOpenings(dst []r3.Box) []r3.Box {
	for _, e := range t.All {
		if e.Running {
			dst = append(dst, e.Opening().Bounds())
		}
	}
	return dst
}

// A jet no wider than thinJet cells where it leaves its emitter, which falls ever thinner, is followed for longestJet
// tiles: coarser cells would tear it.
const thinJet, longestJet = 8, 12

// AppendJets lists the places, a tile's edge apart, that thin jets fall past before they meet more liquid, as they would in
// the void.
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
		x, v := reproducible.Scale(.5, r3.Add(opening.Min, opening.Max)), e.along(e.Velocity)
		for range longestJet {
			// The time that a path of a tile's edge takes, from v t + g t²/2.
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
