package fv

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// project solves for the pressure and moves faces and bodies by it.
func (s *Solver) project() error {
	s.Times.Begin(solver.StageSolve)
	opt := &s.substep.solve
	s.Impulse = s.Cells.StartPressure()
	s.hearing.BeforeSolve()
	s.Deadline.BeginSolve(s.Graph.Rows)
	*opt = pressure.Options{Tolerance: s.plan.Tolerance, MaxIterations: s.plan.MaxIterations, Tension: s.Around.Material.HasTension(), Deadline: s.late}
	if err := s.prescribe(opt); err != nil {
		return err
	}
	if len(s.Around.Coupled) > 1 {
		s.Around.Coupling.Keep(s.Graph.U)
	}
	return s.SolveAgain()
}

// SolveAgain is what of project is done again while other liquids push the same bodies.
func (s *Solver) SolveAgain() error {
	err := s.solve()
	if err != nil {
		s.releaseFaces()
	}
	return err
}

func (s *Solver) solve() error {
	gr, a, c, r := &s.Graph, s.Around, s.Around.Coupling, &s.report
	s.Times.Begin(solver.StageSolve)
	rep, err := s.Pressure.Solve(gr, a.Material.Density, a.Now.Dt, c.Rigid, c.Joints, s.substep.rows, s.Impulse, s.substep.solve)
	s.substep.solve.Again = true
	r.Iterations += rep.Iterations
	if geom.Finite(rep.Residual) {
		r.Residual = max(r.Residual, rep.Residual)
	}
	r.Nonzeros = rep.Nonzeros
	s.Times.Lap(gr.Rows)
	if !pressure.Usable(err) {
		return pressure.Locate(err, gr, c.Known(), c.Identity)
	}
	return s.checkVelocity(math.Inf(1))
}

// followControls finds what of the liquid controls hold, and gives their shapes what they lack.
func (s *Solver) followControls() {
	set := &s.Around.Controls
	if !set.Active() {
		return
	}
	s.Times.Begin(solver.StageControl)
	set.Rasterise(&s.Graph, s.Around.Coupling.Rigid)
	set.Refill(s.substep.rows)
	s.Times.Lap(set.Faces())
}

// ownTolerance is the tolerance, at most, of the solve for the liquid's own velocity, and ownLooser by how much it is above that of the other: it is mixed
// with the surface's at control surfaces alone, and makes no divergence.
const (
	ownTolerance = 1e-2
	ownLooser    = 100
)

// prescribe has the solve that follows keep the velocities at control surfaces. Where the liquid's own velocity counts, too, it is solved for first,
// with the same sources, and its pressure is where the other solve starts. Where detail is left out, what it would be before the pressure acts stands for it.
func (s *Solver) prescribe(opt *pressure.Options) error {
	set, gr, c, a := &s.Around.Controls, &s.Graph, s.Around.Coupling, s.Around
	if set.Faces() == 0 {
		return nil
	}
	if set.Relaxed() && s.plan.DetailInterval > 1 {
		set.TakeFree(gr)
	} else if set.Relaxed() {
		set.Keep(gr, c.Rigid, s.Impulse, &s.Pressure.Components)
		own := *opt
		own.Tolerance = max(opt.Tolerance, min(ownTolerance, ownLooser*opt.Tolerance))
		rep, err := s.Pressure.Solve(gr, a.Material.Density, a.Now.Dt, c.Rigid, c.Joints, s.substep.rows, set.Impulse, own)
		if !pressure.Usable(err) {
			return pressure.Locate(err, gr, c.Known(), c.Identity)
		}
		s.report.Iterations += rep.Iterations
		set.Free(gr, c.Rigid)
		copy(s.Impulse, set.Impulse)
		opt.Again = true
	}
	set.Prescribe(gr, c.Rigid, s.substep.rows)
	opt.Apart = set.Apart()
	return nil
}

// releaseFaces ends what prescribe has asked of the solve.
func (s *Solver) releaseFaces() {
	if set := &s.Around.Controls; set.Active() {
		s.forcing.exchange.Control = set.Release(&s.Graph, s.Impulse)
	}
}
