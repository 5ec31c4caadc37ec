package fluid

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

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

// maxAcceleration, m/s², bounds what a field gives.
const maxAcceleration = 1e4

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

// field is one of the liquid's.
type field struct {
	Field
	told bool // of what Func gave that is not finite
}

// same tells whether a field is known to be the same as another.
func (f *Field) same(g *Field) bool {
	return f.Func == nil && g.Func == nil && f.Kind == g.Kind && f.Centre == g.Centre && f.Axis == g.Axis && f.Radius == g.Radius && f.Strength == g.Strength
}

// normalise makes Axis a unit vector, or reports a part beyond its limits.
func (f *Field) normalise() error {
	switch {
	case f.Kind > FuncField:
		return fmt.Errorf("Kind %d; use UniformField, RadialField, VortexField or FuncField", f.Kind)
	case (f.Kind == FuncField) != (f.Func != nil):
		return errors.New("Func must be there for a FuncField, and for no other")
	case !finiteVec(f.Centre):
		return fmt.Errorf("Centre %v is not finite", f.Centre)
	case !(f.Radius >= 0) || math.IsInf(f.Radius, 0):
		return fmt.Errorf("Radius %v m; must be finite and ≥ 0", f.Radius)
	case !(math.Abs(f.Strength) <= maxAcceleration):
		return fmt.Errorf("Strength %v m/s²; must be finite and at most %g", f.Strength, maxAcceleration)
	}
	if f.Kind == FuncField && !(f.Strength > 0) {
		return fmt.Errorf("Strength %v m/s²; a FuncField gives no more, so it must be > 0", f.Strength)
	}
	if f.Kind == UniformField || f.Kind == VortexField {
		n := reproducible.Norm(f.Axis)
		if !(n > 0) || math.IsInf(n, 0) {
			return fmt.Errorf("Axis %v; must be finite and not zero", f.Axis)
		}
		f.Axis = reproducible.Scale(1/n, f.Axis)
	}
	return nil
}

// AddField adds a force field.
func (l *Liquid) AddField(f Field) (FieldID, error) {
	defer l.enter(&inAddField).leave()
	if err := f.normalise(); err != nil {
		return 0, fmt.Errorf("fluid: AddField: %w", err)
	}
	l.world.fields = append(l.world.fields, &field{Field: f})
	id := FieldID(l.world.ids.fields.add())
	l.fieldOutside("AddField", id, &f)
	l.fieldChanged(f.everywhere())
	return id, nil
}

// SetField makes a force field another one, or moves it. One that is as it was goes on undisturbed.
func (l *Liquid) SetField(id FieldID, f Field) error {
	defer l.enter(&inSetField).leave()
	at, err := l.world.ids.fields.find("SetField", "field", int64(id))
	if err != nil {
		return err
	}
	if err := f.normalise(); err != nil {
		return fmt.Errorf("fluid: SetField: %w", err)
	}
	was := l.world.fields[at]
	if was.same(&f) {
		return nil
	}
	l.fieldOutside("SetField", id, &f)
	even := was.everywhere() || f.everywhere()
	*was = field{Field: f}
	l.fieldChanged(even)
	return nil
}

// RemoveField removes a force field.
func (l *Liquid) RemoveField(id FieldID) error {
	defer l.enter(&inRemoveField).leave()
	w := &l.world
	at, err := w.ids.fields.find("RemoveField", "field", int64(id))
	if err != nil {
		return err
	}
	even := w.fields[at].everywhere()
	w.fields = slices.Delete(w.fields, at, at+1)
	w.ids.fields.remove(at)
	l.fieldChanged(even)
	return nil
}

// fieldChanged follows every change of a field. even tells whether it is, or was, the same everywhere.
func (l *Liquid) fieldChanged(even bool) {
	l.world.fieldsIn.stale = true
	if even {
		l.updateGravity()
	}
	l.wakeAll()
}

// everywhere tells whether a field is the same everywhere, as gravity is.
func (f *Field) everywhere() bool { return f.Kind == UniformField && f.Radius == 0 }

// at is the acceleration at a point of a field that is no FuncField, m/s².
func (f *Field) at(x r3.Vec) r3.Vec {
	arm := r3.Sub(x, f.Centre)
	if f.Kind == VortexField {
		arm = r3.Sub(arm, reproducible.Scale(reproducible.Dot(arm, f.Axis), f.Axis))
	}
	dist := reproducible.Norm(arm)
	fade := f.fade(dist)
	switch {
	case f.Kind == UniformField:
		return reproducible.Scale(fade*f.Strength, f.Axis)
	case dist == 0:
		return r3.Vec{}
	case f.Kind == RadialField:
		return reproducible.Scale(fade*f.Strength/dist, arm)
	}
	return reproducible.Scale(fade*f.Strength/dist, reproducible.Cross(f.Axis, arm))
}

// fade is what of a field's strength is left so far from its centre or axis, m.
func (f *Field) fade(dist float64) float64 {
	if f.Radius > 0 {
		return max(0, 1-dist/f.Radius)
	}
	return 1
}
