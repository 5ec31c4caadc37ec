package physics

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Joint is a handle of a joint: its world and its ID. Handles are comparable; the zero Joint is stale. Getters of a
// stale handle return zero values, setters ErrStale. Setters wake the bodies.
type Joint struct {
	world *World
	slot  int32
	gen   uint32
}

// joint is a joint's state. Slot -1 of a body is the world.
type joint struct {
	gen              uint32
	live             bool
	index            int32 // in World.joints.order
	a, b             int32
	def              JointDef
	anchorA, anchorB r3.Vec // in the bodies' axes, from their origins, m
	frameA, frameB   quat.Number
	length           float64 // of a distance joint at creation, m
	angle            float64 // of a hinge, with all its turns, rad
	atBound          [maxRows]int8
	force, torque    r3.Vec // on B at its anchor, mean of the last step
}

// joints are those of a World.
type joints struct {
	slots []joint
	free  []int32
	order []int32 // live slots in order of creation
	world body    // the body of slot -1, at the origin
}

// bodyOrWorld is the body in a slot; that of slot -1 is the world.
func (w *World) bodyOrWorld(slot int32) *body {
	if slot < 0 {
		return &w.joints.world
	}
	return &w.bodies[slot]
}

// hash adds the state of the joints.
func (js *joints) hash(h *fnv) {
	for _, slot := range js.order {
		j := &js.slots[slot]
		h.word(idOf(slot, j.gen))
		h.word(uint64(j.def.Kind))
		h.number(j.angle)
		for _, side := range j.atBound {
			h.word(uint64(side + 1))
		}
		h.vec(j.force)
		h.vec(j.torque)
		h.number(j.def.Motor.Speed)
		h.number(j.def.Steering.Rest)
	}
}

// AddJoint joins two bodies as they are now and wakes them. The error is def.Validate's,
// NewWorld's, ErrStale, ErrFull, or ErrKind if the two are not different bodies of this world
// of which at least one is dynamic.
func (w *World) AddJoint(def JointDef) (Joint, error) {
	defer w.enter(&inAddJoint).leave()
	if w.err != nil {
		return Joint{}, w.err
	}
	if err := def.Validate(); err != nil {
		return Joint{}, err
	}
	a, err := w.joinable(def.A)
	if err != nil {
		return Joint{}, fmt.Errorf("%w: JointDef.A", err)
	}
	b, err := w.joinable(def.B)
	if err != nil {
		return Joint{}, fmt.Errorf("%w: JointDef.B", err)
	}
	if a == b || w.bodyOrWorld(a).kind != Dynamic && w.bodyOrWorld(b).kind != Dynamic {
		return Joint{}, fmt.Errorf("%w: a joint needs two different bodies, one of them dynamic", ErrKind)
	}
	js := &w.joints
	if full(js.slots, js.free) {
		return Joint{}, ErrFull
	}
	slot := take(&js.slots, &js.free)
	j := &js.slots[slot]
	*j = joint{gen: j.gen + 1, live: true, index: int32(len(js.order)), a: a, b: b, def: def}
	j.attach(w.bodyOrWorld(a), w.bodyOrWorld(b))
	js.order = append(js.order, slot)
	for _, s := range [2]int32{a, b} {
		if s >= 0 {
			w.bodies[s].joints = append(w.bodies[s].joints, slot)
			w.wake(s)
			w.markBodyMoved(s)
		}
	}
	return w.joint(slot), nil
}

// joinable is the slot of a body to be joined.
func (w *World) joinable(b Body) (int32, error) {
	switch {
	case b == Body{}:
		return -1, nil
	case !b.Valid():
		return 0, ErrStale
	case b.world != w:
		return 0, fmt.Errorf("%w: a body of another world", ErrKind)
	}
	return b.slot, nil
}

// attach computes the anchors and frames of the joint on its bodies.
func (j *joint) attach(a, b *body) {
	d := &j.def
	onB := d.Anchor
	if d.Kind == DistanceJoint {
		onB = d.AnchorB
	}
	f := jointFrame(d.Axis, d.Axle)
	invA, invB := quat.Conj(a.q), quat.Conj(b.q)
	j.anchorA = rotate(invA, r3.Sub(d.Anchor, a.origin()))
	j.anchorB = rotate(invB, r3.Sub(onB, b.origin()))
	j.frameA, j.frameB = reproducible.QuatMul(invA, f), reproducible.QuatMul(invB, f)
	j.length = reproducible.Norm(r3.Sub(onB, d.Anchor))
}

// jointFrame is a rotation that takes x to axis and z as near to axle as possible. A zero vector leaves the choice open.
func jointFrame(axis, axle r3.Vec) quat.Number {
	if axis == (r3.Vec{}) {
		return identity
	}
	x, n := axes[0], unit(axis)
	turnAbout := reproducible.Cross(x, n)
	q := identity
	switch s := reproducible.Norm(turnAbout); {
	case s > 1e-12:
		q = exponential(reproducible.Scale(reproducible.PreciseAtan2(s, reproducible.Dot(x, n))/s, turnAbout))
	case n.X < 0:
		q = exponential(r3.Vec{Y: math.Pi})
	}
	if axle == (r3.Vec{}) {
		return q
	}
	y, z := rotate(q, axes[1]), rotate(q, axes[2])
	return normalized(reproducible.QuatMul(exponential(reproducible.Scale(reproducible.PreciseAtan2(-reproducible.Dot(axle, y), reproducible.Dot(axle, z)), n)), q))
}

// connected reports whether a joint keeps two bodies from touching.
func (w *World) connected(a, b int32) bool {
	if len(w.bodies[a].joints) > len(w.bodies[b].joints) {
		a, b = b, a
	}
	for _, s := range w.bodies[a].joints {
		if j := &w.joints.slots[s]; (j.a == b || j.b == b) && !j.def.CollideConnected {
			return true
		}
	}
	return false
}

// Def describes the joint as it is now.
func (j Joint) Def() JointDef {
	if s := j.state(); s != nil {
		return s.def
	}
	return JointDef{}
}

// Joints ranges over the joints of the body in order of creation. The loop must not add or
// remove joints.
func (b Body) Joints() iter.Seq[Joint] {
	return func(yield func(Joint) bool) {
		s := b.state()
		if s == nil {
			return
		}
		for _, slot := range s.joints {
			if !yield(b.world.joint(slot)) {
				return
			}
		}
	}
}

// evaluate is the joint's state and present pose; the state is nil if the handle is stale.
func (j Joint) evaluate() (s *joint, at jointPose) {
	if s = j.state(); s != nil {
		a, b := j.world.bodyOrWorld(s.a), j.world.bodyOrWorld(s.b)
		at = s.relativePose(a, b, pose{a.x, a.q}, pose{b.x, b.q})
	}
	return s, at
}

// Angle is that by which a hinge has turned, full turns included, by which a wheel is steered, or between the axes of a ball's
// two bodies, rad; 0 of other kinds.
func (j Joint) Angle() float64 {
	s, at := j.evaluate()
	switch j.Def().Kind {
	case HingeJoint:
		return at.hingeAngle(s.angle)
	case BallJoint:
		return at.coneRow().pos
	case WheelJoint:
		return at.steeringRow().pos
	}
	return 0
}

// Twist is the angle by which a ball has turned about its axis, rad, within ±π; 0 of other kinds.
func (j Joint) Twist() float64 {
	if s, at := j.evaluate(); s != nil && s.def.Kind == BallJoint {
		return at.twistRow().pos
	}
	return 0
}

// Translation is that of a slider or of a wheel's suspension, or the length of a distance joint, m; 0 of other kinds.
func (j Joint) Translation() float64 {
	s, at := j.evaluate()
	switch j.Def().Kind {
	case SliderJoint, DistanceJoint, WheelJoint:
		return s.freeRow(&at).pos
	}
	return 0
}

// Speed is the rate of the angle or translation that JointDef.Motor drives, of a distance joint's length, or of a
// ball's twist, rad/s or m/s; 0 of a fixed joint.
func (j Joint) Speed() float64 {
	s, at := j.evaluate()
	if s == nil || s.def.Kind == FixedJoint {
		return 0
	}
	r := s.freeRow(&at)
	if s.def.Kind == WheelJoint {
		r = rotationRow(column(&at.fB, 2), 0)
	}
	return r.rate(j.world.bodyOrWorld(s.a), j.world.bodyOrWorld(s.b))
}

// Force is that of the joint on B, N, in world axes: the mean of the last step, motor and spring
// included.
func (j Joint) Force() r3.Vec {
	if s := j.state(); s != nil {
		return s.force
	}
	return r3.Vec{}
}

// Torque is that of the joint on B about B's anchor, N·m, in world axes: the mean of the last step.
func (j Joint) Torque() r3.Vec {
	if s := j.state(); s != nil {
		return s.torque
	}
	return r3.Vec{}
}

// Anchors are the world places of the joint's anchors on A and on B, m: the same unless it is a slider,
// a wheel or a distance joint.
func (j Joint) Anchors() (onA, onB r3.Vec) {
	if s, at := j.evaluate(); s != nil {
		onA, onB = r3.Add(j.world.bodyOrWorld(s.a).x, at.rA), r3.Add(j.world.bodyOrWorld(s.b).x, at.rB)
	}
	return onA, onB
}

// redefine gives the joint another def, if it is valid, and wakes the bodies.
func (j Joint) redefine(def JointDef, changed bool) error {
	s := j.state()
	switch {
	case s == nil:
		return ErrStale
	case !changed:
		return nil
	}
	if err := def.Validate(); err != nil {
		return err
	}
	defer j.world.enter(&inJoint).leave()
	s.def, s.atBound = def, [maxRows]int8{}
	j.world.wakeJoint(s)
	return nil
}

func (w *World) wakeJoint(j *joint) {
	for _, s := range [2]int32{j.a, j.b} {
		if s >= 0 {
			w.wake(s)
		}
	}
}

// SetMotor changes the motor. The error is JointDef.Validate's.
func (j Joint) SetMotor(m Motor) error {
	def := j.Def()
	old := def.Motor
	def.Motor = m
	return j.redefine(def, old != m)
}

// SetLimits changes the limits. The error is JointDef.Validate's.
func (j Joint) SetLimits(l Limits) error {
	def := j.Def()
	old := def.Limits
	def.Limits = l
	return j.redefine(def, old != l)
}

// SetSpring changes the spring. The error is JointDef.Validate's.
func (j Joint) SetSpring(s Spring) error {
	def := j.Def()
	old := def.Spring
	def.Spring = s
	return j.redefine(def, old != s)
}

// SetSteering changes a wheel's steering. The error is JointDef.Validate's.
func (j Joint) SetSteering(s Spring) error {
	def := j.Def()
	old := def.Steering
	def.Steering = s
	return j.redefine(def, old != s)
}

// Remove removes the joint and wakes its bodies.
func (j Joint) Remove() error {
	if j.state() == nil {
		return ErrStale
	}
	defer j.world.enter(&inJoint).leave()
	j.world.removeJoint(j.slot)
	return nil
}

// removeJoint frees the slot of a live joint.
func (w *World) removeJoint(slot int32) {
	js := &w.joints
	j := &js.slots[slot]
	w.wakeJoint(j)
	for _, s := range [2]int32{j.a, j.b} {
		if s >= 0 {
			b := &w.bodies[s]
			i := slices.Index(b.joints, slot)
			b.joints = slices.Delete(b.joints, i, i+1)
			w.markBodyMoved(s)
		}
	}
	js.order = slices.Delete(js.order, int(j.index), int(j.index)+1)
	for i := int(j.index); i < len(js.order); i++ {
		js.slots[js.order[i]].index = int32(i)
	}
	j.live, j.def = false, JointDef{}
	js.free = append(js.free, slot)
}
