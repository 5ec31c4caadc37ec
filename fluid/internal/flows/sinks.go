package flows

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Sink removes the liquid in its opening.
type Sink struct {
	Movable
	ID   int64
	Rate float64 // litres/s, the most

	debt       float64 // m³ that are due, for lack of air to follow
	debtBefore float64 // debt before the substep
	took       float64 // m³ of drops removed in this substep
	removed    float64 // m³ of liquid removed in this substep
}

// Sinks are the sinks of a liquid, in the order in which they were added.
type Sinks struct {
	All   []*Sink
	Out   remedies.Out
	drops *Drops
	*shared
}

// vent lets air in through sinks in liquid that no air touches: the liquid could not follow otherwise. It inserts a bubble once the volume
// due fills one.
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
			s.removed += took
			s.debt = 0
		}
	}
}

// draw adds the sinks' sources to rows, m³/s: their rates less the drops that they took.
func (t *Sinks) draw(rows []float64) {
	for _, s := range t.All {
		opening := s.Opening()
		if t.Out.Has(s.ID) || !t.Sources.HasRowsAround(opening.Bounds()) {
			continue
		}
		if o := t.Sources.Opening(opening); o != nil {
			drawn := t.Sources.Distribute(opening, o.DrawGrowth(), float64(s.took/t.Dt)-float64(s.Rate*litre), rows)
			t.Ledger.DrainedL -= drawn * t.Dt / litre
			s.removed -= float64(drawn * t.Dt)
		}
	}
}

// takeDrops removes the drops in the sinks.
func (t *Sinks) takeDrops() {
	for _, s := range t.All {
		if t.Out.Has(s.ID) {
			continue
		}
		s.took = t.drops.TakeFrom(s.Opening(), float64(s.Rate*litre*t.Dt))
		t.Ledger.DrainedL += s.took / litre
		s.removed += s.took
	}
}

// wet reports whether a sink reaches liquid.
func (t *Sinks) wet() bool {
	for _, s := range t.All {
		if t.Sources.WetAround(s.Opening().Bounds()) {
			return true
		}
	}
	return false
}

// appendBubbles appends where sinks are to let air in: a bubble in the middle of their part of the domain.
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
