package fv

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// resize gives every part of the mesh the resolution that surface, view, bodies and budget ask for.
func (s *Solver) resize() {
	if s.Sizing == nil {
		return
	}
	s.Times.Begin(solver.StageSizing)
	a, plan := s.Around, &s.plan
	margin := float64(s.Settings.BodyBand) * s.Settings.CellSize
	s.regions = a.Obstacles.AppendRegions(a.Coupling.Now().AppendRegions(s.regions[:0], margin), margin)
	s.openings, s.jets = a.Controls.AppendSeeds(a.Flows.AppendOpenings(s.openings[:0])), a.Flows.Emitters.AppendJets(s.jets[:0])
	s.steered = a.Controls.AppendBoxes(s.steered[:0])
	s.substep.requests = sizing.Requests{
		Bodies: s.regions, Emitters: s.openings, Jets: s.jets, Controls: s.steered, Band: s.Settings.Band,
		Field:     sizing.Field{Distance: s.Settings.Sizing.Distance, Vorticity: s.Settings.Sizing.Vorticity, Turn: s.Settings.Sizing.Turn},
		Invisible: plan.InvisibleLevel, ViewGain: plan.ViewGain, TargetUnknowns: plan.TargetUnknowns, Changes: plan.Changes,
	}
	out := s.Sizing.Resize(&s.substep.requests)
	s.report.InvisibleCoarser = out.UnseenShort
	if out.Knob != "" {
		s.Warn(out.Knob, out.Text)
	}
	s.Times.Lap(out.Refined + out.Coarsened)
}

// relayout carries the state over to levels that were changed outside of a step.
func (s *Solver) relayout() {
	if s.Sizing != nil {
		s.Sizing.Refresh()
	}
	s.readSolids(-s.delay(), false)
	s.readThinWalls()
	if s.Sizing != nil {
		s.Sizing.CarryOver()
	}
	s.settleLayout()
}

// settleLayout makes the mesh at hand, and what is on it, the state that the next step begins with.
func (s *Solver) settleLayout() {
	if s.Sizing != nil {
		s.Sizing.Settle()
	}
	s.resurvey()
}
