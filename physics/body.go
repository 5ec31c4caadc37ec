package physics

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Body is a handle of a body: its world and its ID. Handles are comparable; the zero Body is stale. Getters of a
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
	turn       mat3        // of dq, unless that is the identity
	x          r3.Vec      // centre of mass
	q          quat.Number //
	invI       mat3        // inverse inertia, world axes
	invLocal   mat3        // inverse inertia, body axes
	gyroscopic bool        // inertia differs between axes: torque-free motion changes the angular velocity

	live        bool
	awake       bool
	poseChanged bool // its pose or shapes have changed since the last broad phase
	kind        BodyKind
	gen         uint32
	index       int32 // in World.order
	shapes      []int32
	joints      []int32 // in order of creation
	rot         mat3    // of q

	mass     MassProperties // zero unless dynamic
	override bool           // mass is given
	given    MassProperties

	force, torque    r3.Vec // the caller's, until the step or what Coupling.HoldLoads began ends
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

func (b *body) id(slot int32) uint64 { return idOf(slot, b.gen) }

// origin is the world position of the body's own origin.
func (b *body) origin() r3.Vec { return r3.Sub(b.x, rotate(b.q, b.mass.Centre)) }

// Index is the body's index in World.Coupling, or -1 if stale. It changes when an
// older body is removed.
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
func (b Body) Kind() BodyKind { return read(b, func(s *body) BodyKind { return s.kind }) }

// Name is the body's.
func (b Body) Name() string { return read(b, func(s *body) string { return s.name }) }

// UserData is the caller's own.
func (b Body) UserData() any { return read(b, func(s *body) any { return s.userData }) }

// Position is that of the body's own origin, m.
func (b Body) Position() r3.Vec { return read(b, (*body).origin) }

// CentreOfMass is the world position of the centre of mass, m.
func (b Body) CentreOfMass() r3.Vec { return read(b, func(s *body) r3.Vec { return s.x }) }

// Rotation is the unit quaternion from body to world axes; the zero Number if stale.
func (b Body) Rotation() quat.Number { return read(b, func(s *body) quat.Number { return s.q }) }

// Velocity is that of the centre of mass, m/s.
func (b Body) Velocity() r3.Vec { return read(b, func(s *body) r3.Vec { return s.v }) }

// AngularVelocity is in world axes, rad/s.
func (b Body) AngularVelocity() r3.Vec { return read(b, func(s *body) r3.Vec { return s.w }) }

// VelocityAt is that of the body's material at the world point p, m/s.
func (b Body) VelocityAt(p r3.Vec) r3.Vec {
	return read(b, func(s *body) r3.Vec { return r3.Add(s.v, reproducible.Cross(s.w, r3.Sub(p, s.x))) })
}

// Awake reports whether a dynamic body is simulated, or a kinematic one moves.
func (b Body) Awake() bool { return read(b, (*body).moving) }

// Mass is that of a dynamic body, kg; 0 of others.
func (b Body) Mass() float64 { return read(b, func(s *body) float64 { return s.mass.Mass }) }

// MassProperties are those of a dynamic body; zero of others.
func (b Body) MassProperties() MassProperties {
	return read(b, func(s *body) MassProperties { return s.mass })
}

// Def describes the body as it is now, defaults filled in: World.AddBody makes one like it, without shapes.
func (b Body) Def() BodyDef {
	return read(b, func(s *body) BodyDef {
		return BodyDef{
			Kind: s.kind, Position: s.origin(), Rotation: s.q,
			Velocity: r3.Sub(s.v, reproducible.Cross(s.w, r3.Sub(s.x, s.origin()))), AngularVelocity: s.w,
			LinearDamping: s.linearDamping, AngularDamping: s.angularDamping,
			Lock: s.lock, GravityScale: s.gravityScale, Bullet: s.bullet,
			NoGravity: s.gravityScale == 0, NoSleep: s.noSleep,
			NoLiquid: s.liquid == 0, LiquidCategory: s.liquid, LiquidDrag: s.drag,
			Name: s.name, UserData: s.userData,
		}
	})
}

// Remove removes the body, its shapes and its joints, and wakes what touched or was joined to
// it.
func (b Body) Remove() error {
	s := b.state()
	if s == nil {
		return ErrStale
	}
	w := b.world
	defer w.enter(&inBody).leave()
	for len(s.joints) > 0 {
		w.removeJoint(s.joints[len(s.joints)-1])
	}
	for len(s.shapes) > 0 {
		w.removeShape(s.shapes[len(s.shapes)-1])
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
