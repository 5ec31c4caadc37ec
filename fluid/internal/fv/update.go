package fv

import "github.com/meniscus3d/meniscus/fluid/internal/solver"

// Update brings up to date what is kept of the surroundings.
func (s *Solver) Update(c solver.Change) {
	a := s.Around
	if c&solver.Gravity != 0 {
		s.Disc.SetGravity(a.Fields.Gravity)
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
		s.Disc.SetStatic(a.Obstacles.StackStatic())
	}
	if c&solver.Solids != 0 {
		s.rereadSolids()
	}
	if c&solver.Clock != 0 {
		s.Disc.BeginSubstep(a.Now.Dt, a.Now.Drift)
	}
}

// start makes the solver ready for the first step.
func (s *Solver) start() {
	a, d := s.Around, &s.Settings
	s.wall = a.Coupling.SolidVelocity
	s.forcing.init(a)
	s.Disc.Start()
	if d.Sounds {
		s.hearing.Begin(&s.Graph, s.Pool, s.Disc.Tiles(), d.CellSize, a.Material.Density, a.Material.Tension)
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
		s.Forces.ScalePressure(r)
	}
	s.density = m.Density
	s.Disc.SetDensity(m.Density)
	s.Forces.Use(m.HasTension(), m.HasViscosity())
}

// Demand is what the next step would cost.
func (s *Solver) Demand() solver.Demand {
	d := s.Disc.Demand()
	return solver.Demand{
		Full: d.Full, Seen: d.Seen, Least: d.Least, Changed: d.Changed,
		Speed: s.Disc.MaxSpeed(), LongestStep: s.Forces.CapillaryStep(s.Around.Material.Tension),
	}
}

// Report is what the step has done so far.
func (s *Solver) Report() *solver.Report {
	r := &s.report
	r.Rows, r.Closed = s.Graph.Rows, s.Pressure.Closed
	r.Cells, r.Unknowns = s.Disc.AppendCells(s.cells[:0]), s.Disc.AppendUnknowns(s.unknowns[:0])
	s.cells, s.unknowns = r.Cells, r.Unknowns
	r.Wet, r.Asleep = s.Disc.CountParts()
	is := s.Tracker.Report()
	r.Vertices, r.Triangles = is.Vertices, is.Triangles
	r.MaxSpeed, r.Delay = s.Disc.MaxSpeed(), s.Disc.OutputDelay()
	return r
}

// Stop takes all motion from the settled state.
func (s *Solver) Stop() { s.Disc.Stop() }

// Revert takes back what a substep or an edit has changed so far. It asks neither shapes nor bodies: what they leave open is to be measured
// then, and the layout to be settled.
func (s *Solver) Revert(atRest bool) {
	a := s.Around
	s.Disc.Revert(s.substep.moved, atRest || s.substep.spread)
	if s.substep.moved {
		a.Flows.Restore()
	}
	s.Volumes.Forget()
	a.Coupling.RevertPoses()
	a.Obstacles.Revert()
	a.Controls.Restore()
	s.substep.moved, s.substep.spread = false, false
}

// Remeasure does what Revert has left for when shapes and bodies can be asked again.
func (s *Solver) Remeasure(anew bool) {
	if anew {
		s.Disc.ForgetSolids()
		s.rereadSolids()
	} else {
		s.Disc.RemeasureSolids(s.Around.Coupling.Solids)
	}
	s.settleLayout()
}
