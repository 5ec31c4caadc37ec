package fluid

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/calls"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// FieldKind chooses a force field's shape.
type FieldKind uint8

// The force fields.
const (
	UniformField FieldKind = iota // Strength along Axis
	RadialField                   // Strength away from Centre (negative: towards it)
	VortexField                   // Strength around Axis through Centre
	FuncField                     // what Func says, up to Strength
)

// Field is an acceleration that acts on the liquid within Radius of Centre, fading to its rim; a UniformField without a Radius adds to
// gravity. Bodies feel it by what the liquid does to them.
type Field struct {
	Kind         FieldKind
	Centre, Axis r3.Vec
	Radius       float64 // m; 0 means everywhere
	Strength     float64 // m/s²; of a FuncField the greatest that it gives, > 0
	// Func is a FuncField's: it writes the acceleration at each of pts, m, into dst, m/s², which is as long and zero. What is longer than
	// Strength is shortened to it, and what is not finite counts as none and is warned of once. Step calls it on its own goroutine, for a
	// few thousand places at a time, and so do calls that ask for the way up, such as Sample. The same place must give the same within a step.
	Func func(dst, pts []r3.Vec)
}

// validated is the field as package fields has it, with an Axis that is a unit vector, or what is wrong with it.
func (f *Field) validated() (*fields.Field, error) {
	g := &fields.Field{Kind: fields.Kind(f.Kind), Centre: f.Centre, Axis: f.Axis, Radius: f.Radius, Strength: f.Strength, Func: f.Func}
	return g, g.Normalise()
}

// AddField adds a force field.
func (l *Liquid) AddField(f Field) (FieldID, error) {
	defer l.enter(&calls.AddField).leave()
	g, err := f.validated()
	if err != nil {
		return 0, fmt.Errorf("fluid: AddField: %w", err)
	}
	l.world.fields = append(l.world.fields, g)
	id := FieldID(l.world.ids.fields.add())
	l.record.warnOfFieldOutside("AddField", id, &f)
	l.accelerations.change(g.Even())
	return id, nil
}

// SetField makes a force field another one, or moves it. One that is as it was goes on undisturbed.
func (l *Liquid) SetField(id FieldID, f Field) error {
	defer l.enter(&calls.SetField).leave()
	at, err := l.world.ids.fields.find("SetField", "field", int64(id))
	if err != nil {
		return err
	}
	g, err := f.validated()
	if err != nil {
		return fmt.Errorf("fluid: SetField: %w", err)
	}
	was := l.world.fields[at]
	if was.Same(g) {
		return nil
	}
	l.record.warnOfFieldOutside("SetField", id, &f)
	even := was.Even() || g.Even()
	*was = *g
	l.accelerations.change(even)
	return nil
}

// RemoveField removes a force field.
func (l *Liquid) RemoveField(id FieldID) error {
	defer l.enter(&calls.RemoveField).leave()
	w := &l.world
	at, err := w.ids.fields.find("RemoveField", "field", int64(id))
	if err != nil {
		return err
	}
	even := w.fields[at].Even()
	w.fields = slices.Delete(w.fields, at, at+1)
	w.ids.fields.remove(at)
	l.accelerations.change(even)
	return nil
}

// change follows every change of a field. even tells whether it is, or was, the same everywhere.
func (a *accelerations) change(even bool) {
	l := a.sim
	l.world.fieldsIn.Invalidate()
	if even {
		a.update()
	}
	l.wakeAll()
}

// placeFields brings up to date which fields act where.
func (l *simulation) placeFields() {
	w := &l.world
	if w.fieldsIn.Place(w.fields, l.disc.Tiles()) {
		w.strongest = w.fieldsIn.Strongest() + reproducible.Norm(l.gravity)
	}
}

// warnOfField names a field whose function gives what is not finite.
func (l *simulation) warnOfField(i int32, given, at r3.Vec) {
	l.warn("Field.Func", fmt.Sprintf("field %d gives %v m/s² at %v m: what is not finite counts as none", l.world.ids.fields.ids[i], given, at))
}

// push adds the fields that differ from place to place to the faces.
func (a *accelerations) push() {
	l := a.sim
	if l.placeFields(); l.world.fieldsIn.Any() {
		l.world.fieldsIn.Accelerate(l.pool, &l.graph, l.step.dt)
	}
}

// reachLiquid tells whether some field that differs from place to place reaches liquid.
func (a *accelerations) reachLiquid() bool {
	l := a.sim
	l.placeFields()
	return l.parts.FieldsReachLiquid(&l.world.fieldsIn)
}
