package physics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// write applies f to the state and wakes the body, unless the handle is stale or err says what is wrong with the arguments.
func (b Body) write(err error, f func(s *body)) error {
	s := b.state()
	switch {
	case s == nil:
		return ErrStale
	case err != nil:
		return err
	}
	defer b.world.enter(&inBody).leave()
	f(s)
	b.world.wake(b.slot)
	return nil
}

// checkField is nil if ok, and the *FieldError otherwise.
func checkField[T any](ok bool, field string, value T, limit string) error {
	if ok {
		return nil
	}
	return &FieldError{field, value, limit}
}

// SetName changes BodyDef.Name.
func (b Body) SetName(name string) error {
	return b.label(func(s *body) { s.name = name })
}

// SetUserData changes BodyDef.UserData.
func (b Body) SetUserData(data any) error {
	return b.label(func(s *body) { s.userData = data })
}

// label applies f to the state without waking the body.
func (b Body) label(f func(s *body)) error {
	if s := b.state(); s != nil {
		defer b.world.enter(&inBody).leave()
		f(s)
		return nil
	}
	return ErrStale
}

// SetDamping changes BodyDef.LinearDamping and AngularDamping, 1/s.
func (b Body) SetDamping(linear, angular float64) error {
	err := checkDamping(linear, angular)
	return b.write(err, func(s *body) { s.linearDamping, s.angularDamping = linear, angular })
}

// SetLock changes BodyDef.Lock.
func (b Body) SetLock(l Locks) error {
	return b.write(nil, func(s *body) {
		s.lock = l
		b.world.setMass(b.slot, s.mass)
		b.world.listLocked()
	})
}

// SetGravityScale changes how much of gravity the body feels, within ±1e3; 0 is none.
func (b Body) SetGravityScale(scale float64) error {
	err := checkField(goodScale(scale), "Body.SetGravityScale: scale", scale, "within ±1e3")
	return b.write(err, func(s *body) { s.gravityScale = scale })
}

// SetLiquidCategory changes BodyDef.LiquidCategory; 0: all liquids ignore the body.
func (b Body) SetLiquidCategory(category uint64) error {
	return b.write(nil, func(s *body) {
		s.liquid = category
		b.world.revise(s)
	})
}

// SetLiquidDrag changes BodyDef.LiquidDrag.
func (b Body) SetLiquidDrag(d Drag) error {
	return b.write(d.Validate(), func(s *body) { s.drag = d })
}

// SetPose moves the origin to pos, m, and turns the body to rot (zero: no rotation) at once.
// The body keeps its velocity. What is near it before and after wakes. SetVelocity and SetTargetPose move a body without putting it
// inside another, as this may.
func (b Body) SetPose(pos r3.Vec, rot quat.Number) error {
	return b.write(checkPose("Body.SetPose", pos, rot), func(s *body) {
		b.world.wakeNear(b.slot)
		s.q = unitRotation(rot)
		s.x = r3.Add(pos, rotate(s.q, s.mass.Centre))
		s.targetTime = math.Inf(1)
		b.world.updateShapes(b.slot)
		b.world.revise(s)
		b.world.wakeNear(b.slot)
	})
}

// checkPose checks the arguments pos and rot of a call.
func checkPose(call string, pos r3.Vec, rot quat.Number) error {
	switch {
	case !near(pos):
		return &FieldError{call + ": pos", pos, limitPosition}
	case !goodRotation(rot):
		return &FieldError{call + ": rot", rot, limitRotation}
	}
	return nil
}

// SetVelocity sets the velocity of the centre of mass, m/s, of a body that is not static.
func (b Body) SetVelocity(v r3.Vec) error {
	return b.setVelocities(v, b.AngularVelocity(), checkField(slow(v), "Body.SetVelocity: v", v, "finite, ≤ 1e4 m/s"))
}

// SetAngularVelocity sets the angular velocity in world axes, rad/s, of a body that is not static.
func (b Body) SetAngularVelocity(w r3.Vec) error {
	return b.setVelocities(b.Velocity(), w, checkField(slow(w), "Body.SetAngularVelocity: w", w, "finite, ≤ 1e4 rad/s"))
}

func (b Body) setVelocities(v, w r3.Vec, err error) error {
	if b.Valid() && b.Kind() == Static {
		return fmt.Errorf("%w: a static body has no velocity", ErrKind)
	}
	return b.write(err, func(s *body) {
		s.v, s.w, s.targetTime = v, w, math.Inf(1)
		if s.kind == Dynamic {
			s.v, s.w = s.lock.Linear.clear(v), s.lock.Angular.clear(w)
		}
	})
}

// SetTargetPose gives a kinematic body the steady velocity that takes its origin to pos, m,
// and its rotation to rot (zero: none), the shorter way round, in dt seconds. It arrives
// exactly, and then stands still until told otherwise.
func (b Body) SetTargetPose(pos r3.Vec, rot quat.Number, dt float64) error {
	if b.Valid() && b.Kind() != Kinematic {
		return fmt.Errorf("%w: SetTargetPose is for kinematic bodies", ErrKind)
	}
	err := checkPose("Body.SetTargetPose", pos, rot)
	if err == nil {
		err = checkField(within(dt, 1e-6, 1e6), "Body.SetTargetPose: dt", dt, "1e-6 to 1e6 s")
	}
	return b.write(err, func(s *body) {
		s.targetX, s.targetQ, s.targetTime = pos, unitRotation(rot), dt
		s.v = reproducible.Scale(1/dt, r3.Sub(pos, s.x))
		s.w = reproducible.Scale(1/dt, logarithm(reproducible.QuatMul(s.targetQ, quat.Conj(s.q))))
	})
}

// TargetPose is the pose that SetTargetPose gave a kinematic body, and the seconds until it is there: 0 once it has
// arrived, +Inf if none was given or something else has moved the body since.
func (b Body) TargetPose() (pos r3.Vec, rot quat.Number, dt float64) {
	if s := b.state(); s != nil {
		return s.targetX, s.targetQ, s.targetTime
	}
	return r3.Vec{}, quat.Number{}, math.Inf(1)
}

// SetAwake wakes a dynamic body, or puts it to sleep at rest until something touches it or a setter
// wakes it. A body that touches awake ones wakes soon.
func (b Body) SetAwake(awake bool) error {
	s := b.state()
	if s == nil {
		return ErrStale
	}
	defer b.world.enter(&inBody).leave()
	switch {
	case awake:
		b.world.wake(b.slot)
	case s.kind == Dynamic:
		s.sleep()
		b.world.prediction.dt = 0
	}
	return nil
}

// SetMassProperties gives the body the mass m whatever its shapes, now and later. With a zero Inertia,
// the mass of its shapes is scaled to m.Mass, and their centre is kept. The error is m.Validate's.
func (b Body) SetMassProperties(m MassProperties) error {
	s := b.state()
	if s == nil {
		return ErrStale
	}
	if m.Inertia == (mat3{}) {
		sum := b.world.shapeMass(s)
		f := m.Mass / sum.Mass
		if !finite(f) {
			return &FieldError{"MassProperties.Inertia", "zero", "given for a body without shapes that have mass"}
		}
		m.Centre = sum.Centre
		for i := range 9 {
			m.Inertia[i/3][i%3] = f * sum.Inertia[i/3][i%3]
		}
	}
	if err := m.Validate(); err != nil {
		return err
	}
	return b.write(nil, func(s *body) {
		s.override, s.given = true, m
		b.world.setMass(b.slot, m)
	})
}

// SetKind makes the body one of another kind; a static one comes to rest. A dynamic one gets
// the mass of its shapes, or SetMassProperties's. The error is ErrKind if a shape does not suit the kind.
func (b Body) SetKind(kind BodyKind) error {
	s := b.state()
	switch {
	case s == nil:
		return ErrStale
	case kind < Static || kind > Dynamic:
		return &FieldError{"Body.SetKind: kind", kind, "Static, Kinematic or Dynamic"}
	case kind == s.kind:
		return nil
	}
	w := b.world
	defer w.enter(&inBody).leave()
	for _, sh := range s.shapes {
		if err := w.shapes[sh].def.Geometry.suits(kind, s.override); err != nil {
			return err
		}
	}
	w.wakeNear(b.slot)
	for joint := range b.Joints() {
		w.wakeJoint(joint.state())
	}
	origin := s.origin()
	s.v = r3.Add(s.v, reproducible.Cross(s.w, r3.Sub(origin, s.x)))
	s.kind, s.x = kind, origin
	s.applyMass(MassProperties{})
	s.targetTime, s.awake = math.Inf(1), kind == Dynamic
	if kind == Static {
		s.v, s.w = r3.Vec{}, r3.Vec{}
	}
	if s.override {
		w.setMass(b.slot, s.given)
	} else {
		w.setMass(b.slot, w.shapeMass(s))
	}
	w.updateShapes(b.slot)
	w.revise(s)
	w.markBodyMoved(b.slot)
	w.listLocked()
	return nil
}

// ResetMassProperties gives the body the mass of its shapes again.
func (b Body) ResetMassProperties() error {
	return b.write(nil, func(s *body) {
		s.override = false
		b.world.setMass(b.slot, b.world.shapeMass(s))
	})
}
