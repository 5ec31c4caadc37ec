package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// Fill puts liquid into a shape. The part outside of the domain or within solids is ignored; a shape wholly outside is named in the
// next report. Let the shape reach into walls that hold the liquid, by half a cell or more: of one that ends at a wall's face the edge
// there is rounded, as it would be in the open, and what is missing of it sets the liquid swinging. What comes is at rest, unless the shape is
// Moving, and what was there keeps its velocity. A shape that is Labelled fills only what no liquid of another label holds.
func (l *Liquid) Fill(s SDF) error {
	defer l.enter(&callguard.Fill).leave()
	if err := l.sim.def.mustHaveSurface("Fill"); err != nil {
		return err
	}
	if err := l.sim.def.checkFilled(s); err != nil {
		return fmt.Errorf("fluid: Fill: %w", err)
	}
	t := shapes.LiquidShapeOf(s)
	s = guarded(s)
	l.sim.warnOfOutside("Fill", "the shape given to Fill", s.Bounds())
	grown, err := l.sim.editByGame(solver.Fill{Shape: l.sim.throughWalls(s), Label: int32(t.Label), Velocity: func(r3.Vec) r3.Vec { return t.Velocity }})
	l.sim.around.Ledger.FilledL += max(0, grown)
	l.sim.record.warnOfShape("Fill", s)
	return err
}

// vacate leaves air where an obstacle was, unless it is thinner than a cell or others are there now. left is nil if obstacles have only come: where
// they are what others have left since the last step is no air any more.
func (l *simulation) vacate(left shapes.SDF) {
	v, c := &l.vacated, &l.codec
	switch first, some := v.Add(left, l.def.CellSize); {
	case !some:
		return
	case first:
		c.Write()
		l.codeLiquid(c)
		v.Before = append(v.Before[:0], c.Bytes()...)
	default:
		c.Read(v.Before, version)
		l.codeLiquid(c)
		l.sleep.wakeAll()
		l.solver.Update(solver.Displaced)
		l.out.stale = true
	}
	v.EachRoom(l.around.Obstacles, l.leaveAir)
}

// leaveAir takes the liquid out of where an obstacle was, in which the surface goes on, until the ledger is right: what
// an obstacle has pressed out and that has not come back elsewhere, since there was no room or no time, is there again.
func (l *simulation) leaveAir(gone shapes.SDF) {
	_, _ = l.edit(solver.Vacate{Shape: l.throughWalls(gone), Gone: gone}) // it has no error
}

// edit changes the liquid, and returns by how many litres it grew. That may have the wrong sign by what the distance's rounding is worth.
func (l *simulation) edit(e solver.Edit) (grown float64, err error) {
	grown, err = l.solver.Edit(e)
	l.sleep.wake()
	l.out.stale = true
	return grown, err
}

// editByGame is edit for a change of the game's. One that has failed has changed nothing.
func (l *simulation) editByGame(e solver.Edit) (grown float64, err error) {
	l.vacated.Forget(l.around.Obstacles)
	return l.edit(e)
}

// throughWalls is a shape that goes on beyond the domain's closed sides, and into obstacles, where it ends at them.
func (l *simulation) throughWalls(s shapes.SDF) shapes.SDF {
	var solids []shapes.Distance
	for _, o := range l.around.Obstacles.AppendSolids(nil) {
		if boxes.Overlap(boxes.Grown(s.Bounds(), l.def.CellSize), o.Bounds) {
			solids = append(solids, o.Distance)
		}
	}
	return shapes.ThroughSolids(shapes.ThroughWalls(s, l.def.Domain, l.def.Sides.open(), l.def.CellSize), solids, l.def.CellSize)
}

// Drain takes the liquid out of a shape. One wholly outside of the domain is named in the next report.
func (l *Liquid) Drain(s SDF) error {
	defer l.enter(&callguard.Drain).leave()
	if err := l.sim.def.mustHaveSurface("Drain"); err != nil {
		return err
	}
	if err := CheckSDF(s); err != nil {
		return fmt.Errorf("fluid: Drain: %w", err)
	}
	s = guarded(s)
	l.sim.warnOfOutside("Drain", "the shape given to Drain", s.Bounds())
	grown, err := l.sim.editByGame(solver.Drain{Shape: l.sim.throughWalls(s)})
	l.sim.around.Ledger.DrainedL += max(0, -grown)
	l.sim.record.warnOfShape("Drain", s)
	return err
}
