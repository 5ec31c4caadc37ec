package surfaceonly

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// BeginStep begins a step. Of a plan nothing counts: the resolution is the same in every step.
func (s *Solver) BeginStep(solver.Plan) { s.report = solver.Report{} }

// Advance is a substep up to what the liquid does to the bodies.
func (s *Solver) Advance() error {
	s.beginSubstep()
	s.readBodies()
	if err := s.advanceSurface(); err != nil {
		return err
	}
	s.pour()
	s.pushBodies()
	return nil
}

// SolveAgain does nothing: what the liquid does to bodies follows from where they were at the begin of the substep.
func (s *Solver) SolveAgain() error { return nil }

// Push hands the liquid's impulses over as forces through the substep.
func (s *Solver) Push() {
	s.Times.Begin(solver.StageBodies)
	s.Around.Coupling.Loads.Apply(s.Around.Pushes)
	s.Times.Lap(0)
}

// Settle ends the substep when the bodies have moved.
func (s *Solver) Settle() {
	a := s.Around
	s.Times.Begin(solver.StageBodies)
	a.Coupling.ReadContactVelocities(a.Pushes)
	a.Obstacles.Advance(a.Now.Dt)
	s.Times.Lap(0)
	s.moved = false
}

// beginSubstep keeps the state for Revert.
func (s *Solver) beginSubstep() {
	a := s.Around
	s.liquid.Snapshot(&s.before)
	s.moved = true
	a.Flows.BeginSubstep(flows.Substep{Dt: a.Now.Dt, Drift: a.Now.Drift, Up: a.Up(), Seed: a.Now.Seed()})
	a.Coupling.BeginSubstep()
	a.Obstacles.Keep()
}

// atOnce, s, is how far ahead bodies are read in a substep, for which package bodies wants some time.
const atOnce = 1e-9

// readBodies takes bodies and moving obstacles where they are at the begin of the substep, with the velocities that they have at its end without the liquid.
func (s *Solver) readBodies() {
	s.Times.Begin(solver.StageBodies)
	s.readSolids(atOnce)
	a := s.Around
	a.Obstacles.Motions.Clear(len(a.Coupling.Solids))
	a.Coupling.ReadMotions(&a.Obstacles.Motions)
	a.Obstacles.ReadMotions(a.Coupling.Solids, a.Coupling.Known())
	s.Times.Lap(len(a.Coupling.Solids))
}

// rereadSolids takes solids outside of a step: the game may put bodies elsewhere before the next.
func (s *Solver) rereadSolids() { s.readSolids(0) }

// readSolids takes dynamic bodies where they are ahead seconds on.
func (s *Solver) readSolids(ahead float64) {
	a, c, d := s.Around, s.Around.Coupling, &s.Settings
	c.Read(bodies.Substep{
		Dt: a.Now.Dt, Drift: a.Now.Drift, Whole: a.Now.Whole, Density: a.Material.Density, Gravity: a.Fields.Gravity,
		MaxSpeed: d.CFL * d.CellSize * float64(d.MaxSubsteps) / a.Now.Whole,
	}, ahead)
	for i := range c.Rigid { // what contacts do is expected as in the step before
		r := &c.Rigid[i]
		for d, x := range r.Contact {
			r.V[d] += x
		}
	}
	c.Solids, c.Rigid, c.Moved = a.Obstacles.AppendMoving(c.Solids, c.Rigid, c.Moved)
	s.solids.read()
}

// advanceSurface moves the liquid.
func (s *Solver) advanceSurface() error {
	a, m := s.Around, &s.liquid.Tracker.Mesh
	s.Times.Begin(solver.StageSurface)
	was := s.liquid.MaxSpeed()
	done, err := s.liquid.Step(a.Now.Dt, s.acceleration, &s.solids)
	if err == nil {
		err = s.checkSpeed(was)
	}
	if err != nil {
		return err
	}
	t, r := &done.Track, (*query.SurfaceReport)(&s.report.Surface)
	r.Add(&query.SurfaceReport{
		Vertices: m.Vertices(), Triangles: m.Triangles(), Merges: done.Merged, Splits: done.Parted, Collisions: t.Collisions, Repairs: t.Repairs, Refused: t.Improve.Refused,
		Late: max(0, 1-t.Fraction),
	})
	if done.Unsolved > 0 {
		s.Warn("CellSize", "the surface of some of the liquid is too tangled or too large to solve for; it moves on as it did")
	}
	s.measure()
	s.Times.Lap(m.Triangles())
	return nil
}

// mostGain is by how many times the liquid may become faster in a substep than what it does in it without a pressure, and than the waves of tension that are an edge long.
const mostGain = 8

// checkSpeed returns an error if the liquid has become faster than anything in a substep can make it, from a speed, m/s: its surface is too coarse for what it does.
func (s *Solver) checkSpeed(was float64) error {
	a, m := s.Around, &s.Around.Material
	waves := math.Sqrt(2 * math.Pi * m.Tension / (m.Density * s.Settings.CellSize))
	fall := math.Sqrt(2*a.Fields.Strongest()*s.Settings.CellSize) + float64(a.Fields.Strongest()*a.Now.Dt)
	most := mostGain * (was + s.solids.fastest() + fall + waves)
	if now := s.liquid.MaxSpeed(); !(now <= most) {
		return fmt.Errorf("the liquid has become %.3g m/s fast, from %.3g: CellSize is too large for how it moves", now, was)
	}
	return nil
}

// Stop takes all motion from the settled state.
func (s *Solver) Stop() {
	s.still = arrays.Resize(s.still, len(s.liquid.FaceVelocities()))
	clear(s.still)
	_ = s.liquid.SetVelocities(s.still) // they are finite
}

// Revert takes back what a substep has changed so far.
func (s *Solver) Revert(atRest bool) {
	a := s.Around
	if s.moved {
		s.liquid.Restore(&s.before)
		a.Flows.Restore()
		a.Coupling.RevertPoses()
		a.Obstacles.Revert()
	}
	if s.moved = false; atRest {
		s.Stop()
	}
}

// Remeasure does what Revert has left for when shapes and bodies can be asked again.
func (s *Solver) Remeasure(bool) {
	s.rereadSolids()
	s.measure()
}
