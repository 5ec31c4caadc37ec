package fv

import (
	"errors"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// editPlans is how many plans after an edit set levels at once. While blocks are coarse, the surface
// seems nearer to them than it is, so that the first plans ask for too much.
const editPlans = 5

// errNoEdits is what Edit returns where cells can't be edited.
var errNoEdits = errors.New("the solver can't do that")

// Edit changes the settled state.
func (s *Solver) Edit(e solver.Edit) (float64, error) {
	if s.Edits == nil {
		return 0, errNoEdits
	}
	switch e := e.(type) {
	case solver.Fill:
		return s.edit(e.Shape, func(shape shapes.SDF) []droplets.Drop {
			return s.Edits.Union(shape, e.Label, s.solidsNow(), e.Velocity, s.clearBeyond)
		}), nil
	case solver.Drain:
		return s.edit(e.Shape, func(shape shapes.SDF) []droplets.Drop {
			s.Edits.Subtract(shape)
			return nil
		}), nil
	case solver.Vacate:
		return s.edit(e.Shape, func(shape shapes.SDF) []droplets.Drop {
			if s.Around.Ledger.Drift() > 0 {
				s.Edits.LeaveAir(shape, e.Gone, s.Around.Up(), s.measureDrift)
			}
			return nil
		}), nil
	case solver.SetVelocity:
		err := s.Edits.SetVelocity(e.Shape, e.Velocity)
		if err == nil {
			s.kick()
		}
		return 0, err
	case solver.Blow:
		return s.blow(&e), nil
	}
	panic("fv: Edit: unknown edit")
}

// edit changes the liquid by a shape, with fine cells along its surface, and returns by how
// many litres the liquid grew. That may have the wrong sign by what the distance's rounding is worth.
func (s *Solver) edit(shape shapes.SDF, change func(s shapes.SDF) []droplets.Drop) float64 {
	a := s.Around
	s.Edits.RefineAround(shape, s.solidsNow(), s.rereadSolids)
	s.relayout()
	s.restartSizing(1)
	before := a.Ledger.HeldL
	fallen := change(shape)
	s.clearBeyond()
	s.Spray.Remove(shape)
	a.Flows.Drops.Remove(shape)
	s.addDrops(fallen)
	s.publishEdit()
	s.restartSizing(editPlans)
	return a.Ledger.HeldL - before
}

// addDrops adds what of an edit the cells can't carry.
func (s *Solver) addDrops(all []droplets.Drop) {
	if drops := &s.Around.Flows.Drops; drops.HasRoom(len(all)) {
		for i := range all {
			drops.Add(all[i].X, all[i].V, all[i].Volume)
		}
	}
}

// solidsNow are the solids that there are, apart from such as are smaller than a cell.
func (s *Solver) solidsNow() []query.Solid {
	return s.Around.Coupling.Now().AppendSolids(s.Around.Obstacles.AppendSolids(nil))
}

// restartSizing has so many plans set levels at once.
func (s *Solver) restartSizing(plans int) {
	if s.Sizing != nil {
		s.Sizing.RestartSizing(plans)
	}
}

// keepAwake keeps all of the liquid awake for a while.
func (s *Solver) keepAwake() {
	if s.Parts != nil {
		s.Parts.KeepAwake()
	}
}

// publishEdit makes the surface, from outside of a step, the state that the next one begins with.
func (s *Solver) publishEdit() {
	s.keepAwake()
	s.Edits.Publish()
	s.resurvey()
	if s.Volumes != nil {
		s.Volumes.Restart()
	}
}

// clearBeyond takes away what an edit put beyond open sides, unbooked.
func (s *Solver) clearBeyond() {
	g := &s.Around.Ledger
	drained := g.DrainedL
	s.Around.Flows.RemoveOutflow()
	g.DrainedL = drained
	if s.Volumes != nil {
		s.Volumes.DropGains()
	}
}

// kick ends an edit that has changed the velocity.
func (s *Solver) kick() {
	if s.Volumes != nil {
		s.Volumes.ForgetMotion()
	}
	s.keepAwake()
	s.resurvey()
}

// blow gives the liquid around a place an impulse, if that makes none too fast.
func (s *Solver) blow(b *solver.Blow) (fastest float64) {
	radius := b.Radius
	if boxes.Contains(s.Cells.Layout().Tiles().Whole(), b.Centre) { // no less than the cells there
		radius = max(radius, s.Cells.Layout().EdgeAt(b.Centre))
	}
	box := boxes.Grown(r3.Box{Min: b.Centre, Max: b.Centre}, radius)
	s.rereadSolids() // and what they leave in each cell, so that copies of a liquid agree
	s.resurvey()
	part := func(x r3.Vec) float64 { return max(0, 1-reproducible.Norm(r3.Sub(x, b.Centre))/radius) }
	mass := s.Edits.MassIn(box, part)
	if mass == 0 || b.Size == 0 {
		return 0
	}
	if fastest = b.Size / mass; fastest <= b.Most {
		s.Edits.AddVelocity(box, fastest, func(x r3.Vec) r3.Vec { return reproducible.Scale(part(x)/mass, b.Along(x)) })
		s.kick()
	}
	return fastest
}
