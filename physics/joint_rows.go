package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// role is what a row of a joint does.
type role uint8

const (
	locked role = iota // holds its coordinate at zero
	yields             // pulls it to zero as a spring
	stop               // keeps it from going on beyond a limit
	drive              // gives it the motor's speed
)

// maxRows of a joint: five locked, a spring, a stop and a motor; or a ball's three, two stops and three brakes.
const maxRows = 8

// A jointRow is one coordinate of the motion of B against A. Its rate is
// lin·(vB - vA) + angB·ωB - angA·ωA.
type jointRow struct {
	lin, angA, angB r3.Vec
	pos             float64 // the coordinate less what it is held at, m or rad
	role            role
	upper           bool // a stop: of the upper limit
	spring          Spring
	motor           Motor
	bounded         bool // a motor: the row before is the stop that it may drive against

	movable        bool
	pA, wA, pB, wB r3.Vec  // what a unit impulse adds to -vA, -ωA, vB and ωB
	slip           float64 // mean rate through the substep less the rate now: the path's curvature
	bias           float64 // the rate wanted, negative
	gamma          float64 // compliance, per unit of impulse
	lo, hi         float64 // bounds of the impulse
}

// jointRows are those of a joint in a fixed order that its JointDef alone decides: locked ones first.
type jointRows struct {
	n   int
	row [maxRows]jointRow
}

// pose is where a body's centre of mass is and how it is turned.
type pose struct {
	x r3.Vec
	q quat.Number
}

// stance is how two joined bodies stand to each other, in world axes.
type stance struct {
	rA, rB r3.Vec      // from the centres of mass to the anchors
	d      r3.Vec      // from A's anchor to B's
	fA, fB mat3        // the joint's frame on each body: columns x (Axis), y, z (Axle)
	turned quat.Number // of B's frame in A's
}

// stand is the stance of bodies a and b of the joint at poses of theirs.
func (j *joint) stand(a, b *body, atA, atB pose) (s stance) {
	s.rA = rotate(atA.q, r3.Sub(j.anchorA, a.mass.Centre))
	s.rB = rotate(atB.q, r3.Sub(j.anchorB, b.mass.Centre))
	s.d = r3.Sub(r3.Add(atB.x, s.rB), r3.Add(atA.x, s.rA))
	qA, qB := reproducible.QuatMul(atA.q, j.frameA), reproducible.QuatMul(atB.q, j.frameB)
	s.fA, s.fB = rotationMatrix(qA), rotationMatrix(qB)
	s.turned = reproducible.QuatMul(quat.Conj(qA), qB)
	return s
}

// point is a row of the distance of the anchors along n, which turns with A if turns.
func (s *stance) point(n r3.Vec, turns bool) jointRow {
	armA := s.rA
	if turns {
		armA = r3.Add(armA, s.d)
	}
	return jointRow{lin: n, angA: reproducible.Cross(armA, n), angB: reproducible.Cross(s.rB, n), pos: reproducible.Dot(n, s.d)}
}

// spin is a row of the rotation of B against A about n, by pos.
func spin(n r3.Vec, pos float64) jointRow { return jointRow{angA: n, angB: n, pos: pos} }

// hingeAngle is that about the frame's x, next to the angle it was last.
func (s *stance) hingeAngle(last float64) float64 {
	raw := 2 * reproducible.PreciseAtan2(s.turned.Imag, s.turned.Real)
	return last + math.Remainder(raw-last, 2*math.Pi)
}

// cone is the row of the angle between the axes of a ball.
func (s *stance) cone() jointRow {
	xA, xB := column(&s.fA, 0), column(&s.fB, 0)
	n := reproducible.Cross(xA, xB)
	sin := reproducible.Norm(n)
	if sin < 1e-9 {
		return spin(column(&s.fA, 1), reproducible.PreciseAtan2(0, reproducible.Dot(xA, xB)))
	}
	return spin(reproducible.Scale(1/sin, n), reproducible.PreciseAtan2(sin, reproducible.Dot(xA, xB)))
}

// ballTwist is the row of the angle about the axis that is left when the shortest rotation
// between the axes is taken off. Its rate is (xA + xB)·(ωB - ωA)/(1 + xA·xB), which has no
// limit where the axes point against each other.
func (s *stance) ballTwist() jointRow {
	xA, xB := column(&s.fA, 0), column(&s.fB, 0)
	n := reproducible.Scale(1/max(1+reproducible.Dot(xA, xB), 1e-3), r3.Add(xA, xB))
	return spin(n, math.Remainder(2*reproducible.PreciseAtan2(s.turned.Imag, s.turned.Real), 2*math.Pi))
}

// steer is the row of a wheel's angle about the suspension's axis.
func (s *stance) steer() jointRow {
	axle := column(&s.fB, 2)
	return spin(column(&s.fA, 0), reproducible.PreciseAtan2(-reproducible.Dot(axle, column(&s.fA, 1)), reproducible.Dot(axle, column(&s.fA, 2))))
}

// length is the row of the distance of the anchors.
func (s *stance) length() jointRow {
	l := reproducible.Norm(s.d)
	n := r3.Vec{Y: 1}
	if l > 1e-9 {
		n = reproducible.Scale(1/l, s.d)
	}
	r := s.point(n, false)
	r.pos = l
	return r
}

// free is the row of the coordinate that Limits, Spring and Motor are about, but for a
// wheel's motor.
func (j *joint) free(s *stance) jointRow {
	switch j.def.Kind {
	case HingeJoint:
		return spin(column(&s.fA, 0), s.hingeAngle(j.angle))
	case BallJoint:
		return s.ballTwist()
	case DistanceJoint:
		return s.length()
	}
	return s.point(column(&s.fA, 0), true)
}

// rows writes those of the joint in the stance s.
func (j *joint) rows(s *stance, out *jointRows) {
	out.n = 0
	d := &j.def
	switch d.Kind {
	case FixedJoint:
		j.holdPoint(s, out)
		j.holdTurn(s, out)
	case HingeJoint:
		j.holdPoint(s, out)
		lean := reproducible.Cross(column(&s.fA, 0), column(&s.fB, 0))
		for k := 1; k < 3; k++ {
			n := column(&s.fA, k)
			j.hold(out, spin(n, reproducible.Dot(n, lean)))
		}
	case SliderJoint:
		j.holdSides(s, out)
		j.holdTurn(s, out)
	case BallJoint:
		j.holdPoint(s, out)
	case DistanceJoint:
		if (d.Limits == Limits{} && d.Spring.Frequency == 0) {
			r := s.length()
			r.pos -= j.length
			j.hold(out, r)
			return
		}
	case WheelJoint:
		j.holdSides(s, out)
		x, axle := column(&s.fA, 0), column(&s.fB, 2)
		j.hold(out, spin(reproducible.Cross(axle, x), reproducible.Dot(x, axle)))
		if d.Steering.Frequency == 0 {
			r := s.steer()
			r.pos -= d.Steering.Rest
			j.hold(out, r)
		}
	}
	j.freedoms(s, out)
}

// freedoms writes the rows of what the joint does not hold.
func (j *joint) freedoms(s *stance, out *jointRows) {
	d := &j.def
	spring, motor := d.Spring, d.Motor
	switch {
	case d.Kind == DistanceJoint && spring.Rest == 0:
		spring.Rest = j.length
	case d.Kind == WheelJoint || d.Kind == BallJoint:
		motor = Motor{}
	}
	if spring.Frequency > 0 || d.Limits != (Limits{}) || motor.Max > 0 {
		out.free(j.free(s), spring, d.Limits, motor)
	}
	switch d.Kind {
	case BallJoint:
		if d.Cone > 0 {
			out.free(s.cone(), Spring{}, Limits{-d.Cone, d.Cone}, Motor{})
		}
		for k := range axes {
			out.free(spin(column(&s.fA, k), 0), Spring{}, Limits{}, d.Motor)
		}
	case WheelJoint:
		out.free(s.steer(), d.Steering, Limits{}, Motor{})
		out.free(spin(column(&s.fB, 2), 0), Spring{}, Limits{}, d.Motor)
	}
}

func (o *jointRows) add(r jointRow) {
	o.row[o.n] = r
	o.n++
}

// free adds what drives or bounds the coordinate of r.
func (o *jointRows) free(r jointRow, spring Spring, limits Limits, motor Motor) {
	if spring.Frequency > 0 {
		s := r
		s.role, s.spring, s.pos = yields, spring, r.pos-spring.Rest
		o.add(s)
	}
	if limits != (Limits{}) {
		s := r
		s.role, s.pos = stop, r.pos-limits.Lower
		if s.upper = r.pos > (limits.Lower+limits.Upper)/2; s.upper {
			s.pos = r.pos - limits.Upper
		}
		o.add(s)
	}
	if motor.Max > 0 {
		r.role, r.motor, r.bounded = drive, motor, limits != Limits{} && motor.Speed != 0
		o.add(r)
	}
}

// hold adds a row that is held at zero, or yields if the joint is soft.
func (j *joint) hold(out *jointRows, r jointRow) {
	if j.def.Soft.Frequency > 0 {
		r.role, r.spring = yields, j.def.Soft
	}
	out.add(r)
}

var axes = [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}

// holdPoint holds the anchors together.
func (j *joint) holdPoint(s *stance, out *jointRows) {
	for _, n := range axes {
		j.hold(out, s.point(n, false))
	}
}

// holdSides holds B's anchor on the line through A's along the axis.
func (j *joint) holdSides(s *stance, out *jointRows) {
	for k := 1; k < 3; k++ {
		j.hold(out, s.point(column(&s.fA, k), true))
	}
}

// holdTurn holds B's frame parallel to A's.
func (j *joint) holdTurn(s *stance, out *jointRows) {
	twist := array(mulVec(&s.fA, logarithm(s.turned)))
	for k, n := range axes {
		j.hold(out, spin(n, twist[k]))
	}
}

// rate of the row's coordinate, m/s or rad/s.
func (r *jointRow) rate(a, b *body) float64 {
	return reproducible.Dot(r.lin, r3.Sub(b.v, a.v)) + reproducible.Dot(r.angB, b.w) - reproducible.Dot(r.angA, a.w)
}
