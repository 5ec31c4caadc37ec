package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// changes applies to the state what calls ask for between steps.
type changes struct {
	sim     *simulation
	vacated obstacles.Vacated
}

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
	t := shapes.ToldOf(s)
	s = guarded(s)
	l.sim.record.warnOfOutside("Fill", "the shape given to Fill", s.Bounds())
	l.sim.ledger.FilledL += max(0, l.sim.changes.edit(s, l.sim.changes.union(int32(t.Label), func(r3.Vec) r3.Vec { return t.Velocity })))
	l.sim.record.warnOfShape("Fill", s)
	return nil
}

// vacate leaves air where an obstacle was, unless it is thinner than a cell or others are there now. left is nil if obstacles have only come: where
// they are what others have left since the last step is no air any more.
func (l *simulation) vacate(left shapes.SDF) {
	v, c := &l.changes.vacated, &l.state.codec
	switch first, some := v.Leave(left, l.def.CellSize); {
	case !some:
		return
	case first:
		c.Write()
		l.state.codeLiquid(c)
		v.Before = append(v.Before[:0], c.Bytes()...)
	default:
		c.Read(v.Before, version)
		l.state.codeLiquid(c)
		l.wakeAll()
		l.deferDisplaced()
		l.out.stale = true
	}
	v.EachRoom(l.world.obstacles, l.changes.leaveAir)
}

// leaveAir takes the liquid out of where an obstacle was, in which the surface goes on, until the ledger is right: what
// an obstacle has pressed out and that has not come back elsewhere, since there was no room or no time, is there again.
func (c *changes) leaveAir(gone shapes.SDF) {
	l := c.sim
	c.apply(c.throughWalls(gone), func(s shapes.SDF) {
		if l.account().DriftL > 0 {
			l.edits.LeaveAir(s, gone, l.up(), c.measureDrift)
		}
	})
}

// edit is apply for a change of the game's.
func (c *changes) edit(s shapes.SDF, change func(s shapes.SDF)) float64 {
	c.vacated.Forget(c.sim.world.obstacles)
	return c.apply(c.throughWalls(s), change)
}

// measureDrift is by how many litres there is more liquid than the ledger says, as the surface is now.
func (c *changes) measureDrift() float64 {
	l := c.sim
	l.resurvey()
	return l.account().DriftL
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
	l.sim.record.warnOfOutside("Drain", "the shape given to Drain", s.Bounds())
	l.sim.ledger.DrainedL += max(0, -l.sim.changes.edit(s, l.sim.edits.Subtract))
	l.sim.record.warnOfShape("Drain", s)
	return nil
}

// throughWalls is a shape that goes on beyond the domain's closed sides where it ends at them.
func (c *changes) throughWalls(s shapes.SDF) shapes.SDF {
	l := c.sim
	return shapes.ThroughWalls(s, l.def.Domain, l.def.Sides.open(), l.def.CellSize)
}

// union is what adds a shape to the liquid of a label, with a velocity, m/s.
func (c *changes) union(label int32, velocity func(x r3.Vec) r3.Vec) func(s shapes.SDF) {
	return func(s shapes.SDF) { c.sim.edits.Union(s, label, velocity, c.clearBeyond) }
}

// editPlans is how many plans after an edit set levels at once. While blocks are coarse, the surface
// seems nearer to them than it is, so that the first plans ask for too much.
const editPlans = 5

// apply changes the liquid by a shape, with fine cells along its surface, and returns by how
// many litres the liquid grew. That may have the wrong sign by what the distance's rounding is worth.
func (c *changes) apply(s shapes.SDF, change func(s shapes.SDF)) float64 {
	l := c.sim
	l.edits.RefineAround(s, l.coupling.Now().AppendSolids(l.world.obstacles.AppendSolids(nil)), l.rereadSolids)
	l.relayout()
	l.disc.RestartSizing(1)
	before := l.ledger.HeldL
	change(s)
	c.clearBeyond()
	l.spray.Remove(s)
	l.flows.Drops.Remove(s)
	c.publish()
	l.disc.RestartSizing(editPlans)
	return l.ledger.HeldL - before
}

// publish makes the surface, from outside of a step, the state that the next one begins with.
func (c *changes) publish() {
	l := c.sim
	l.wakeAll()
	l.edits.Publish()
	l.resurvey()
	l.volumes.Restart()
	l.out.stale = true
}

// clearBeyond takes away what an edit put beyond open sides, unbooked.
func (c *changes) clearBeyond() {
	l := c.sim
	drained := l.ledger.DrainedL
	l.flows.RemoveOutflow()
	l.ledger.DrainedL = drained
	l.volumes.DropGains()
}

// kick ends a call that has changed the velocity.
func (c *changes) kick() {
	c.vacated.Forget(c.sim.world.obstacles)
	c.sim.wakeAll()
	c.sim.resurvey()
}
