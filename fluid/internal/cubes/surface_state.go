package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
)

// How the surface comes to be the settled one, goes back to that, and is saved.

// start makes φ what a tracker tells before the first step.
func (s *Surface) start() {
	switch {
	case s.isGiven():
		s.sampleGiven()
		s.m.Set.Publish()
	case s.copies():
		s.sample(nil, 0)
	}
}

// carryOver carries surface and foam over to levels that were changed outside of a step.
func (s *Surface) carryOver() {
	m := s.m
	switch {
	case s.isGiven():
		s.sampleGiven()
		return
	case s.copies():
		m.Spray.Keep()
		s.tracker.Resized(s.motionOver(0))
		s.sample(m.Vel, 0)
	default:
		s.tracker.Resized(s.motionOver(0))
	}
	s.AdvanceFoam(0)
}

// sampleGiven makes φ what a tracker tells of liquid that is given, within the bands of the blocks.
func (s *Surface) sampleGiven() {
	m := s.m
	if !s.isGiven() {
		return
	}
	for b := range int32(m.Grid.Bases()) {
		level := m.Grid.Cur.Level[b]
		limit := float32(m.Set.Band * m.Grid.CellSize(level))
		phi := m.Set.Phi[m.Grid.Cur.First[b]:][:1<<(3*level)]
		s.tracker.Distance(phi, m.Centres.Of(m.Grid, b))
		for i, d := range phi {
			phi[i] = max(-limit, min(limit, d))
		}
		m.Set.Measure(b)
	}
}

// publish makes φ the settled one, and has the tracker apply what φ, if it is a copy, has changed by since it was sampled.
func (s *Surface) publish() {
	s.m.Set.Publish()
	if s.copies() {
		s.applyChange()
	}
	s.settleTracker()
}

// settle makes the surface at hand the settled one, where φ has not changed since it was sampled.
func (s *Surface) settle() {
	s.m.Set.Publish()
	s.settleTracker()
}

// settleTracker makes the tracker's surface, and what the blocks know of it beside φ, those that revert goes back to.
func (s *Surface) settleTracker() {
	s.tracker.Settle()
	mustHold(s.Check)
	if s.copies() {
		s.residual.settle()
	}
}

// revert takes back what was done to the surface since it was settled; moved tells whether it was moved.
func (s *Surface) revert(moved bool) {
	m := s.m
	m.Set.Restore()
	if moved || s.copies() {
		s.tracker.Revert()
	}
	if moved {
		m.Spray.Restore()
	}
	if s.copies() {
		s.residual.revert()
	}
}

// code encodes or decodes φ's own state, the tracker's and the droplets, on blocks of some levels.
func (s *Surface) code(c *codec.Codec, levels []uint8) {
	m := s.m
	m.Set.Code(c, &s.interval)
	if c.Reading() {
		s.SetDetailInterval(s.interval)
	}
	if s.shares() {
		s.tracker.Code(c)
	} else {
		levelset.CodeNoMarkers(c)
	}
	m.Spray.Code(c)
	if s.shares() {
		return
	}
	s.tracker.Code(c)
	if s.copies() {
		s.residual.code(c, levels)
	}
	if c.Reading() && s.copies() {
		s.settleTracker()
	}
}

// most is more bytes than what code encodes, but for a float32 per cell.
func (s *Surface) most() int { return s.tracker.Most() + s.m.Grid.Bases() + 32*s.m.Spray.Max }
