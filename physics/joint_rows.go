package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// rowKind is the function of a row of a joint.
type rowKind uint8

const (
	lockedRow rowKind = iota // keeps its coordinate at zero
	springRow                // pulls it to zero
	limitRow                 // bounds it by a limit
	motorRow                 // drives it at the motor's speed
)

// maxRows of a joint: five locked, a spring, a limit and a motor; or a ball's three locked, two limits and three motors.
const maxRows = 8

// A jointRow is one coordinate of the motion of B against A. Its rate is
// lin·(vB - vA) + angB·ωB - angA·ωA.
type jointRow struct {
	lin, angA, angB r3.Vec
	pos             float64 // the coordinate less what it is held at, m or rad
	kind            rowKind
	upper           bool // a limit row: of the upper limit
	spring          Spring
	motor           Motor
	hasLimit        bool // a motor row: the row before is its limit

	movable        bool
	pA, wA, pB, wB r3.Vec  // what a unit impulse adds to -vA, -ωA, vB and ωB
	curvature      float64 // mean rate through the substep less the present one
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

// jointPose is the relative pose of two jointed bodies, in world axes.
type jointPose struct {
	rA, rB r3.Vec      // from the centres of mass to the anchors
	d      r3.Vec      // from A's anchor to B's
	fA, fB mat3        // the joint's frame on each body: columns x (Axis), y, z (Axle)
	turned quat.Number // of B's frame in A's
}

// relativePose is the joint's pose for bodies a and b at the poses atA and atB.
func (j *joint) relativePose(a, b *body, atA, atB pose) (s jointPose) {
	s.rA = rotate(atA.q, r3.Sub(j.anchorA, a.mass.Centre))
	s.rB = rotate(atB.q, r3.Sub(j.anchorB, b.mass.Centre))
	s.d = r3.Sub(r3.Add(atB.x, s.rB), r3.Add(atA.x, s.rA))
	qA, qB := reproducible.QuatMul(atA.q, j.frameA), reproducible.QuatMul(atB.q, j.frameB)
	s.fA, s.fB = rotationMatrix(qA), rotationMatrix(qB)
	s.turned = reproducible.QuatMul(quat.Conj(qA), qB)
	return s
}

// pointRow is a row of the distance of the anchors along n. turns: n turns with A.
func (s *jointPose) pointRow(n r3.Vec, turns bool) jointRow {
	armA := s.rA
	if turns {
		armA = r3.Add(armA, s.d)
	}
	return jointRow{lin: n, angA: reproducible.Cross(armA, n), angB: reproducible.Cross(s.rB, n), pos: reproducible.Dot(n, s.d)}
}

// rotationRow is a row of the rotation of B against A about n, with the coordinate pos.
func rotationRow(n r3.Vec, pos float64) jointRow { return jointRow{angA: n, angB: n, pos: pos} }

// hingeAngle is the angle about the frame's x, rad, of all equal ones that nearest to last.
func (s *jointPose) hingeAngle(last float64) float64 {
	raw := 2 * reproducible.PreciseAtan2(s.turned.Imag, s.turned.Real)
	return last + math.Remainder(raw-last, 2*math.Pi)
}

// coneRow is the row of the angle between the axes of a ball.
func (s *jointPose) coneRow() jointRow {
	xA, xB := column(&s.fA, 0), column(&s.fB, 0)
	n := reproducible.Cross(xA, xB)
	sin := reproducible.Norm(n)
	if sin < 1e-9 {
		return rotationRow(column(&s.fA, 1), reproducible.PreciseAtan2(0, reproducible.Dot(xA, xB)))
	}
	return rotationRow(reproducible.Scale(1/sin, n), reproducible.PreciseAtan2(sin, reproducible.Dot(xA, xB)))
}

// twistRow is the row of the angle about the axis that is left without the shortest rotation between the axes. Its rate
// is (xA + xB)·(ωB - ωA)/(1 + xA·xB), which has no bound where the axes are opposite.
func (s *jointPose) twistRow() jointRow {
	xA, xB := column(&s.fA, 0), column(&s.fB, 0)
	n := reproducible.Scale(1/max(1+reproducible.Dot(xA, xB), 1e-3), r3.Add(xA, xB))
	return rotationRow(n, math.Remainder(2*reproducible.PreciseAtan2(s.turned.Imag, s.turned.Real), 2*math.Pi))
}

// steeringRow is the row of a wheel's angle about the suspension's axis.
func (s *jointPose) steeringRow() jointRow {
	axle := column(&s.fB, 2)
	return rotationRow(column(&s.fA, 0), reproducible.PreciseAtan2(-reproducible.Dot(axle, column(&s.fA, 1)), reproducible.Dot(axle, column(&s.fA, 2))))
}

// distanceRow is the row of the distance of the anchors.
func (s *jointPose) distanceRow() jointRow {
	l := reproducible.Norm(s.d)
	n := r3.Vec{Y: 1}
	if l > 1e-9 {
		n = reproducible.Scale(1/l, s.d)
	}
	r := s.pointRow(n, false)
	r.pos = l
	return r
}

// freeRow is the row of the coordinate to which Limits, Spring and Motor apply, but for a wheel's motor.
func (j *joint) freeRow(s *jointPose) jointRow {
	switch j.def.Kind {
	case HingeJoint:
		return rotationRow(column(&s.fA, 0), s.hingeAngle(j.angle))
	case BallJoint:
		return s.twistRow()
	case DistanceJoint:
		return s.distanceRow()
	}
	return s.pointRow(column(&s.fA, 0), true)
}

// rows writes the rows of the joint in the pose s.
func (j *joint) rows(s *jointPose, out *jointRows) {
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
			j.addHeldRow(out, rotationRow(n, reproducible.Dot(n, lean)))
		}
	case SliderJoint:
		j.holdSides(s, out)
		j.holdTurn(s, out)
	case BallJoint:
		j.holdPoint(s, out)
	case DistanceJoint:
		if (d.Limits == Limits{} && d.Spring.Frequency == 0) {
			r := s.distanceRow()
			r.pos -= j.length
			j.addHeldRow(out, r)
			return
		}
	case WheelJoint:
		j.holdSides(s, out)
		x, axle := column(&s.fA, 0), column(&s.fB, 2)
		j.addHeldRow(out, rotationRow(reproducible.Cross(axle, x), reproducible.Dot(x, axle)))
		if d.Steering.Frequency == 0 {
			r := s.steeringRow()
			r.pos -= d.Steering.Rest
			j.addHeldRow(out, r)
		}
	}
	j.addFreeRows(s, out)
}

// addFreeRows adds the rows of springs, limits and motors.
func (j *joint) addFreeRows(s *jointPose, out *jointRows) {
	d := &j.def
	spring, motor := d.Spring, d.Motor
	switch {
	case d.Kind == DistanceJoint && spring.Rest == 0:
		spring.Rest = j.length
	case d.Kind == WheelJoint || d.Kind == BallJoint:
		motor = Motor{}
	}
	if spring.Frequency > 0 || d.Limits != (Limits{}) || motor.Max > 0 {
		out.addFreeRow(j.freeRow(s), spring, d.Limits, motor)
	}
	switch d.Kind {
	case BallJoint:
		if d.Cone > 0 {
			out.addFreeRow(s.coneRow(), Spring{}, Limits{-d.Cone, d.Cone}, Motor{})
		}
		for k := range axes {
			out.addFreeRow(rotationRow(column(&s.fA, k), 0), Spring{}, Limits{}, d.Motor)
		}
	case WheelJoint:
		out.addFreeRow(s.steeringRow(), d.Steering, Limits{}, Motor{})
		out.addFreeRow(rotationRow(column(&s.fB, 2), 0), Spring{}, Limits{}, d.Motor)
	}
}

func (o *jointRows) add(r jointRow) {
	o.row[o.n] = r
	o.n++
}

// addFreeRow adds the spring, limit and motor of the coordinate of r.
func (o *jointRows) addFreeRow(r jointRow, spring Spring, limits Limits, motor Motor) {
	if spring.Frequency > 0 {
		s := r
		s.kind, s.spring, s.pos = springRow, spring, r.pos-spring.Rest
		o.add(s)
	}
	if limits != (Limits{}) {
		s := r
		s.kind, s.pos = limitRow, r.pos-limits.Lower
		if s.upper = r.pos > (limits.Lower+limits.Upper)/2; s.upper {
			s.pos = r.pos - limits.Upper
		}
		o.add(s)
	}
	if motor.Max > 0 {
		r.kind, r.motor, r.hasLimit = motorRow, motor, limits != Limits{} && motor.Speed != 0
		o.add(r)
	}
}

// addHeldRow adds a locked row, or a spring row if the joint is soft.
func (j *joint) addHeldRow(out *jointRows, r jointRow) {
	if j.def.Soft.Frequency > 0 {
		r.kind, r.spring = springRow, j.def.Soft
	}
	out.add(r)
}

var axes = [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}

// holdPoint holds the anchors together.
func (j *joint) holdPoint(s *jointPose, out *jointRows) {
	for _, n := range axes {
		j.addHeldRow(out, s.pointRow(n, false))
	}
}

// holdSides holds B's anchor on the line through A's along the axis.
func (j *joint) holdSides(s *jointPose, out *jointRows) {
	for k := 1; k < 3; k++ {
		j.addHeldRow(out, s.pointRow(column(&s.fA, k), true))
	}
}

// holdTurn holds B's frame parallel to A's.
func (j *joint) holdTurn(s *jointPose, out *jointRows) {
	twist := array(mulVec(&s.fA, logarithm(s.turned)))
	for k, n := range axes {
		j.addHeldRow(out, rotationRow(n, twist[k]))
	}
}

// rate of the row's coordinate, m/s or rad/s.
func (r *jointRow) rate(a, b *body) float64 {
	return reproducible.Dot(r.lin, r3.Sub(b.v, a.v)) + reproducible.Dot(r.angB, b.w) - reproducible.Dot(r.angA, a.w)
}
