package bodies

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// constraints reads the joints and contacts.
type constraints struct {
	c          *Coupling
	joined     []bool // per body: has a joint
	badJoint   bool   // a joint was invalid in the last step
	badContact bool   // a contact was invalid in the last step
	face       face
	visit      func(a, b int, at, normal r3.Vec, impulse, friction float64) // readContact, as a func value made once
}

// face collects successive contact points in one plane between two bodies.
type face struct {
	dt       float64 // of the substep, s
	a, b     int
	normal   r3.Vec
	points   int
	held     []r3.Vec // points with friction, m
	friction float64  // its coefficient
	bad      struct { // the first invalid contact
		some bool
		a, b int
	}
}

// coplanar is the least cosine between the normals of points in one plane.
const coplanar = .99

// readContacts appends the rows of contacts between bodies in the liquid to the joints.
func (cs *constraints) readContacts() {
	c := cs.c
	from, can := c.Bodies.(engine.Contacting)
	if !can {
		return
	}
	cs.face = face{dt: c.now.Dt, held: cs.face.held[:0]}
	from.EachContact(cs.visit)
	cs.endFace()
	if bad := &cs.face.bad; bad.some && !cs.badContact {
		c.Warn("Bodies", fmt.Sprintf("a contact of bodies %d and %d of %d%s: EachContact's point is beyond 1e8 m, its normal not of length 1, "+
			"its force not within ±1e15 N or its friction not within 0 to 1e6; the liquid does without it", bad.a, bad.b, len(c.state), c.named(bad.a, bad.b)))
	}
	cs.badContact = cs.face.bad.some
}

// goodContact reports whether the numbers and the body indices of a contact are valid.
func (cs *constraints) goodContact(a, b int, at, normal r3.Vec, force, friction float64) bool {
	return a >= 0 && b >= 0 && a < len(cs.c.state) && b < len(cs.c.state) && within(at, maxCentre) && math.Abs(reproducible.Norm2(normal)-1) <= 1e-3 &&
		math.Abs(force) <= maxForce && friction >= 0 && friction <= maxFriction
}

// readContact adds the row of a contact point between bodies a and b.
func (cs *constraints) readContact(a, b int, at, normal r3.Vec, force, friction float64) {
	if !cs.goodContact(a, b, at, normal, force, friction) {
		if bad := &cs.face.bad; !bad.some {
			bad.some, bad.a, bad.b = true, a, b
		}
		return
	}
	if a == b || !cs.inSolve(a) || !cs.inSolve(b) || !cs.c.state[a].wet && !cs.c.state[b].wet {
		return
	}
	f := &cs.face
	if a != f.a || b != f.b || reproducible.Dot(normal, f.normal) < coplanar {
		cs.endFace()
		f.a, f.b, f.normal = a, b, normal
	}
	point := rigid.Joint{A: int32(a), B: int32(b), N: 1, Kind: rigid.Unilateral, Expected: max(0, force) * f.dt}
	point.Rows[0] = cs.contactRow(at, normal)
	if !cs.addRows(point) {
		return
	}
	f.points++
	if friction > 0 {
		f.held, f.friction = append(f.held, at), friction
	}
}

// inSolve reports whether body i is part of the solve. A body far from the liquid is not; it may be light.
func (cs *constraints) inSolve(i int) bool {
	c := cs.c
	return i >= 0 && i < len(c.state) && (c.state[i].ok || c.state[i].kind == engine.Static)
}

// withContact returns the predicted twist of a body, including the expected effect of contacts.
func withContact(r *rigid.Body) [6]float64 {
	v := r.V
	for d, x := range r.Contact {
		v[d] += x
	}
	return v
}

// contactRow returns the row for the velocity at which the face's bodies separate at a point along a direction.
func (cs *constraints) contactRow(at, n r3.Vec) [12]float64 {
	f := &cs.face
	// The contact point and the engine's poses are current, not those in the middle of the step.
	a, _ := cs.c.Bodies.Pose(f.a)
	b, _ := cs.c.Bodies.Pose(f.b)
	p, q := reproducible.Cross(r3.Sub(at, a), n), reproducible.Cross(r3.Sub(at, b), n)
	return [12]float64{-n.X, -n.Y, -n.Z, -p.X, -p.Y, -p.Z, n.X, n.Y, n.Z, q.X, q.Y, q.Z}
}

// endFace ends the face, and adds the rows of its friction: no sliding at the centroid, and no turning about the
// normal.
func (cs *constraints) endFace() {
	f := &cs.face
	if len(f.held) > 0 {
		middle, reach := centroid(f.held)
		n, t := f.normal, perpendicular(f.normal)
		rows := rigid.Joint{A: int32(f.a), B: int32(f.b), N: 2, Kind: rigid.Frictional, Friction: f.friction, Points: f.points}
		rows.Rows[0], rows.Rows[1] = cs.contactRow(middle, t), cs.contactRow(middle, reproducible.Cross(n, t))
		if reach > 0 {
			n = reproducible.Scale(reach, n) // the row's impulse is then a force at the points
			rows.N, rows.Rows[2] = 3, [12]float64{3: -n.X, 4: -n.Y, 5: -n.Z, 9: n.X, 10: n.Y, 11: n.Z}
		}
		cs.addRows(rows)
	}
	f.points, f.held = 0, f.held[:0]
}

// addRows appends rows to the joints, and reports whether they are valid; invalid ones are dropped.
func (cs *constraints) addRows(rows rigid.Joint) bool {
	c := cs.c
	n := len(c.Joints)
	c.Joints = append(c.Joints, rows)
	if !goodJoint(&c.Joints[n]) {
		c.Joints = c.Joints[:n]
		return false
	}
	return true
}

// centroid returns the mean of points and their mean distance from it, m.
func centroid(pts []r3.Vec) (middle r3.Vec, reach float64) {
	part := 1 / float64(len(pts))
	for _, x := range pts {
		middle = r3.Add(middle, reproducible.Scale(part, x))
	}
	for _, x := range pts {
		reach += float64(part * reproducible.Norm(r3.Sub(x, middle)))
	}
	return middle, reach
}

// perpendicular returns a unit vector orthogonal to n.
func perpendicular(n r3.Vec) r3.Vec {
	if n.X*n.X < .5*reproducible.Norm2(n) {
		return reproducible.Unit(reproducible.Cross(n, r3.Vec{X: 1}))
	}
	return reproducible.Unit(reproducible.Cross(n, r3.Vec{Y: 1}))
}
