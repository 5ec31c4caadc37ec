package fluid

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// EmitterDef is a source of liquid, such as a tap: liquid appears in Shape with Velocity, Rate litres per second. Where the rate is too low for the
// cells to hold what comes, it falls from Shape in drops: see Surface.Droplets.
type EmitterDef struct {
	Shape    SDF
	Velocity r3.Vec  // m/s
	Rate     float64 // litres/s, > 0
	Stopped  bool    // starts shut
}

const maxRate = 1e6 // litres/s, of an emitter or a sink

type emitter struct {
	EmitterDef
	running bool
	movable
	debt   float64 // m³ that is due and has not come yet
	before float64 // debt before the substep
	source float64 // m³/s that the pressure solve is to bring in this substep, because the opening is under the surface
	grown  float64 // m by which the opening is larger than Shape, for the grid to hold its liquid
}

// opening is the shape where it is now.
func (e *emitter) opening() SDF { return e.where(e.Shape) }

// movable is what moves the shape of an emitter or a sink from where its definition has it.
type movable struct {
	moved  r3.Vec             // m
	placed shapes.Transformed // the shape, moved
}

// place puts a shape to where moved says.
func (m *movable) place(s SDF) {
	m.placed = shapes.Place(s, quat.Number{Real: 1}, m.moved)
}

// where is a shape that was placed, where it is now.
func (m *movable) where(s SDF) SDF {
	if m.moved == (r3.Vec{}) {
		return s
	}
	return &m.placed
}

// validate reports a field that is out of its limits.
func (e *EmitterDef) validate() error {
	if err := CheckSDF(e.Shape); err != nil {
		return fmt.Errorf("Shape: %w", err)
	}
	if b := e.Shape.Bounds(); !finiteVec(b.Min) || !finiteVec(b.Max) {
		return errors.New("Shape must be bounded")
	}
	if !(reproducible.Norm(e.Velocity) <= maxMotion) {
		return fmt.Errorf("Velocity %v m/s; must be finite and at most %g long", e.Velocity, maxMotion)
	}
	if !(e.Rate > 0 && e.Rate <= maxRate) {
		return fmt.Errorf("Rate %v litres/s; must be > 0 and at most %g", e.Rate, maxRate)
	}
	return nil
}

// AddEmitter adds an emitter, open unless it is Stopped.
func (l *Liquid) AddEmitter(e EmitterDef) (EmitterID, error) {
	defer l.enter(&inAddEmitter).leave()
	if err := l.def.mustHaveSurface("AddEmitter"); err != nil {
		return 0, err
	}
	if err := e.validate(); err != nil {
		return 0, fmt.Errorf("fluid: AddEmitter: %w", err)
	}
	id := l.world.ids.emitters.add()
	e.Shape = l.openingShape("AddEmitter", "emitter", id, e.Shape)
	l.world.emitters = append(l.world.emitters, &emitter{EmitterDef: e, running: !e.Stopped})
	return EmitterID(id), nil
}

// SetEmitter makes an emitter what the definition says, where its Shape is, open unless Stopped. What is due and has not come yet stays due: at every
// rate, and however often a game sets it, as much comes as the rates add up to.
func (l *Liquid) SetEmitter(id EmitterID, e EmitterDef) error {
	defer l.enter(&inSetEmitter).leave()
	to, err := l.emitter("SetEmitter", id)
	if err != nil {
		return err
	}
	if err := e.validate(); err != nil {
		return fmt.Errorf("fluid: SetEmitter: %w", err)
	}
	e.Shape = l.openingShape("SetEmitter", "emitter", int64(id), e.Shape)
	to.EmitterDef, to.running, to.moved = e, !e.Stopped, r3.Vec{}
	return nil
}

// MoveEmitter moves an emitter to its Shape shifted by translation, m, from where EmitterDef has it. All else stays. One that so leaves the
// domain, where nothing comes out of it, is named in the next report.
func (l *Liquid) MoveEmitter(id EmitterID, translation r3.Vec) error {
	defer l.enter(&inMoveEmitter).leave()
	e, err := l.emitter("MoveEmitter", id)
	if err != nil {
		return err
	}
	if err := checkTranslation(translation); err != nil {
		return fmt.Errorf("fluid: MoveEmitter: %w", err)
	}
	away := l.away(e.opening().Bounds())
	e.moved = translation
	e.place(e.Shape)
	if !away {
		l.outside("MoveEmitter", fmt.Sprintf("emitter %d", id), e.opening().Bounds())
	}
	return nil
}

func checkTranslation(v r3.Vec) error {
	if !(reproducible.Norm(v) <= shapes.MaxCoord) {
		return fmt.Errorf("translation %v m; must be finite and at most %g long", v, shapes.MaxCoord)
	}
	return nil
}

// StartEmitter opens an emitter. One that is open already runs on.
func (l *Liquid) StartEmitter(id EmitterID) error {
	defer l.enter(&inStartEmitter).leave()
	return l.runEmitter("StartEmitter", id, true)
}

// StopEmitter shuts an emitter. What is due then comes when it is opened again.
func (l *Liquid) StopEmitter(id EmitterID) error {
	defer l.enter(&inStopEmitter).leave()
	return l.runEmitter("StopEmitter", id, false)
}

// RemoveEmitter takes an emitter away. What is due comes at once, in drops.
func (l *Liquid) RemoveEmitter(id EmitterID) error {
	defer l.enter(&inRemoveEmitter).leave()
	w := &l.world
	at, err := w.ids.emitters.find("RemoveEmitter", "emitter", int64(id))
	if err != nil {
		return err
	}
	l.releaseDebt(w.emitters[at], uint64(id))
	w.emitters = slices.Delete(w.emitters, at, at+1)
	w.ids.emitters.remove(at)
	return nil
}

func (l *simulation) runEmitter(call string, id EmitterID, run bool) error {
	e, err := l.emitter(call, id)
	if err != nil {
		return err
	}
	e.running = run
	return nil
}

func (l *simulation) emitter(call string, id EmitterID) (*emitter, error) {
	at, err := l.world.ids.emitters.find(call, "emitter", int64(id))
	if err != nil {
		return nil, err
	}
	return l.world.emitters[at], nil
}
