package physics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// BodyKind says what moves a body.
type BodyKind int

// Kinds of body.
const (
	Static    BodyKind = 0 // never moves
	Kinematic BodyKind = 1 // moves as told, whatever pushes
	Dynamic   BodyKind = 2 // moves under forces and contacts
)

// String is the kind's name in lower case.
func (k BodyKind) String() string {
	switch k {
	case Static:
		return "static"
	case Kinematic:
		return "kinematic"
	case Dynamic:
		return "dynamic"
	}
	return fmt.Sprintf("BodyKind(%d)", int(k))
}

// Limits of input. With lengths above maxCoordinate contacts lose millimetres to rounding, so that these
// are errors.
const (
	maxCoordinate = 1e6  // m, of positions and sizes
	minSize       = 1e-4 // m
	fastest       = 1e4  // m/s or rad/s

	limitPosition = "finite, each coordinate within ±1e6 m"
	limitRotation = "zero (for none), or finite with |q| from 1e-3 to 1e3"
)

// WorldDef describes a World. The zero value is a world without gravity.
type WorldDef struct {
	// Gravity, m/s².
	Gravity r3.Vec
	// Substeps per Step, 1 to 64; 0 means 4. Groups of touching bodies take more, up to 64, without being told: twice as many
	// where a body bears more than 1.6 times its weight per substep, as in a tower, if the group has at most 128 contacts; four
	// times as many from 3.2 times on, with at most 64 contacts; and up to 16 times as many where light links are pulled hard over
	// something, as those of a chain over a drum.
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
	// PushSpeed, m/s: the most at which overlapping bodies are pushed apart. 0 means 3.
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
	Kind BodyKind
	// Position of the body's own origin, m. Its centre of mass follows from its shapes.
	Position r3.Vec
	// Rotation, normalised on creation; the zero value means none.
	Rotation quat.Number
	// Velocity of the origin, m/s, and AngularVelocity, rad/s, in world axes.
	Velocity, AngularVelocity r3.Vec
	// LinearDamping and AngularDamping, 1/s: the rate at which speed decays.
	LinearDamping, AngularDamping float64
	// Lock keeps a dynamic body from moving along, or turning about, some of the world's axes.
	Lock Locks
	// GravityScale is how much of gravity the body feels; 0 means 1. Negative, it rises.
	GravityScale float64
	// Bullet keeps a dynamic body from passing through other dynamic ones at any speed. It
	// costs a search in each step in which the body moves by more than a quarter of its thickness. Static
	// and kinematic bodies stop all dynamic ones.
	Bullet bool
	// NoGravity exempts the body from gravity, NoSleep from sleep.
	NoGravity, NoSleep bool
	// NoLiquid lets the body and all liquids ignore each other. Otherwise LiquidCategory is the body's set of bits for liquids;
	// 0 means 1. A liquid takes the bodies that share a bit with its fluid.Def.BodyMask.
	NoLiquid       bool
	LiquidCategory uint64
	// LiquidDrag is the resistance of liquid to a dynamic body in addition to pressure; the zero value is none.
	LiquidDrag Drag
	// Name is for people and logs.
	Name string
	// UserData is the caller's own.
	UserData any
}

// Drag is the resistance of liquid to the parts of a body that are finer than the liquid's cells. The force against
// the speed u of the body in the liquid, m/s, is ½·density·u²·(Skin·A + Form·A/4), where A is the wetted area, m²: A/4 is
// the mean cross-section of a convex body. Rotation is resisted likewise.
type Drag struct {
	// Skin is the coefficient of friction of the wetted surface, 0 to 1e3: of smooth skin .003 to .01.
	Skin float64
	// Form is the drag coefficient, 0 to 1e3, for the cross-section: of a ball .4, of a swimmer .5 to 1.
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
		return &FieldError{"BodyDef.Position", d.Position, limitPosition}
	case !goodRotation(d.Rotation):
		return &FieldError{"BodyDef.Rotation", d.Rotation, limitRotation}
	case !slow(d.Velocity):
		return &FieldError{"BodyDef.Velocity", d.Velocity, "finite, ≤ 1e4 m/s"}
	case !slow(d.AngularVelocity):
		return &FieldError{"BodyDef.AngularVelocity", d.AngularVelocity, "finite, ≤ 1e4 rad/s"}
	case !goodScale(d.GravityScale):
		return &FieldError{"BodyDef.GravityScale", d.GravityScale, "0 (for 1) or within ±1e3"}
	case d.Kind == Static && d.Velocity != r3.Vec{}:
		return &FieldError{"BodyDef.Velocity", d.Velocity, "zero for a static body"}
	case d.Kind == Static && d.AngularVelocity != r3.Vec{}:
		return &FieldError{"BodyDef.AngularVelocity", d.AngularVelocity, "zero for a static body"}
	}
	if err := checkDamping(d.LinearDamping, d.AngularDamping); err != nil {
		return err
	}
	return d.LiquidDrag.Validate()
}

func checkDamping(linear, angular float64) error {
	const limit = "0 to 1e4 1/s"
	if err := checkField(within(linear, 0, fastest), "BodyDef.LinearDamping", linear, limit); err != nil {
		return err
	}
	return checkField(within(angular, 0, fastest), "BodyDef.AngularDamping", angular, limit)
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
