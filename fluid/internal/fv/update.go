package fv

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// Update brings up to date what is kept of the surroundings.
func (s *Solver) Update(c solver.Change) {
	a := s.Around
	if c&solver.Gravity != 0 {
		if s.SetGravity != nil {
			s.SetGravity(a.Fields.Gravity)
		}
	}
	if c&solver.NewMaterial != 0 {
		s.setMaterial(&a.Material)
	}
	if c&solver.Made != 0 {
		s.start()
	}
	if c&solver.Displaced != 0 {
		s.deferDisplaced()
	}
	if c&solver.Obstacles != 0 {
		s.Cells.SetStatic(a.Obstacles.MergeStatic())
	}
	if c&solver.Solids != 0 {
		s.rereadSolids()
	}
	if c&solver.Clock != 0 {
		s.beginCells()
	}
}

// start makes the solver ready for the first step.
func (s *Solver) start() {
	a, d := s.Around, &s.Settings
	s.wall = a.Coupling.SolidVelocity
	s.forcing.init(a)
	if s.Start != nil {
		s.Start()
	}
	if d.Sounds {
		s.hearing.Begin(&s.Graph, s.Pool, s.Cells.Layout().Tiles(), d.CellSize, a.Material.Density, a.Material.Tension)
	}
	s.resurvey()
	if d.Full { // from the start
		a.Ledger.FilledL = a.Ledger.HeldL
	}
}

// setMaterial makes what surface tension and viscosity need, if the liquid has them. It is kept: nothing that they hold outlasts a step. The pressure follows
// the density.
func (s *Solver) setMaterial(m *solver.Material) {
	if r := m.Density / s.density; s.density != 0 && r != 1 {
		s.Cells.ScalePressure(r)
	}
	s.density = m.Density
	if s.SetDensity != nil {
		s.SetDensity(m.Density)
	}
	if m.HasTension() {
		s.Tension.UseTension()
	}
	if m.HasViscosity() {
		s.Viscosity.UseViscosity()
	}
}

// Demand is what the next step would cost.
func (s *Solver) Demand() solver.Demand {
	d := solver.Demand{Full: s.Graph.Rows, Seen: s.Graph.Rows, Least: s.Graph.Rows, Speed: s.Cells.MaxSpeed(), LongestStep: math.Inf(1)}
	if s.Sizing != nil {
		last := s.Sizing.Demand()
		d.Full, d.Seen, d.Least, d.Changed = last.Full, last.Seen, last.Least, last.Changed
	}
	if s.Tension != nil {
		d.LongestStep = s.Tension.CapillaryStep(s.Around.Material.Tension)
	}
	return d
}

// appendUnknowns appends how many rows the blocks of each level have, the finest first.
func (s *Solver) appendUnknowns(dst []int) []int {
	from, level := len(dst), s.Cells.Layout().Cur.Level
	for range layout.MaxLevel + 1 {
		dst = append(dst, 0)
	}
	parts := s.Graph.Parts
	for b := range min(len(level), len(parts)-1) {
		dst[from+layout.MaxLevel-int(level[b])] += int(parts[b+1].Row - parts[b].Row)
	}
	return dst
}

// Report is what the step has done so far.
func (s *Solver) Report() *solver.Report {
	r := &s.report
	r.Rows, r.Closed = s.Graph.Rows, s.Pressure.Closed
	r.Cells, r.Unknowns = s.Cells.Layout().AppendCells(s.cells[:0]), s.appendUnknowns(s.unknowns[:0])
	s.cells, s.unknowns = r.Cells, r.Unknowns
	if s.Tets != nil {
		r.Tetrahedra = s.Tets()
	}
	r.Wet, r.Asleep = 1, 0
	if s.Parts != nil {
		r.Wet, r.Asleep = s.Parts.CountParts()
	}
	is := s.Tracker.Report()
	r.Vertices, r.Triangles = is.Vertices, is.Triangles
	r.MaxSpeed, r.Delay = s.Cells.MaxSpeed(), s.delay()
	return r
}

// Stop takes all motion from the settled state.
func (s *Solver) Stop() {
	s.Cells.Stop()
	if s.Volumes != nil {
		s.Volumes.ForgetMotion()
	}
}

// Revert takes back what a substep or an edit has changed so far. It asks neither shapes nor bodies: what they leave open is to be measured
// then, and the layout to be settled.
func (s *Solver) Revert(atRest bool) {
	a := s.Around
	s.Cells.Revert(s.substep.moved, atRest || s.substep.spread)
	if s.substep.moved {
		a.Flows.Restore()
	}
	if s.Volumes != nil {
		s.Volumes.Forget()
	}
	a.Coupling.RevertPoses()
	a.Obstacles.Revert()
	a.Controls.Restore()
	s.substep.moved, s.substep.spread = false, false
}

// Remeasure does what Revert has left for when shapes and bodies can be asked again.
func (s *Solver) Remeasure(anew bool) {
	if anew {
		if s.Solids != nil {
			s.Solids.ForgetSolids()
		}
		s.rereadSolids()
	} else {
		s.Cells.MeasureSolids(s.Around.Coupling.Solids, nil)
	}
	s.settleLayout()
}
