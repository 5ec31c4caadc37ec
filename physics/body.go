package physics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Body is a handle of a body. Handles are comparable; the zero Body is stale. Getters of a
// stale handle return zero values, setters ErrStale. Setters of a dynamic body wake it.
type Body struct {
	world *World
	slot  int32
	gen   uint32
}

// body is a body's state. Its velocity is that of the centre of mass. The fields that every pass over the contacts reads
// come first, contiguous in memory.
type body struct {
	v, w       r3.Vec
	mobility   r3.Vec      // inverse mass along each of the world's axes: 0 along locked ones
	invMass    float64     //
	dx         r3.Vec      // moved since the step began
	dq         quat.Number // turned since the step began
	x          r3.Vec      // centre of mass
	q          quat.Number //
	invI       mat3        // inverse inertia, world axes
	invLocal   mat3        // inverse inertia, body axes
	gyroscopic bool        // inertia differs between axes: torque-free motion changes the angular velocity

	live        bool
	awake       bool
	poseChanged bool // its pose or shapes have changed since the last broad phase
	kind        Kind
	gen         uint32
	index       int32 // in World.order
	shapes      []int32
	joints      []int32 // in order of creation
	rot         mat3    // of q

	mass     Mass // zero unless dynamic
	override bool // mass is the caller's:
	given    Mass

	force, torque    r3.Vec // the caller's, until the step or what HoldLoads began ends
	load, loadTorque r3.Vec // AddWrench's
	push, pushTorque r3.Vec // both together, in the step under way
	linearDamping    float64
	angularDamping   float64
	lock             Locks
	gravityScale     float64
	bullet, noSleep  bool
	touching         bool        // it or a body jointed to it, in the last step
	wasAwake         bool        // at the end of the last step
	sleepTime        float64     // s below the speed of sleep
	targetX          r3.Vec      // kinematic: pose to reach
	targetQ          quat.Number //
	targetTime       float64     // s left to reach it; +Inf: none set
	next             pose        // predicted pose of a jointed body at the end of the substep
	startX           r3.Vec      // pose before the step
	startV, startW   r3.Vec      // velocity before the step
	startQ           quat.Number //
	revision         uint64
	liquid           uint64 // categories for liquids; 0: none takes it
	drag             Drag
	name             string
	userData         any
}

func (b *body) id(slot int32) uint64 { return uint64(b.gen)<<32 | uint64(slot) }

// origin is the world position of the body's own origin.
func (b *body) origin() r3.Vec { return r3.Sub(b.x, rotate(b.q, b.mass.Centre)) }

// state is what the handle names, or nil.
func (b Body) state() *body {
	if b.world == nil || int(b.slot) >= len(b.world.bodies) {
		return nil
	}
	if s := &b.world.bodies[b.slot]; s.live && s.gen == b.gen {
		return s
	}
	return nil
}

// Valid reports whether the body still exists.
func (b Body) Valid() bool { return b.state() != nil }

// World is the body's, nil for the zero Body.
func (b Body) World() *World { return b.world }

// ID is unique among all bodies that its world ever has; 0 if stale.
func (b Body) ID() uint64 {
	if s := b.state(); s != nil {
		return s.id(b.slot)
	}
	return 0
}

// Index is the body's index for the methods of World, or -1 if stale. It changes when an
// older body is destroyed.
func (b Body) Index() int {
	if s := b.state(); s != nil {
		return int(s.index)
	}
	return -1
}

// read is f of the state, or zero if the handle is stale.
func read[T any](b Body, f func(s *body) T) (zero T) {
	if s := b.state(); s != nil {
		return f(s)
	}
	return zero
}

// Kind is the body's.
func (b Body) Kind() Kind { return read(b, func(s *body) Kind { return s.kind }) }

// Name is the body's.
func (b Body) Name() string { return read(b, func(s *body) string { return s.name }) }

// UserData is the caller's own.
func (b Body) UserData() any { return read(b, func(s *body) any { return s.userData }) }

// Position is that of the body's own origin, m.
func (b Body) Position() r3.Vec { return read(b, (*body).origin) }

// Centre is the world position of the centre of mass, m.
func (b Body) Centre() r3.Vec { return read(b, func(s *body) r3.Vec { return s.x }) }

// Rotation is the unit quaternion from body to world axes; the zero Number if stale.
func (b Body) Rotation() quat.Number { return read(b, func(s *body) quat.Number { return s.q }) }

// Velocity is that of the centre of mass, m/s.
func (b Body) Velocity() r3.Vec { return read(b, func(s *body) r3.Vec { return s.v }) }

// AngularVelocity in world axes, rad/s.
func (b Body) AngularVelocity() r3.Vec { return read(b, func(s *body) r3.Vec { return s.w }) }

// VelocityAt is that of the body's material at the world point p, m/s.
func (b Body) VelocityAt(p r3.Vec) r3.Vec {
	return read(b, func(s *body) r3.Vec { return r3.Add(s.v, reproducible.Cross(s.w, r3.Sub(p, s.x))) })
}

// Awake reports whether a dynamic body is simulated or a kinematic one moves.
func (b Body) Awake() bool { return read(b, (*body).moving) }

// Mass of a dynamic body, kg; 0 of others.
func (b Body) Mass() float64 { return read(b, func(s *body) float64 { return s.mass.Mass }) }

// MassProperties of a dynamic body; zero of others.
func (b Body) MassProperties() Mass { return read(b, func(s *body) Mass { return s.mass }) }

// write applies f to the state and wakes the body, unless ok is false: then
// the error says that field must be limit.
func (b Body) write(field string, ok bool, limit string, f func(s *body)) error {
	s := b.state()
	switch {
	case s == nil:
		return ErrStale
	case !ok:
		return &FieldError{Field: field, Limit: limit}
	}
	defer b.world.enter(&inBody).leave()
	f(s)
	b.world.wake(b.slot)
	return nil
}

// SetName names the body.
func (b Body) SetName(name string) error {
	return b.label(func(s *body) { s.name = name })
}

// SetUserData attaches the caller's own data.
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

// SetDamping sets the rates at which speed and spin decay, 1/s.
func (b Body) SetDamping(linear, angular float64) error {
	ok := within(linear, 0, fastest) && within(angular, 0, fastest)
	return b.write("damping", ok, "0 to 1e4 1/s", func(s *body) { s.linearDamping, s.angularDamping = linear, angular })
}

// SetLiquidCategory changes the set of bits that the body is to liquids, read as in BodyDef but that 0 means that all ignore it.
func (b Body) SetLiquidCategory(category uint64) error {
	return b.write("", true, "", func(s *body) {
		s.liquid = category
		b.world.revise(s)
	})
}

// SetLiquidDrag changes BodyDef.LiquidDrag.
func (b Body) SetLiquidDrag(d Drag) error {
	if err := d.Validate(); err != nil {
		return err
	}
	return b.write("", true, "", func(s *body) { s.drag = d })
}

// SetPose moves the origin to pos, m, and turns the body to rot (zero: no rotation) at once,
// keeping its velocity, and wakes what is near it before and after. A body is better moved by its velocity
// or SetTargetPose: this may put it inside another.
func (b Body) SetPose(pos r3.Vec, rot quat.Number) error {
	ok := near(pos) && goodRotation(rot)
	return b.write("pose", ok, "a position within ±1e6 m and a rotation with |q| 0 or 1e-3 to 1e3", func(s *body) {
		b.world.wakeNear(b.slot)
		s.q = unitRotation(rot)
		s.x = r3.Add(pos, rotate(s.q, s.mass.Centre))
		s.targetTime = math.Inf(1)
		b.world.updateShapes(b.slot)
		b.world.revise(s)
		b.world.wakeNear(b.slot)
	})
}

// SetVelocity sets the velocity of the centre of mass, m/s, of a body that is not static.
func (b Body) SetVelocity(v r3.Vec) error { return b.setVelocities(v, b.AngularVelocity()) }

// SetAngularVelocity sets the spin in world axes, rad/s, of a body that is not static.
func (b Body) SetAngularVelocity(w r3.Vec) error { return b.setVelocities(b.Velocity(), w) }

func (b Body) setVelocities(v, w r3.Vec) error {
	if b.Valid() && b.Kind() == Static {
		return fmt.Errorf("%w: a static body has no velocity", ErrKind)
	}
	return b.write("velocity", slow(v) && slow(w), "finite, ≤ 1e4 m/s and rad/s", func(s *body) {
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
	ok := near(pos) && goodRotation(rot) && within(dt, 1e-6, 1e6)
	return b.write("target", ok, "a position within ±1e6 m, a rotation with |q| 0 or 1e-3 to 1e3, and 1e-6 ≤ dt ≤ 1e6 s", func(s *body) {
		s.targetX, s.targetQ, s.targetTime = pos, unitRotation(rot), dt
		s.v = reproducible.Scale(1/dt, r3.Sub(pos, s.x))
		s.w = reproducible.Scale(1/dt, logarithm(reproducible.QuatMul(s.targetQ, quat.Conj(s.q))))
	})
}

// Target is the pose that SetTargetPose has given a kinematic body, and the seconds until it is there: 0 once it has
// arrived, +Inf if none was given or something else has moved the body since.
func (b Body) Target() (pos r3.Vec, rot quat.Number, dt float64) {
	if s := b.state(); s != nil {
		return s.targetX, s.targetQ, s.targetTime
	}
	return r3.Vec{}, quat.Number{}, math.Inf(1)
}

// ApplyForce adds a force, N, at the world point p, m. It acts through the next Step: of a liquid that couples the world, through all of
// that, however often it steps the world in it.
func (b Body) ApplyForce(force, p r3.Vec) error {
	return b.push(force, p, func(s *body, arm r3.Vec) {
		s.force = r3.Add(s.force, force)
		s.torque = r3.Add(s.torque, reproducible.Cross(arm, force))
	})
}

// ApplyTorque adds a torque in world axes, N·m. It acts as long as ApplyForce's.
func (b Body) ApplyTorque(torque r3.Vec) error {
	return b.push(torque, b.Centre(), func(s *body, _ r3.Vec) { s.torque = r3.Add(s.torque, torque) })
}

// ApplyImpulse changes the velocity at once by the impulse, N·s, at the world point p, m.
func (b Body) ApplyImpulse(impulse, p r3.Vec) error {
	return b.push(impulse, p, func(s *body, arm r3.Vec) {
		s.v = r3.Add(s.v, s.velocityChange(impulse))
		s.w = r3.Add(s.w, mulVec(&s.invI, reproducible.Cross(arm, impulse)))
	})
}

// ApplyAngularImpulse changes the spin at once by the impulse in world axes, N·m·s.
func (b Body) ApplyAngularImpulse(impulse r3.Vec) error {
	return b.push(impulse, b.Centre(), func(s *body, _ r3.Vec) { s.w = r3.Add(s.w, mulVec(&s.invI, impulse)) })
}

func (b Body) push(load, p r3.Vec, f func(s *body, arm r3.Vec)) error {
	if b.Valid() && b.Kind() != Dynamic {
		return fmt.Errorf("%w: only a dynamic body can be pushed", ErrKind)
	}
	return b.write("load", finiteVec(load) && near(p), "finite, at a point within ±1e6 m", func(s *body) { f(s, r3.Sub(p, s.x)) })
}

// SetAwake wakes a dynamic body or puts it to sleep, at rest, until something touches or
// sets it. The sleep of a body among awake ones that it touches is short.
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

// SetMass gives the body the mass m whatever its shapes, now and later; with a zero Inertia
// the mass of its shapes scaled to m.Mass, with their centre. The error is m.Validate's.
func (b Body) SetMass(m Mass) error {
	s := b.state()
	if s == nil {
		return ErrStale
	}
	if m.Inertia == (mat3{}) {
		sum := b.world.shapeMass(s)
		f := m.Mass / sum.Mass
		if !finite(f) {
			return &FieldError{"Mass.Inertia", "zero", "given for a body without shapes that have mass"}
		}
		m.Centre = sum.Centre
		for i := range 9 {
			m.Inertia[i/3][i%3] = f * sum.Inertia[i/3][i%3]
		}
	}
	if err := m.Validate(); err != nil {
		return err
	}
	return b.write("", true, "", func(s *body) {
		s.override, s.given = true, m
		b.world.setMass(b.slot, m)
	})
}

// SetKind makes the body one of another kind; a static one comes to rest. A dynamic one gets
// the mass of its shapes, or SetMass's. The error is ErrKind if a shape does not suit the kind.
func (b Body) SetKind(kind Kind) error {
	s := b.state()
	switch {
	case s == nil:
		return ErrStale
	case kind < Static || kind > Dynamic:
		return &FieldError{"kind", kind, "Static, Kinematic or Dynamic"}
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
	s.applyMass(Mass{})
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

// ResetMass undoes SetMass.
func (b Body) ResetMass() error {
	return b.write("", true, "", func(s *body) {
		s.override = false
		b.world.setMass(b.slot, b.world.shapeMass(s))
	})
}

// Destroy removes the body, its shapes and its joints, and wakes what touched or was joined to
// it.
func (b Body) Destroy() error {
	s := b.state()
	if s == nil {
		return ErrStale
	}
	w := b.world
	defer w.enter(&inBody).leave()
	for len(s.joints) > 0 {
		w.destroyJoint(s.joints[len(s.joints)-1])
	}
	for len(s.shapes) > 0 {
		w.destroyShape(s.shapes[len(s.shapes)-1])
	}
	w.order = append(w.order[:s.index], w.order[s.index+1:]...)
	for i := int(s.index); i < len(w.order); i++ {
		w.bodies[w.order[i]].index = int32(i)
	}
	s.live, s.userData, s.name = false, nil, ""
	w.freeBodies = append(w.freeBodies, b.slot)
	if s.lock.Linear != (Axes{}) {
		w.listLocked()
	}
	return nil
}
