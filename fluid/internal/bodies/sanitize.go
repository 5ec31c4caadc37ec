package bodies

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A rigid-body engine may answer with numbers that no solve can take: a body that blew up, one that a
// level editor shot across the map, an inertia that was never set, a distance that is none (see shapes.Fault). Such a body is set aside until
// its numbers are good again, and a warning names it once: with a bad place or distance it is left out, with a bad motion or mass it stands
// still. One that is only too fast is slower for the liquid. The liquid goes on.
const (
	maxCentre   = 1e8  // m
	maxBounds   = 1e10 // m; half-spaces reach to 1e9
	maxVelocity = 1e6  // m/s, rad/s
	// Inverse masses and inertias are 0 or within these, 1/kg and 1/(kg·m²).
	minInverse, maxInverse = 1e-30, 1e30
	// The liquid that a body can displace weighs at most that much more than it: a balloon with the density of 1e-4 kg/m³ in water. The
	// inertia of that liquid, as thick as the thinnest wall, is at most as much larger than the body's. No solve finds what lighter ones do.
	maxLightness = 1e7
	maxRow       = 1e12 // of a joint
	maxForce     = 1e15 // N, of a contact
	maxFriction  = 1e6
)

// Sanitizer finds the bodies that are set aside, and names them.
type Sanitizer struct {
	c      *Coupling
	guards []bodyGuard // per body
}

// badPlace says what of where body i is no liquid can take, or nothing.
func badPlace(centre r3.Vec, turned quat.Number, box r3.Box) string {
	switch n := reproducible.QuatAbs(turned); {
	case !within(centre, maxCentre):
		return "Pose's centre is not finite or beyond 1e8 m"
	case !(n > .1 && n < 10):
		return "Pose's rotation has not length 1"
	case !within(box.Min, maxBounds) || !within(box.Max, maxBounds) || !(box.Min.X <= box.Max.X && box.Min.Y <= box.Max.Y && box.Min.Z <= box.Max.Z):
		return "Bounds are no box within 1e10 m"
	}
	return ""
}

// badMotion says what of how body i, its rigid part read, moves no liquid can take, or nothing.
func (san *Sanitizer) badMotion(i int) string {
	r := &san.c.Rigid[i]
	switch {
	case !goodTwist(&san.c.Moved[i]):
		return "Velocity is not finite or above 1e6 m/s or rad/s"
	case !goodTwist(&r.V):
		return "PredictedVelocity is not finite or above 1e6 m/s or rad/s"
	case !goodMass(r):
		return "InverseMass is not finite, is negative, not symmetric, or neither 0 nor within 1e-30 to 1e30"
	case san.tooLight(i):
		return "InverseMass is more than 1e7 times that of the liquid it can displace, or its inertia's inverse is"
	case !goodTwist(&r.Contact):
		return "Velocity changes by more in a step than any liquid or contact makes it"
	}
	return ""
}

// tooLight tells whether body i is next to nothing beside the liquid that it can displace.
func (san *Sanitizer) tooLight(i int) bool {
	c := san.c
	r, solid := &c.Rigid[i], &c.Solids[i]
	if r.InverseMass == 0 && r.InverseInertia == [3][3]float64{} {
		return false
	}
	size := r3.Sub(solid.Bounds.Max, solid.Bounds.Min)
	volume := size.X * size.Y * size.Z
	wall := solid.Thickness
	if wall > 0 { // of a sheet or a frame that lies across them the bounds are mostly empty
		least := min(size.X, size.Y, size.Z)
		wall = min(wall, least)
		if least > 0 {
			volume *= wall / least
		}
	}
	if from, can := c.Bodies.(engine.Measured); can {
		if known, _, _ := from.Dimensions(i); known > 0 && known <= size.X*size.Y*size.Z {
			volume = max(volume, known)
		}
	}
	m := &r.InverseInertia
	displaced := c.now.Density * volume
	turned := displaced * wall * wall / 12 * max(m[0][0], m[1][1], m[2][2])
	return displaced*r.InverseMass > maxLightness || turned > maxLightness
}

// badPlaceOf says what is wrong with where body i is now, or nothing.
func (c *Coupling) badPlaceOf(i int) string {
	centre, turned := c.Bodies.Pose(i)
	return badPlace(centre, turned, c.Bodies.Bounds(i))
}

func within(v r3.Vec, most float64) bool {
	return math.Abs(v.X) <= most && math.Abs(v.Y) <= most && math.Abs(v.Z) <= most
}

func goodTwist(v *[6]float64) bool {
	for _, x := range v {
		if !(math.Abs(x) <= maxVelocity) {
			return false
		}
	}
	return true
}

// SetAsideUntil ends the warning that names an obstacle or a body which is set aside.
const SetAsideUntil = "it is set aside until its numbers are good"

// warnAside names body i, which is set aside, and why: once, as long as that is so.
func (san *Sanitizer) warnAside(i int, why string) {
	if s := &san.c.state[i]; s.warned != why {
		s.warned = why
		san.c.Warn("Bodies", fmt.Sprintf("%s: %s; %s", san.c.Called(i), why, SetAsideUntil))
	}
}

// sanitize keeps body i from spoiling the step.
func (san *Sanitizer) sanitize(i int) {
	c := san.c
	s, r := &c.state[i], &c.Rigid[i]
	if c.Out.Has(int64(s.id)) {
		c.standStill(i)
	}
	bad := s.bad
	if s.ok && bad == "" {
		bad = san.badMotion(i)
	}
	switch {
	case bad != "":
		c.standStill(i)
		san.warnAside(i, bad)
	case !san.guards[i].fault.Seen():
		s.warned = ""
	}
	if !s.ok {
		return
	}
	box := c.Solids[i].Bounds
	reach := reproducible.Norm(r3.Sub(box.Max, box.Min)) / 2
	limit := c.now.MaxSpeed
	fast := limitTwist(&c.Moved[i], limit, reach)
	v := withContact(r)
	if whole := v; limitTwist(&v, limit, reach) {
		fast = true
		for d := range v {
			s.clipped[d] = v[d] - whole[d]
			r.V[d] += s.clipped[d]
		}
	}
	if fast {
		if s.tooFast == "" {
			s.tooFast = c.Called(i) + " is faster than the substeps follow; for the liquid it is slower"
		}
		c.Warn("CellSize", s.tooFast)
	}
}

// standStill has body i not move for the liquid, which does nothing to it.
func (c *Coupling) standStill(i int) {
	s := &c.state[i]
	s.ok, s.contact, s.before = false, [6]float64{}, [6]float64{}
	c.Rigid[i], c.Moved[i] = rigid.Body{}, [6]float64{}
}

// CheckVelocities is an error if the velocity of a body or, after those, of an obstacle is not finite: notFinite, and of which.
func (c *Coupling) CheckVelocities(notFinite error) error {
	for i := range c.Rigid {
		for _, v := range c.Rigid[i].V {
			switch {
			case finite(v):
			case i < c.Known():
				return fmt.Errorf("%w of %s", notFinite, c.Called(i))
			default:
				return fmt.Errorf("%w of an obstacle", notFinite)
			}
		}
	}
	return nil
}

// AppendActing lists the bodies that may be the reason why a substep has gone wrong, to be left out: those that move, or only those of them
// that have no finite velocity.
func (c *Coupling) AppendActing(dst []remedies.Choice, lost bool) []remedies.Choice {
	for i := range c.state {
		if s := &c.state[i]; s.ok && s.kind != engine.Static && (!lost || !goodTwist(&c.Rigid[i].V)) {
			dst = append(dst, remedies.Choice{Kind: remedies.Bodies, One: true, ID: int64(s.id)})
		}
	}
	return dst
}

// stillThere tells whether body i is still the one that the step began with: an engine may lose bodies within it,
// and another be coupled before the next.
func (c *Coupling) stillThere(i int) bool {
	return i < len(c.state) && i < c.Count() && c.Bodies.ID(i) == c.state[i].id
}

// limitTwist bounds a twist to a speed, m/s, of the centre and of what is reach, m, away from it.
func limitTwist(v *[6]float64, limit, reach float64) (cut bool) {
	for part, top := range [2]float64{limit, limit / max(reach, 1e-9)} {
		u := v[3*part : 3*part+3]
		if n := math.Sqrt(float64(u[0]*u[0]) + float64(u[1]*u[1]) + float64(u[2]*u[2])); n > top {
			cut = true
			for d := range u {
				u[d] *= top / n
			}
		}
	}
	return cut
}

// goodMass tells whether the inverse mass is one: finite, not negative, and the inverse inertia
// symmetric and no less than zero along any axis or between any two.
func goodMass(b *rigid.Body) bool {
	if !goodInverse(b.InverseMass) {
		return false
	}
	m := &b.InverseInertia
	size := math.Abs(m[0][0]) + math.Abs(m[1][1]) + math.Abs(m[2][2])
	for i := range 3 {
		if !goodInverse(m[i][i]) {
			return false
		}
		for j := range i {
			if !(math.Abs(m[i][j]-m[j][i]) <= 1e-6*size && m[i][j]*m[i][j] <= (1+1e-6)*m[i][i]*m[j][j]) {
				return false
			}
		}
	}
	return true
}

func goodInverse(x float64) bool { return x == 0 || x >= minInverse && x <= maxInverse }

// goodJoint tells whether a joint's rows can be solved with.
func goodJoint(j *rigid.Joint) bool {
	if j.N < 0 || j.N > len(j.Rows) {
		return false
	}
	for _, row := range j.Rows[:j.N] {
		for _, v := range row {
			if !(math.Abs(v) <= maxRow) {
				return false
			}
		}
	}
	return true
}
