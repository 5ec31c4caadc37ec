package fv

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// deferDisplaced has the step in which solids appear in the liquid, or go, leave what they displace to those after it: a game that puts a body
// into the liquid sees no jolt.
func (s *Solver) deferDisplaced() {
	if s.Volumes != nil && s.Around.Ledger.HeldL > 0 {
		s.Volumes.Defer()
	}
}

// correctVolume measures the components, has the surface keep their volumes, and chooses the sources of the step's rows that make up for the rest.
func (s *Solver) correctVolume() {
	s.Times.Begin(solver.StageVolume)
	n := len(s.Pressure.Closed)
	a, f := &s.substep.account, s.Around.Flows
	*a = components.Account{Ledger: &s.Around.Ledger, Before: &s.Around.Before, Loose: f.Drops.Volume}
	if s.Volumes == nil {
		a.HeldL = (s.Cells.Held() + a.Loose) / components.Litre
		s.substep.rows = arrays.Resize(s.substep.rows, s.Graph.Rows)
		clear(s.substep.rows)
	} else {
		s.keepVolume(n)
	}
	f.AddSources(s.substep.rows)
	s.Times.Lap(n)
}

// keepVolume has the n components of the surface keep their volumes.
func (s *Solver) keepVolume(n int) {
	a, drops := &s.substep.account, &s.Around.Flows.Drops
	if s.Around.TracksMomentum {
		s.forcing.exchange.BeforeStart(&s.Graph)
		defer s.forcing.exchange.AfterStart(&s.Graph)
	}
	if lost := s.Volumes.MeasureComponents(n, a); lost {
		drops.LeaveFilm()
		a.Loose = drops.Volume
	}
	if s.substep.rows = s.Volumes.Correct(a); s.Around.Out.Of(remedies.Volume).All() {
		clear(s.substep.rows)
	}
}

// growth is by how much the liquid is to grow as the surface moves, m³: what the ledger missed at the end of the last substep beyond the noise of the cells' measure. It is no number where
// open sides or solids take part: what passes them, or what they displace, is known only once the surface has moved.
func (s *Solver) growth() float64 {
	a := s.Around
	if len(a.Obstacles.All) > 0 || len(a.Coupling.Solids) > 0 || a.Flows.Sides.Flowing() {
		return math.NaN()
	}
	missing, noise := -float64(a.Before.Drift()*components.Litre), float64(components.Noise*a.Before.HeldL*components.Litre)
	return math.Copysign(max(0, math.Abs(missing)-noise), missing)
}

// resurvey measures the liquid and surveys the mesh after a change that no step made.
func (s *Solver) resurvey() {
	if s.Volumes != nil {
		s.Volumes.Measure()
	}
	s.Around.Ledger.HeldL = (s.Cells.Held() + s.Around.Flows.Drops.Volume) / components.Litre
}

// measureDrift is by how many litres there is more liquid than the ledger says, as the surface is now.
func (s *Solver) measureDrift() float64 {
	s.resurvey()
	return s.Around.Ledger.Drift()
}
