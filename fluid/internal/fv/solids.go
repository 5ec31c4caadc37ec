package fv

import (
	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// flowsSubstep is what the flows' calls of a substep have in common, and bodiesSubstep what those of the bodies have.
func flowsSubstep(a *solver.Surroundings) flows.Substep {
	return flows.Substep{Dt: a.Now.Dt, Drift: a.Now.Drift, Up: a.Up(), Seed: a.Now.Seed()}
}

func bodiesSubstep(a *solver.Surroundings, s *solver.Settings) bodies.Substep {
	return bodies.Substep{
		Dt: a.Now.Dt, Drift: a.Now.Drift, Whole: a.Now.Whole, Density: a.Material.Density, Gravity: a.Fields.Gravity,
		MaxSpeed: s.CFL * s.CellSize * float64(s.MaxSubsteps) / a.Now.Whole,
	}
}

// readBodies takes the bodies' poses and pressure-free velocities and measures what they and the static solids leave of the grid.
func (s *Solver) readBodies() {
	s.Times.Begin(solver.StageBodies)
	s.readSolids(s.Around.Now.Dt/2, true)
	s.readThinWalls()
	s.Times.Lap(len(s.Around.Coupling.Solids))
}

// rereadSolids is readSolids outside of a step: the game may put bodies elsewhere before the next.
func (s *Solver) rereadSolids() {
	s.readSolids(-s.delay(), false)
	if s.Solids != nil {
		s.Solids.ForgetBodies()
	}
}

// readSolids takes dynamic bodies where they are ahead seconds on. If the surface has moved, so have solids since it was moved before.
func (s *Solver) readSolids(ahead float64, moved bool) {
	a, c, o := s.Around, s.Around.Coupling, s.Around.Obstacles
	if c.Read(bodiesSubstep(a, &s.Settings), ahead) {
		s.deferDisplaced()
	}
	c.Solids, c.Rigid, c.Moved = o.AppendMoving(c.Solids, c.Rigid, c.Moved)
	o.Motions.Clear(len(c.Solids))
	if moved {
		c.ReadMotions(&o.Motions)
		o.ReadMotions(c.Solids, c.Known())
	}
	s.openings = a.Controls.AppendSeeds(a.Flows.AppendOpenings(s.openings[:0]))
	s.reach = query.Reach{Strongest: a.Fields.Strongest(), Openings: s.openings, Swept: o.Motions.Swept(c.Solids)}
	s.Cells.MeasureSolids(c.Solids, &s.reach)
	s.Tracker.ClearMoving()
	c.EachMoved(s.Tracker.MarkMoving)
}

// readThinWalls lists the thin walls of the step, and has the cells near them marked.
func (s *Solver) readThinWalls() {
	if s.Walls.Set != nil {
		s.Around.Obstacles.ListWalls(s.Walls.Set, s.Around.Coupling.Solids)
		s.Walls.Mark()
	}
}

// applyWrenches hands the liquid's impulses over as forces through the step.
func (s *Solver) applyWrenches() {
	s.Times.Begin(solver.StageBodies)
	s.Around.Coupling.Loads.Apply(s.Around.Pushes)
	s.Times.Lap(0)
}

// readContacts reads what became of the bodies in their step, and has obstacles move on.
func (s *Solver) readContacts() {
	s.Times.Begin(solver.StageBodies)
	s.Around.Coupling.ReadContactVelocities(s.Around.Pushes)
	s.Around.Obstacles.Advance(s.Around.Now.Dt)
	s.Times.Lap(0)
}
