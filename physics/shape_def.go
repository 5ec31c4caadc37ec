package physics

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// ShapeDef describes a Shape. Only Geometry has no default.
type ShapeDef struct {
	Geometry Geometry
	// Density, kg/m³; 0 means 1000, that of water. It counts on dynamic bodies only.
	Density float64
	// Material of the surface.
	Material Material
	// Filter says what the shape meets; the zero value: everything.
	Filter Filter
	// Sensor makes the shape one that reports what overlaps it, by Events, and has neither
	// contacts nor mass; it is not part of the solid.
	Sensor bool
	// Offset, m, and Rotation place the axes of Geometry in the body; the zero Rotation means none.
	Offset   r3.Vec
	Rotation quat.Number
	// UserData is the caller's own.
	UserData any
}

// Material is how the surface of a shape acts on what it touches.
type Material struct {
	// Friction coefficient; 0 means 0.6, Frictionless means none. A pair has the geometric
	// mean of its two.
	Friction float64
	// Restitution, 0 (no bounce) to 1 (elastic). A pair has the larger of its two.
	Restitution float64
	// RollingResistance, 0 to 1, is the torque against rolling divided by the load
	// times the radius: a ball on the level slows by that times 5/7 g. It acts on balls,
	// capsules and the sides of cylinders. A pair has the larger of its two.
	RollingResistance float64
	// SurfaceVelocity, m/s in the shape's axes, is the velocity of the surface along itself, as of a conveyor. The part normal to
	// the surface does not count.
	SurfaceVelocity r3.Vec
}

// Frictionless as Material.Friction means no friction at all; 0 means the default.
const Frictionless = -1

const (
	defaultDensity  = 1000
	defaultFriction = 0.6
)

// Validate reports the first field outside its limits as a *FieldError.
func (d ShapeDef) Validate() error {
	if err := d.Geometry.Validate(); err != nil {
		return err
	}
	switch {
	case d.Density != 0 && !within(d.Density, 1e-3, 1e6):
		return &FieldError{"ShapeDef.Density", d.Density, "0 (for 1000) or 1e-3 to 1e6 kg/m³"}
	case !near(d.Offset):
		return &FieldError{"ShapeDef.Offset", d.Offset, limitPosition}
	case !goodRotation(d.Rotation):
		return &FieldError{"ShapeDef.Rotation", d.Rotation, limitRotation}
	}
	return d.Material.Validate()
}

// Validate reports the first field outside its limits as a *FieldError.
func (m Material) Validate() error {
	switch {
	case m.Friction != Frictionless && !within(m.Friction, 0, 100):
		return &FieldError{"Material.Friction", m.Friction, "Frictionless, 0 (for 0.6) or up to 100"}
	case !within(m.Restitution, 0, 1):
		return &FieldError{"Material.Restitution", m.Restitution, "0 to 1"}
	case !within(m.RollingResistance, 0, 1):
		return &FieldError{"Material.RollingResistance", m.RollingResistance, "0 to 1"}
	case !slow(m.SurfaceVelocity):
		return &FieldError{"Material.SurfaceVelocity", m.SurfaceVelocity, "finite, ≤ 1e4 m/s"}
	}
	return nil
}

// withDefaults fills in the defaults: a Friction of 0 is none in what it returns.
func (d ShapeDef) withDefaults() ShapeDef {
	if d.Density == 0 {
		d.Density = defaultDensity
	}
	switch d.Material.Friction {
	case 0:
		d.Material.Friction = defaultFriction
	case Frictionless:
		d.Material.Friction = 0
	}
	d.Rotation = unitRotation(d.Rotation)
	d.Filter = d.Filter.withDefaults()
	return d
}

// explicit is the definition of which withDefaults makes d.
func (d ShapeDef) explicit() ShapeDef {
	if d.Material.Friction == 0 {
		d.Material.Friction = Frictionless
	}
	return d
}
