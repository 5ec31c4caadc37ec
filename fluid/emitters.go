package fluid

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// EmitterDef is a source of liquid, such as a tap: liquid appears in Shape with Velocity, Rate litres per second. Where the rate is too low for the
// cells to hold what comes, it falls from Shape in drops: see Surface.Droplets. With Method BoundaryOnly all comes in balls, as wide as Shape is at its narrowest and no smaller than
// three CellSizes, from the middle of Shape's bounds: each when so much is due and no other liquid is in its way. A Shape whose middle is in a solid, out of
// the domain, or in liquid for as long as two balls take, is blocked.
type EmitterDef struct {
	Shape    SDF     // if it is Labelled, what comes next to a surface of another label doesn't merge with it
	Velocity r3.Vec  // m/s
	Rate     float64 // litres/s, > 0
	Stopped  bool    // starts shut
}

// check reports a field that is out of its limits, for an emitter of a liquid.
func (e *EmitterDef) check(l *simulation) error {
	if err := l.def.checkFilled(e.Shape); err != nil {
		return fmt.Errorf("Shape: %w", err)
	}
	return l.around.Flows.Emitters.Check(e.Shape.Bounds(), e.Velocity, e.Rate)
}

// AddEmitter adds an emitter, open unless it is Stopped.
func (l *Liquid) AddEmitter(e EmitterDef) (EmitterID, error) {
	defer l.enter(&callguard.AddEmitter).leave()
	if err := l.sim.def.mustHaveSurface("AddEmitter"); err != nil {
		return 0, err
	}
	if err := l.sim.mustBeAble("AddEmitter", l.sim.can.Emitters); err != nil {
		return 0, err
	}
	if err := e.check(&l.sim); err != nil {
		return 0, fmt.Errorf("fluid: AddEmitter: %w", err)
	}
	to := &flows.Emitter{ID: l.sim.ids.emitters.Add()}
	e.define(to)
	l.sim.warnOfOutside("AddEmitter", fmt.Sprintf("emitter %d", to.ID), e.Shape.Bounds())
	l.sim.around.Flows.Emitters.All = append(l.sim.around.Flows.Emitters.All, to)
	return EmitterID(to.ID), nil
}

// define makes an emitter what the definition says.
func (e *EmitterDef) define(to *flows.Emitter) {
	to.SetShape(guarded(e.Shape))
	to.Label = int32(shapes.LiquidShapeOf(e.Shape).Label)
	to.Velocity, to.Rate, to.Running = e.Velocity, e.Rate, !e.Stopped
}

// SetEmitter makes an emitter what the definition says, where its Shape is, open unless Stopped. What is due and has not come yet stays due: at every
// rate, and however often a game sets it, as much comes as the rates add up to.
func (l *Liquid) SetEmitter(id EmitterID, e EmitterDef) error {
	defer l.enter(&callguard.SetEmitter).leave()
	to, err := l.sim.emitter("SetEmitter", id)
	if err != nil {
		return err
	}
	if err := e.check(&l.sim); err != nil {
		return fmt.Errorf("fluid: SetEmitter: %w", err)
	}
	e.define(to)
	l.sim.warnOfOutside("SetEmitter", fmt.Sprintf("emitter %d", id), e.Shape.Bounds())
	return nil
}

// MoveEmitter moves an emitter to its Shape shifted by translation, m, from where EmitterDef has it. A rotation first turns Shape
// about its own origin, as EmitterDef has it, and Velocity with it; with the zero value both are as EmitterDef has them. All else stays. One that so leaves the
// domain, where nothing comes out of it, is named in the next report.
func (l *Liquid) MoveEmitter(id EmitterID, translation r3.Vec, rotation quat.Number) error {
	defer l.enter(&callguard.MoveEmitter).leave()
	e, err := l.sim.emitter("MoveEmitter", id)
	if err != nil {
		return err
	}
	left, err := e.Move(translation, rotation, l.sim.def.Domain)
	if err != nil {
		return fmt.Errorf("fluid: MoveEmitter: %w", err)
	}
	if left {
		l.sim.warnOfOutside("MoveEmitter", fmt.Sprintf("emitter %d", id), e.Opening().Bounds())
	}
	return nil
}

// StartEmitter opens an emitter. One that is open already runs on.
func (l *Liquid) StartEmitter(id EmitterID) error {
	defer l.enter(&callguard.StartEmitter).leave()
	e, err := l.sim.emitter("StartEmitter", id)
	if err == nil {
		e.Running = true
	}
	return err
}

// StopEmitter shuts an emitter. What is due then comes when it is opened again.
func (l *Liquid) StopEmitter(id EmitterID) error {
	defer l.enter(&callguard.StopEmitter).leave()
	e, err := l.sim.emitter("StopEmitter", id)
	if err == nil {
		e.Running = false
	}
	return err
}

// RemoveEmitter takes an emitter away. What is due comes at once, in drops; with Method BoundaryOnly it is less than a drop, and does not come.
func (l *Liquid) RemoveEmitter(id EmitterID) error {
	defer l.enter(&callguard.RemoveEmitter).leave()
	ids, emitters := &l.sim.ids.emitters, &l.sim.around.Flows.Emitters
	at, err := ids.Find("RemoveEmitter", "emitter", int64(id))
	if err != nil {
		return err
	}
	if e := emitters.All[at]; emitters.HasDebt(e) {
		l.sim.solver.Update(solver.Solids)
		if emitters.Release(e, solver.Seed(l.sim.out.steps, betweenSteps)) && !l.sim.out.stale {
			l.sim.out.showDroplets(l.sim.solver.Report().Delay)
		}
	}
	emitters.All = slices.Delete(emitters.All, at, at+1)
	ids.Remove(at)
	return nil
}

func (l *simulation) emitter(call string, id EmitterID) (*flows.Emitter, error) {
	return ids.Named(&l.ids.emitters, l.around.Flows.Emitters.All, call, "emitter", int64(id))
}
