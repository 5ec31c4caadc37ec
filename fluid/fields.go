package fluid

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
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
	defer l.enter(&callguard.AddField).leave()
	g, err := f.validated()
	if err != nil {
		return 0, fmt.Errorf("fluid: AddField: %w", err)
	}
	g.ID = l.sim.ids.fields.Add()
	l.sim.around.Fields.All = append(l.sim.around.Fields.All, g)
	l.sim.warnOfFieldOutside("AddField", g)
	l.sim.fieldChanged(g.IsUniform())
	return FieldID(g.ID), nil
}

// SetField makes a force field another one, or moves it. One that is as it was goes on undisturbed.
func (l *Liquid) SetField(id FieldID, f Field) error {
	defer l.enter(&callguard.SetField).leave()
	was, err := ids.Named(&l.sim.ids.fields, l.sim.around.Fields.All, "SetField", "field", int64(id))
	if err != nil {
		return err
	}
	g, err := f.validated()
	if err != nil {
		return fmt.Errorf("fluid: SetField: %w", err)
	}
	if was.Same(g) {
		return nil
	}
	g.ID = was.ID
	l.sim.warnOfFieldOutside("SetField", g)
	even := was.IsUniform() || g.IsUniform()
	*was = *g
	l.sim.fieldChanged(even)
	return nil
}

// RemoveField removes a force field.
func (l *Liquid) RemoveField(id FieldID) error {
	defer l.enter(&callguard.RemoveField).leave()
	was, err := ids.RemoveFrom(&l.sim.ids.fields, &l.sim.around.Fields.All, "RemoveField", "field", int64(id))
	if err == nil {
		l.sim.fieldChanged(was.IsUniform())
	}
	return err
}

// fieldChanged follows every change of a field. even tells whether it is, or was, the same everywhere.
func (l *simulation) fieldChanged(even bool) {
	l.around.Fields.Invalidate()
	if even {
		l.updateGravity()
	}
	l.sleep.wakeAll()
}
