package flows

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Sink drains what liquid is in its opening.
type Sink struct {
	Movable
	ID   int64   // names it
	Rate float64 // litres/s, at most

	debt   float64 // m³ that is due and has not gone yet, for want of air that follows
	before float64 // debt before the substep
	took   float64 // m³ of drops that it took in this substep,
	passed float64 // and m³ of all
}

// Sinks are those of a liquid, in the order in which they were added.
type Sinks struct {
	All   []*Sink
	Out   remedies.Out
	drops *Drops
	*shared
}

// vent has sinks draw from liquid that no air touches, where nothing would follow what leaves: once as much is due as a bubble
// holds they let one in, and then it is as elsewhere.
func (t *Sinks) vent(closed []bool) {
	if !slices.Contains(closed, true) {
		return
	}
	for _, s := range t.All {
		if t.Out.Has(s.ID) || !t.Sources.WetAround(s.Opening().Bounds()) {
			s.debt = 0
			continue
		}
		o := t.Sources.Opening(s.Opening())
		if o == nil || !o.Sealed() {
			s.debt = 0
			continue
		}
		s.debt += float64(s.Rate * litre * t.Dt)
		if took := o.InsertBubble(s.debt); took > 0 {
			t.Ledger.DrainedL += took / litre
			s.passed += took
			s.debt = 0
		}
	}
}

// draw has sinks draw what their rates allow beyond the drops that they took.
func (t *Sinks) draw(rows []float64) {
	for _, s := range t.All {
		opening := s.Opening()
		if t.Out.Has(s.ID) || !t.Sources.HasRowsAround(opening.Bounds()) {
			continue
		}
		if o := t.Sources.Opening(opening); o != nil {
			drawn := t.Sources.Distribute(opening, o.DrawGrowth(), float64(s.took/t.Dt)-float64(s.Rate*litre), rows)
			t.Ledger.DrainedL -= drawn * t.Dt / litre
			s.passed -= float64(drawn * t.Dt)
		}
	}
}

// takeDrops has sinks take the drops in them.
func (t *Sinks) takeDrops() {
	for _, s := range t.All {
		if t.Out.Has(s.ID) {
			continue
		}
		s.took = t.drops.TakeFrom(s.Opening(), float64(s.Rate*litre*t.Dt))
		t.Ledger.DrainedL += s.took / litre
		s.passed += s.took
	}
}

// wet tells whether some sink reaches liquid.
func (t *Sinks) wet() bool {
	for _, s := range t.All {
		if t.Sources.WetAround(s.Opening().Bounds()) {
			return true
		}
	}
	return false
}

// appendBubbles lists where sinks are to let air in, in the middle of what of them is in the domain.
func (t *Sinks) appendBubbles(dst []r3.Box) []r3.Box {
	for _, s := range t.All {
		if s.debt > 0 {
			b := s.Opening().Bounds()
			middle := reproducible.Scale(.5, r3.Add(boxes.Max(b.Min, t.Domain.Min), boxes.Min(b.Max, t.Domain.Max)))
			dst = append(dst, boxes.Grown(r3.Box{Min: middle, Max: middle}, t.Sources.BubbleRadius()))
		}
	}
	return dst
}
