package fv

import (
	"errors"
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// errNotFinite rolls a step back.
var errNotFinite = errors.New("the velocity is not finite")

// BeginStep begins a step that follows a plan.
func (s *Solver) BeginStep(p solver.Plan) {
	s.plan, s.report = p, solver.Report{}
	s.Tracker.SetDetailInterval(p.DetailInterval)
}

// Advance is a substep up to the solve.
func (s *Solver) Advance() error {
	s.beginSubstep()
	s.resize()
	s.readBodies()
	s.advanceSurface()
	s.discretise()
	s.advectVelocity()
	s.ApplyForces()
	s.correctVolume()
	s.followControls()
	return s.project()
}

// Push is the rest of the substep up to what the liquid does to the bodies.
func (s *Solver) Push() {
	s.updateVelocity()
	s.extrapolateVelocity()
	s.applyWrenches()
}

// Settle ends the substep when the bodies have moved.
func (s *Solver) Settle() {
	s.readContacts()
	s.publishState()
	s.hearing.EndSubstep(s.Around.Flows, s.Spray, s.Around.Coupling.Liquid.Velocity)
}

// beginSubstep notes that nothing has been changed yet that Revert would have to restore.
func (s *Solver) beginSubstep() {
	a := s.Around
	s.beginCells()
	a.Flows.BeginSubstep(flowsSubstep(a))
	s.substep.moved, s.substep.spread = false, false
	a.Coupling.BeginSubstep()
	a.Obstacles.Keep()
	a.Controls.BeginSubstep(a.Now.Dt, a.Up())
}

// beginCells begins a substep of the cells.
func (s *Solver) beginCells() {
	s.dt = s.Around.Now.Dt
	s.Cells.BeginSubstep(s.dt, s.Around.Now.Drift)
}

// advanceSurface moves the surface with the old velocity and lets emitters, sinks and open sides act on it.
func (s *Solver) advanceSurface() {
	a := s.Around
	s.Times.Begin(solver.StageSurface)
	s.substep.moved = true
	s.Tracker.Advance(s.growth())
	a.Fields.AccelerateParticles(s.Spray.Position, s.Spray.Velocity, a.Now.Drift)
	if s.Volumes != nil {
		s.Volumes.Note()
	}
	a.Flows.Apply(s.Pressure.Closed)
	a.Controls.Seed(a.Now.Step*a.Now.Of + a.Now.Number)
	s.Tracker.Complete()
	s.Times.Lap(s.Cells.Layout().CellsInUse())
}

// discretise makes the graph of the new surface and solids, and finds its components.
func (s *Solver) discretise() {
	s.Times.Begin(solver.StageDiscretise)
	s.Cells.Discretise(len(s.Around.Coupling.Solids))
	s.Pressure.Prepare(&s.Graph)
	s.Times.Lap(s.Graph.Faces())
}

// advectVelocity carries the velocity to the new graph's faces.
func (s *Solver) advectVelocity() {
	s.Times.Begin(solver.StageAdvect)
	s.Cells.AdvectVelocity(!s.Settings.FirstOrder)
	s.Times.Lap(s.Graph.Faces())
}

// updateVelocity ends the solve: the faces and bodies have the velocity that it found.
func (s *Solver) updateVelocity() {
	a := s.Around
	s.Times.Begin(solver.StageUpdate)
	s.releaseFaces()
	s.addBalance()
	_ = s.checkVelocity(2 * s.Settings.CFL * s.Settings.CellSize * float64(s.Settings.MaxSubsteps) / a.Now.Dt) // solve has, for the error
	if s.Volumes != nil {
		s.Volumes.NoteMotion()
	}
	a.Controls.SetLevels(&s.Graph, s.Impulse)
	s.hearing.AfterSolve(a.Coupling.Rigid, a.Coupling.Moved, a.Material.Density, a.Fields.Strongest(), a.Now.Dt)
	s.Cells.KeepPressure()
	s.Times.Lap(s.Graph.Faces())
}

// checkVelocity finds the greatest speed, bounds it to a limit, m/s, and tells if some velocity is not finite.
func (s *Solver) checkVelocity(limit float64) error {
	if f := s.Cells.BoundVelocity(s.Pressure.Fastest, pressure.FaceChunk, limit); f >= 0 {
		return fmt.Errorf("%w at %.4g m, along %.3g", errNotFinite, s.Graph.FaceCentre(f), s.Graph.Normal(f))
	}
	return s.Around.Coupling.CheckVelocities(errNotFinite)
}

// extrapolateVelocity extends the velocity beyond the liquid. Faces that a solid shuts move with the solid.
func (s *Solver) extrapolateVelocity() {
	m := &s.Around.Material
	s.Times.Begin(solver.StageExtrapolate)
	s.substep.spread = true
	s.Cells.ExtrapolateVelocity(s.wall)
	s.Around.Flows.Sides.SetVelocity()
	if m.HasViscosity() {
		s.Viscosity.ExtendShear(m.Viscosity, m.Tension)
	}
	s.Times.Lap(s.Graph.Faces())
}

// publishState makes the new state the old one of the next step.
func (s *Solver) publishState() {
	s.Times.Begin(solver.StagePublish)
	if s.Foam != nil {
		bodies.EachNewSplash(s.Around.Coupling, s.Foam.SplashFoam)
	}
	s.Cells.Publish()
	done := s.Tracker.Report()
	(*query.SurfaceReport)(&s.report.Surface).Add(&done)
	if done.Coarser > 1 {
		s.Warn("Resources.MaxMemory", "there is no room for all vertices of the surface; its edges are longer than SurfaceDetail asks for")
	}
	s.Around.Controls.EndSubstep()
	s.substep.moved, s.substep.spread = false, false
	s.Times.Lap(s.Graph.Rows)
}
