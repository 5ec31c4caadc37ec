package physics

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Errors that callers may test for with errors.Is.
var (
	// ErrStale says that a handle's body, shape or joint has been destroyed or never existed.
	ErrStale = errors.New("physics: stale handle: the body, shape or joint does not exist any more")
	// ErrKind says that a call does not suit the kind of body.
	ErrKind = errors.New("physics: wrong kind of body")
	// ErrNotFinite says that a number is NaN or infinite.
	ErrNotFinite = errors.New("physics: not a finite number")
	// ErrFull says that a World holds all the bodies, shapes or joints that it can: 1<<24 of each.
	ErrFull = errors.New("physics: too many bodies, shapes or joints: at most 1<<24 of each")
)

// A FieldError is a value outside its limits.
type FieldError struct {
	Field string // such as "BodyDef.Position"
	Value any    // nil if it is an argument of the call
	Limit string // what holds of good values
}

// Error names the field, its value and its limit.
func (e *FieldError) Error() string {
	if e.Value == nil {
		return fmt.Sprintf("physics: %s: must be %s", e.Field, e.Limit)
	}
	return fmt.Sprintf("physics: %s = %v: must be %s", e.Field, e.Value, e.Limit)
}

// Kind says what moves a body.
type Kind int

// Kinds of body.
const (
	Static    Kind = 0 // never moves
	Kinematic Kind = 1 // moves as told, whatever pushes
	Dynamic   Kind = 2 // moves under forces and contacts
)

// String is the kind's name in lower case.
func (k Kind) String() string {
	switch k {
	case Static:
		return "static"
	case Kinematic:
		return "kinematic"
	case Dynamic:
		return "dynamic"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// Limits of input, and defaults. With lengths above maxCoordinate contacts lose millimetres to rounding, so that these
// are errors.
const (
	maxCoordinate   = 1e6 // m, of positions and sizes
	minSize         = 1e-4
	fastest         = 1e4 // m/s or rad/s
	defaultDensity  = 1000
	defaultFriction = 0.6

	// Frictionless as ShapeDef.Friction means no friction at all; 0 means the default.
	Frictionless = -1
)

// WorldDef describes a World. The zero value is a world without gravity.
type WorldDef struct {
	// Gravity, m/s².
	Gravity r3.Vec
	// Substeps per Step, 1 to 64; 0 means 4. Bodies in contact of which one bears more than 1.6
	// times its weight per substep take twice as many by themselves, and four times as many from
	// twice that on, unless they are a heap of more than 128 contacts, or 64: towers and heavy
	// bodies on light ones need no more than the default. Light links that are pulled hard over
	// something, as of a chain over a drum, take up to 16 times as many, but no more than 64.
	Substeps int
	// SleepSpeed, m/s: a group of touching bodies slower than this for half a second sleeps.
	// 0 means 0.05.
	SleepSpeed float64
	// NoSleep keeps all bodies awake.
	NoSleep bool
	// BounceSpeed, m/s: a slower approach has no restitution, so that resting bodies do not rattle. 0 means 1.
	BounceSpeed float64
	// HitSpeed, m/s: approach faster than this is a Hit in Events. 0 means 1.
	HitSpeed float64
	// PushSpeed, m/s: the fastest at which overlapping bodies are pushed apart. 0 means 3.
	PushSpeed float64
}

// Validate reports the first field outside its limits as a *FieldError.
func (d WorldDef) Validate() error {
	switch {
	case !finiteVec(d.Gravity) || reproducible.Norm(d.Gravity) > fastest:
		return &FieldError{"WorldDef.Gravity", d.Gravity, "finite, of length ≤ 1e4 m/s²"}
	case d.Substeps < 0 || d.Substeps > 64:
		return &FieldError{"WorldDef.Substeps", d.Substeps, "0 (for 4) or 1 to 64"}
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"SleepSpeed", d.SleepSpeed}, {"BounceSpeed", d.BounceSpeed}, {"HitSpeed", d.HitSpeed}, {"PushSpeed", d.PushSpeed}} {
		if !within(f.value, 0, fastest) {
			return &FieldError{"WorldDef." + f.name, f.value, "0 (for the default) to 1e4 m/s"}
		}
	}
	return nil
}

func (d WorldDef) withDefaults() WorldDef {
	if d.Substeps == 0 {
		d.Substeps = 4
	}
	for _, f := range []struct {
		field *float64
		value float64
	}{{&d.SleepSpeed, 0.05}, {&d.BounceSpeed, 1}, {&d.HitSpeed, 1}, {&d.PushSpeed, 3}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return d
}

// Axes is a choice of the world's axes.
type Axes struct{ X, Y, Z bool }

// Locks are the axes along which a body cannot move, and those about which it cannot turn.
type Locks struct{ Linear, Angular Axes }

// BodyDef describes a Body. The zero value is a static body at the origin.
type BodyDef struct {
	Kind Kind
	// Position of the body's own origin, m. Its centre of mass follows from its shapes.
	Position r3.Vec
	// Rotation, normalised on creation; the zero value means none.
	Rotation quat.Number
	// Velocity of the origin, m/s, and AngularVelocity, rad/s, in world axes.
	Velocity, AngularVelocity r3.Vec
	// LinearDamping and AngularDamping, 1/s: the rate at which speed decays.
	LinearDamping, AngularDamping float64
	// Lock keeps a dynamic body from moving along, or turning about, some of the world's axes.
	// FixedRotation is short for all three of Lock.Angular.
	Lock          Locks
	FixedRotation bool
	// GravityScale is how much of gravity the body feels; 0 means 1. Negative, it rises.
	GravityScale float64
	// Bullet keeps a dynamic body from passing through other dynamic ones, however fast; it
	// costs a search each step in which it moves by more than a quarter of its thickness. Static
	// and kinematic bodies stop all.
	Bullet bool
	// NoGravity exempts the body from gravity, NoSleep from sleep.
	NoGravity, NoSleep bool
	// NoLiquid has the body and all liquid that is coupled to the world ignore each other. Else LiquidCategory is the set of bits
	// that it is to liquids, of which each takes the bodies that have a bit of its fluid.Def.BodyMask; 0 means 1.
	NoLiquid       bool
	LiquidCategory uint64
	// LiquidDrag is what liquid resists a dynamic body with beside its pressure; the zero value is none.
	LiquidDrag Drag
	// Name is for people and logs.
	Name string
	// UserData is the caller's own.
	UserData any
}

// Drag is the resistance of liquid to a body that is too finely made for the liquid's cells to tell. The force against
// the speed u of the body in the liquid, m/s, is ½·density·u²·(Skin·A + Form·A/4), where A is the wetted area, m²: a quarter of it is
// what convex bodies show on average. The spin is resisted likewise.
type Drag struct {
	// Skin is the coefficient of friction of the wetted surface, 0 to 1e3: of smooth skin .003 to .01.
	Skin float64
	// Form is the coefficient of drag, 0 to 1e3, on the area that the body shows: of a ball .4, of a swimmer .5 to 1.
	Form float64
}

// Validate reports the first field outside its limits as a *FieldError.
func (d Drag) Validate() error {
	const most = 1e3
	switch {
	case !within(d.Skin, 0, most):
		return &FieldError{"Drag.Skin", d.Skin, "0 to 1e3"}
	case !within(d.Form, 0, most):
		return &FieldError{"Drag.Form", d.Form, "0 to 1e3"}
	}
	return nil
}

// Validate reports the first field outside its limits as a *FieldError.
func (d BodyDef) Validate() error {
	switch {
	case d.Kind < Static || d.Kind > Dynamic:
		return &FieldError{"BodyDef.Kind", d.Kind, "Static, Kinematic or Dynamic"}
	case !near(d.Position):
		return &FieldError{"BodyDef.Position", d.Position, "finite, each coordinate within ±1e6 m"}
	case !goodRotation(d.Rotation):
		return &FieldError{"BodyDef.Rotation", d.Rotation, "zero (for none), or finite with |q| from 1e-3 to 1e3"}
	case !slow(d.Velocity):
		return &FieldError{"BodyDef.Velocity", d.Velocity, "finite, ≤ 1e4 m/s"}
	case !slow(d.AngularVelocity):
		return &FieldError{"BodyDef.AngularVelocity", d.AngularVelocity, "finite, ≤ 1e4 rad/s"}
	case !within(d.LinearDamping, 0, fastest):
		return &FieldError{"BodyDef.LinearDamping", d.LinearDamping, "0 to 1e4 1/s"}
	case !within(d.AngularDamping, 0, fastest):
		return &FieldError{"BodyDef.AngularDamping", d.AngularDamping, "0 to 1e4 1/s"}
	case !goodScale(d.GravityScale):
		return &FieldError{"BodyDef.GravityScale", d.GravityScale, "0 (for 1) or within ±1e3"}
	case d.Kind == Static && (d.Velocity != r3.Vec{} || d.AngularVelocity != r3.Vec{}):
		return &FieldError{"BodyDef.Velocity", d.Velocity, "zero for a static body"}
	}
	return d.LiquidDrag.Validate()
}

// ShapeDef describes a Shape. Only Geometry has no default.
type ShapeDef struct {
	Geometry Geometry
	// Density, kg/m³; 0 means 1000, that of water. It counts on dynamic bodies only.
	Density float64
	// Friction coefficient; 0 means 0.6, Frictionless means none. A pair has the geometric
	// mean of its two.
	Friction float64
	// Restitution, 0 (no bounce) to 1 (elastic). A pair has the larger of its two.
	Restitution float64
	// RollingResistance, 0 to 1, is the torque that brakes what rolls, in shares of the load
	// times the radius, so that a ball on the level slows by that times 5/7 g. It acts at balls,
	// capsules and the sides of cylinders. A pair has the larger of its two.
	RollingResistance float64
	// SurfaceVelocity, m/s in the shape's axes, is that at which its surface slides along, as
	// that of a conveyor; what points out of the surface does not count.
	SurfaceVelocity r3.Vec
	// Filter says what the shape meets; the zero value: everything.
	Filter Filter
	// Sensor makes the shape one that reports what overlaps it, by Events, and has neither
	// contacts nor mass; it is not part of the solid.
	Sensor bool
	// Offset, m, and Rotation place the shape in the body; the zero Rotation means none.
	Offset   r3.Vec
	Rotation quat.Number
	// UserData is the caller's own.
	UserData any
}

// Validate reports the first field outside its limits as a *FieldError.
func (d ShapeDef) Validate() error {
	if err := d.Geometry.Validate(); err != nil {
		return err
	}
	switch {
	case d.Density != 0 && !within(d.Density, 1e-3, 1e6):
		return &FieldError{"ShapeDef.Density", d.Density, "0 (for 1000) or 1e-3 to 1e6 kg/m³"}
	case d.Friction != Frictionless && !within(d.Friction, 0, 100):
		return &FieldError{"ShapeDef.Friction", d.Friction, "Frictionless, 0 (for 0.6) or up to 100"}
	case !within(d.Restitution, 0, 1):
		return &FieldError{"ShapeDef.Restitution", d.Restitution, "0 to 1"}
	case !within(d.RollingResistance, 0, 1):
		return &FieldError{"ShapeDef.RollingResistance", d.RollingResistance, "0 to 1"}
	case !slow(d.SurfaceVelocity):
		return &FieldError{"ShapeDef.SurfaceVelocity", d.SurfaceVelocity, "finite, ≤ 1e4 m/s"}
	case !near(d.Offset):
		return &FieldError{"ShapeDef.Offset", d.Offset, "finite, each coordinate within ±1e6 m"}
	case !goodRotation(d.Rotation):
		return &FieldError{"ShapeDef.Rotation", d.Rotation, "zero (for none), or finite with |q| from 1e-3 to 1e3"}
	}
	return nil
}

func (d ShapeDef) withDefaults() ShapeDef {
	if d.Density == 0 {
		d.Density = defaultDensity
	}
	switch d.Friction {
	case 0:
		d.Friction = defaultFriction
	case Frictionless:
		d.Friction = 0
	}
	d.Rotation = unitRotation(d.Rotation)
	d.Filter = d.Filter.withDefaults()
	return d
}

// within reports lo ≤ x ≤ hi, and false for NaN.
func within(x, lo, hi float64) bool { return x >= lo && x <= hi }

func near(p r3.Vec) bool {
	p = absVec(p)
	return p.X <= maxCoordinate && p.Y <= maxCoordinate && p.Z <= maxCoordinate
}

func goodScale(s float64) bool { return within(s, -1e3, 1e3) }

func slow(v r3.Vec) bool { return reproducible.Norm(v) <= fastest }

func goodRotation(q quat.Number) bool {
	a := reproducible.QuatNorm(q)
	return finiteQuat(q) && (q == quat.Number{} || within(a, 1e-3, 1e3))
}

// unitRotation normalises q; zero becomes the identity. A quaternion that is a unit up to
// rounding is left alone, so that reading a rotation and setting it changes nothing.
func unitRotation(q quat.Number) quat.Number {
	a := reproducible.QuatNorm(q)
	switch {
	case a == 0:
		return identity
	case math.Abs(a-1) < 1e-15:
		return q
	}
	return reproducible.QuatScale(1/a, q)
}
