package physics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// JointKind says how two bodies may move against each other.
type JointKind int

// Kinds of joint.
const (
	FixedJoint    JointKind = 0 // not at all: a weld, soft if JointDef.Soft says so
	HingeJoint    JointKind = 1 // turn about Axis
	SliderJoint   JointKind = 2 // slide along Axis
	BallJoint     JointKind = 3 // turn about Anchor
	DistanceJoint JointKind = 4 // all but the distance of Anchor on A from AnchorB on B: a rod, a rope or a spring
	WheelJoint    JointKind = 5 // B is a wheel that spins about Axle, sprung along Axis and steered about it
)

var jointNames = [...]string{"fixed", "hinge", "slider", "ball", "distance", "wheel"}

// String is the kind's name in lower case.
func (k JointKind) String() string {
	if k < 0 || int(k) >= len(jointNames) {
		return fmt.Sprintf("JointKind(%d)", int(k))
	}
	return jointNames[k]
}

// Limits bound an angle, rad, or a length, m. The zero value means none.
type Limits struct{ Lower, Upper float64 }

// Motor drives at Speed, rad/s or m/s, with at most Max, N·m or N. The zero value is none; a
// Speed of 0 is a brake.
type Motor struct{ Speed, Max float64 }

// Spring pulls to Rest, rad or m, with a Frequency, Hz, and a Damping ratio: 0 is undamped, 1 critical. Both are exact for two bodies
// alone, of any masses. The zero value is no spring. Frequency is limited to an eighth of the rate of
// substeps: 30 Hz at substeps of h = 1/240 s. Under a steady load a damped spring yields less than its frequency implies, by the
// share 2π·Frequency·Damping·h.
type Spring struct{ Frequency, Damping, Rest float64 }

// JointDef describes a Joint. Kind, two bodies, Anchor and Axis are enough for most. A field
// that does not suit the kind is refused.
type JointDef struct {
	Kind JointKind
	// A and B are the bodies, of which at least one is dynamic; the zero Body means the world. Angles and
	// translations are those of B relative to A, 0 at creation.
	A, B Body
	// Anchor is the point that the bodies share, world, m; of a distance joint that on A.
	Anchor r3.Vec
	// AnchorB is the point on B of a distance joint, world, m.
	AnchorB r3.Vec
	// Axis of a hinge, slider or a ball's twist, of a wheel's suspension and steering: world,
	// of any length but zero. A ball's may be zero if it has no limits.
	Axis r3.Vec
	// Axle that a wheel spins about: world, not along Axis.
	Axle r3.Vec
	// Limits of a hinge's angle or a ball's twist, rad, of the translation of a slider or a
	// wheel's suspension, m, or of a distance, m: Limits{0, 2} is a rope of 2 m. A distance
	// joint with neither Limits nor Spring is a rod of the length at creation.
	Limits Limits
	// Cone, rad, up to π, is the largest angle between the axes of a ball on A and on B; 0: any.
	Cone float64
	// Motor of a hinge, of a wheel about its Axle, or of a slider. A ball's has a Speed of 0: it is a brake of up to Max,
	// N·m, about each axis.
	Motor Motor
	// Spring of a hinge, slider, wheel's suspension or distance. For a distance, a Rest of 0 means
	// the length at creation.
	Spring Spring
	// Steering holds a wheel at the angle Rest, rad; with a Frequency of 0 rigidly.
	Steering Spring
	// Soft makes all constraints of the joint springs; its Rest is 0. The zero value is rigid.
	Soft Spring
	// CollideConnected lets the two bodies touch each other.
	CollideConnected bool
	// BreakForce, N, and BreakTorque, N·m, are the loads above which the joint breaks; 0: none.
	BreakForce, BreakTorque float64
	// Name is for people and logs.
	Name string
	// UserData is the caller's own.
	UserData any
}

// Validate reports the first field outside its limits as a *FieldError. It does not look at
// the bodies.
func (d JointDef) Validate() error {
	if d.Kind < 0 || int(d.Kind) >= len(jointNames) {
		return &FieldError{"JointDef.Kind", d.Kind, "one of FixedJoint to WheelJoint"}
	}
	if err := d.validateFrame(); err != nil {
		return err
	}
	for _, f := range [...]struct {
		name  string
		used  bool
		kinds uint
	}{
		{"Limits", d.Limits != Limits{}, 1<<HingeJoint | 1<<SliderJoint | 1<<BallJoint | 1<<DistanceJoint | 1<<WheelJoint},
		{"Cone", d.Cone != 0, 1 << BallJoint},
		{"Motor", d.Motor != Motor{}, 1<<HingeJoint | 1<<SliderJoint | 1<<WheelJoint | 1<<BallJoint},
		{"Spring", d.Spring != Spring{}, 1<<HingeJoint | 1<<SliderJoint | 1<<DistanceJoint | 1<<WheelJoint},
		{"Steering", d.Steering != Spring{}, 1 << WheelJoint},
		{"AnchorB", d.AnchorB != r3.Vec{}, 1 << DistanceJoint},
		{"Axle", d.Axle != r3.Vec{}, 1 << WheelJoint},
	} {
		if f.used && f.kinds&(1<<d.Kind) == 0 {
			return &FieldError{"JointDef." + f.name, nil, fmt.Sprintf("zero for a %v joint", d.Kind)}
		}
	}
	return d.validateDrives()
}

// validateFrame checks where the joint is and how it points.
func (d *JointDef) validateFrame() error {
	aimless := d.Kind == FixedJoint || d.Kind == DistanceJoint || d.Kind == BallJoint && d.Limits == Limits{} && d.Cone == 0
	switch {
	case !near(d.Anchor):
		return &FieldError{"JointDef.Anchor", d.Anchor, limitPosition}
	case !near(d.AnchorB):
		return &FieldError{"JointDef.AnchorB", d.AnchorB, limitPosition}
	case !(aimless && d.Axis == r3.Vec{}) && !goodAxis(d.Axis):
		return &FieldError{"JointDef.Axis", d.Axis, "finite, with a length from 1e-3 to 1e6"}
	case d.Kind == WheelJoint && (!goodAxis(d.Axle) || reproducible.Norm(reproducible.Cross(unit(d.Axle), unit(d.Axis))) < 1e-3):
		return &FieldError{"JointDef.Axle", d.Axle, "finite, with a length from 1e-3 to 1e6, not along Axis"}
	}
	return nil
}

func goodAxis(v r3.Vec) bool { return near(v) && reproducible.Norm(v) >= 1e-3 }

// validateDrives checks limits, motor, springs and strength.
func (d *JointDef) validateDrives() error {
	lo, hi := -maxCoordinate, float64(maxCoordinate)
	limits := "zero (for none), or Lower < Upper within ±1e6"
	switch d.Kind {
	case BallJoint:
		lo, hi, limits = -math.Pi, math.Pi, "zero (for none), or Lower < Upper within ±π rad"
	case DistanceJoint:
		lo, limits = 0, "zero (for none), or 0 ≤ Lower < Upper ≤ 1e6 m"
	}
	if l := d.Limits; l != (Limits{}) && !(within(l.Lower, lo, hi) && within(l.Upper, lo, hi) && l.Lower < l.Upper) {
		return &FieldError{"JointDef.Limits", l, limits}
	}
	if !within(d.Cone, 0, math.Pi) {
		return &FieldError{"JointDef.Cone", d.Cone, "0 (for any) to π rad"}
	}
	if !within(d.Motor.Speed, -fastest, fastest) || !within(d.Motor.Max, 0, 1e12) {
		return &FieldError{"JointDef.Motor", d.Motor, "of a Speed within ±1e4 and a Max from 0 to 1e12"}
	}
	if d.Kind == BallJoint && d.Motor.Speed != 0 {
		return &FieldError{"JointDef.Motor.Speed", d.Motor.Speed, "0 for a ball joint"}
	}
	for _, f := range [...]struct {
		name string
		s    Spring
		rest float64
	}{{"Spring", d.Spring, maxCoordinate}, {"Steering", d.Steering, math.Pi}, {"Soft", d.Soft, 0}} {
		if !within(f.s.Frequency, 0, 1e4) || !within(f.s.Damping, 0, 1e3) || !within(f.s.Rest, -f.rest, f.rest) {
			return &FieldError{"JointDef." + f.name, f.s, fmt.Sprintf("of a Frequency 0 to 1e4 Hz, a Damping 0 to 1e3 and a Rest within ±%.4g", f.rest)}
		}
	}
	if d.Kind == DistanceJoint && d.Spring.Rest < 0 {
		return &FieldError{"JointDef.Spring", d.Spring, "of a Rest of 0 (for the length at creation) or more"}
	}
	const strength = "0 (for unbreakable) or more"
	if err := checkField(within(d.BreakForce, 0, math.MaxFloat64), "JointDef.BreakForce", d.BreakForce, strength); err != nil {
		return err
	}
	return checkField(within(d.BreakTorque, 0, math.MaxFloat64), "JointDef.BreakTorque", d.BreakTorque, strength)
}
