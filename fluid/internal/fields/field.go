// Package fields has force fields: accelerations that vary in space, with an index of which fields reach where. Package fluid
// documents their use.
package fields

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Kind is a force field's shape. The values are those of fluid.FieldKind.
type Kind uint8

// The force fields.
const (
	Uniform Kind = iota // Strength along Axis
	Radial              // Strength away from Centre
	Vortex              // Strength around Axis through Centre
	Func                // what Field.Func returns, up to Strength
)

// MaxStrength is the greatest acceleration by a field, m/s².
const MaxStrength = 1e4

// Field is an acceleration within Radius of Centre that fades to the rim.
type Field struct {
	ID           int64
	Kind         Kind
	Centre, Axis r3.Vec
	Radius       float64                 // m; 0 means everywhere
	Strength     float64                 // m/s²; of a Func the greatest acceleration, > 0
	Func         func(dst, pts []r3.Vec) // of a Func: sets dst to the acceleration at pts, m, in m/s²; both have the same length, and dst is zero

	warned bool // a value of Func that is not finite has been reported
}

// Same reports whether two fields are known to be equal; two Funcs never are.
func (f *Field) Same(g *Field) bool {
	return f.Func == nil && g.Func == nil && f.Kind == g.Kind && f.Centre == g.Centre && f.Axis == g.Axis && f.Radius == g.Radius && f.Strength == g.Strength
}

// Normalise makes Axis a unit vector. It returns an error for a field that is out of its limits.
func (f *Field) Normalise() error {
	switch {
	case f.Kind > Func:
		return fmt.Errorf("Kind %d; use UniformField, RadialField, VortexField or FuncField", f.Kind)
	case (f.Kind == Func) != (f.Func != nil):
		return errors.New("Func must be there for a FuncField, and for no other")
	case !geom.Finite(f.Centre.X) || !geom.Finite(f.Centre.Y) || !geom.Finite(f.Centre.Z):
		return fmt.Errorf("Centre %v is not finite", f.Centre)
	case !(f.Radius >= 0) || math.IsInf(f.Radius, 0):
		return fmt.Errorf("Radius %v m; must be finite and ≥ 0", f.Radius)
	case !(math.Abs(f.Strength) <= MaxStrength):
		return fmt.Errorf("Strength %v m/s²; must be finite and at most %g", f.Strength, MaxStrength)
	}
	if f.Kind == Func && !(f.Strength > 0) {
		return fmt.Errorf("Strength %v m/s²; a FuncField gives no more, so it must be > 0", f.Strength)
	}
	if f.Kind == Uniform || f.Kind == Vortex {
		n := reproducible.Norm(f.Axis)
		if !(n > 0) || math.IsInf(n, 0) {
			return fmt.Errorf("Axis %v; must be finite and not zero", f.Axis)
		}
		f.Axis = reproducible.Scale(1/n, f.Axis)
	}
	return nil
}

// IsUniform reports whether a field is uniform everywhere, as gravity is.
func (f *Field) IsUniform() bool { return f.Kind == Uniform && f.Radius == 0 }

// At returns the acceleration at a place, m/s², of a field other than a Func.
func (f *Field) At(x r3.Vec) r3.Vec {
	arm := r3.Sub(x, f.Centre)
	if f.Kind == Vortex {
		arm = r3.Sub(arm, reproducible.Scale(reproducible.Dot(arm, f.Axis), f.Axis))
	}
	dist := reproducible.Norm(arm)
	fade := f.fade(dist)
	switch {
	case f.Kind == Uniform:
		return reproducible.Scale(fade*f.Strength, f.Axis)
	case dist == 0:
		return r3.Vec{}
	case f.Kind == Radial:
		return reproducible.Scale(fade*f.Strength/dist, arm)
	}
	return reproducible.Scale(fade*f.Strength/dist, reproducible.Cross(f.Axis, arm))
}

// fade returns the factor on a field's strength at a distance from its centre or axis, m.
func (f *Field) fade(dist float64) float64 {
	if f.Radius > 0 {
		return max(0, 1-dist/f.Radius)
	}
	return 1
}

// reaches reports whether a place may be within a field's rim. A vortex may reach places far from its centre.
func (f *Field) reaches(x r3.Vec) bool {
	arm := r3.Sub(x, f.Centre)
	return f.Radius == 0 || f.Kind == Vortex || reproducible.Dot(arm, arm) < float64(f.Radius*f.Radius)
}
