package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

type (
	// EmitterID names an emitter. IDs count from 0 for each kind, and one of what was removed never names anything else.
	EmitterID int64
	// SinkID names a sink.
	SinkID int64
	// ObstacleID names an obstacle.
	ObstacleID int64
	// FieldID names a force field.
	FieldID int64
	// ControlID names a control.
	ControlID int64
)

// Motion is where a kinematic obstacle is and how it moves: its shape turned by Rotation about
// its own origin, then shifted by Translation, with the velocity of that origin and a spin.
type Motion struct {
	Translation     r3.Vec      // m
	Rotation        quat.Number // the zero value means none
	Velocity        r3.Vec      // m/s
	AngularVelocity r3.Vec      // rad/s
}

// maxMotion, m/s or rad/s, bounds what moves an obstacle or leaves an emitter.
const maxMotion = obstacles.MaxSpeed

// AddObstacle puts a solid into the domain. Liquid that was there is lost from the ledger's held volume only as far as the solid displaces it;
// nothing is drained. One wholly outside of the domain, which may be moved in, is named in the next report.
func (l *Liquid) AddObstacle(s SDF) (ObstacleID, error) {
	defer l.enter(&callguard.AddObstacle).leave()
	if err := CheckSDF(s); err != nil {
		return 0, fmt.Errorf("fluid: AddObstacle: %w", err)
	}
	l.sim.around.Obstacles.Add(inner(s))
	id := ObstacleID(l.sim.ids.obstacles.Add())
	l.sim.warnOfOutside("AddObstacle", fmt.Sprintf("obstacle %d", id), s.Bounds())
	l.sim.updateStaticObstacles()
	l.sim.vacate(nil)
	return id, nil
}

// MoveObstacle makes an obstacle kinematic: from the next step on it is where the motion says, and keeps moving with the motion's velocity and spin
// until told otherwise. Where one that comes further at once than its velocity accounts for was is air, as where one was taken away.
func (l *Liquid) MoveObstacle(id ObstacleID, m Motion) error {
	defer l.enter(&callguard.MoveObstacle).leave()
	at, err := l.sim.ids.obstacles.Find("MoveObstacle", "obstacle", int64(id))
	if err != nil {
		return err
	}
	to := obstacles.Motion(m)
	if err := to.Normalise(); err != nil {
		return fmt.Errorf("fluid: MoveObstacle: %w", err)
	}
	l.sim.sleep.wake()
	left, moved := l.sim.around.Obstacles.Move(at, to)
	if !moved {
		l.sim.updateStaticObstacles()
	}
	if left != nil && moved { // the grid knows it where it was
		l.sim.solver.Update(solver.Solids)
	}
	l.sim.vacate(left)
	return nil
}

// RemoveObstacle takes an obstacle away. Where it was is air, which the liquid around then fills; of a wall thinner than a cell
// nothing is left, and what it has pressed out only just now is there again. Where obstacles that are added or moved before the next step, or before
// the game changes the liquid, take its place the liquid around is as if it had stayed.
func (l *Liquid) RemoveObstacle(id ObstacleID) error {
	defer l.enter(&callguard.RemoveObstacle).leave()
	at, err := l.sim.ids.obstacles.Find("RemoveObstacle", "obstacle", int64(id))
	if err != nil {
		return err
	}
	left := l.sim.around.Obstacles.Remove(at)
	l.sim.ids.obstacles.Remove(at)
	l.sim.updateStaticObstacles()
	l.sim.vacate(left)
	return nil
}

// updateStaticObstacles has the solver know of other static obstacles.
func (l *simulation) updateStaticObstacles() {
	l.sleep.wakeAll()
	l.solver.Update(solver.Displaced | solver.Obstacles)
}
