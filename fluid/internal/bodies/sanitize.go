package bodies

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A rigid-body engine may return numbers that no solve can use: of a body that blew up, one shot
// across the map by a level editor, an inertia that was never set, an invalid distance (see shapes.Fault). Such a body is set aside until
// its numbers are valid again, and named once in a warning. With an invalid pose or distance it is left out; with an invalid motion or mass it stands
// still. A body that is only too fast is slowed down for the liquid.
const (
	maxCentre   = 1e8  // m
	maxBounds   = 1e10 // m; half-spaces reach to 1e9
	maxVelocity = 1e6  // m/s, rad/s
	// Inverse masses and inertias are 0 or within these, 1/kg and 1/(kg·m²).
	minInverse, maxInverse = 1e-30, 1e30
	// maxLightness is the greatest weight of the liquid that a body can displace, relative to the body's, and the greatest inertia of a layer of that
	// liquid as thick as the thinnest wall, relative to the body's. It is that of a balloon with the density of 1e-4 kg/m³ in water. No solve
	// resolves lighter bodies.
	maxLightness = 1e7
	maxRow       = 1e12 // of a joint
	maxForce     = 1e15 // N, of a contact
	maxFriction  = 1e6
)

// Sanitizer finds invalid bodies, sets them aside and warns of them.
type Sanitizer struct {
	c      *Coupling
	guards []bodyGuard // per body
}

// badPlace returns what is invalid in the pose and bounds of a body, or "".
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

// badMotion returns what is invalid in the motion and mass of body i, which has been read, or "".
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

// tooLight reports whether body i exceeds maxLightness.
func (san *Sanitizer) tooLight(i int) bool {
	c := san.c
	r, solid := &c.Rigid[i], &c.Solids[i]
	if r.InverseMass == 0 && r.InverseInertia == [3][3]float64{} {
		return false
	}
	size := r3.Sub(solid.Bounds.Max, solid.Bounds.Min)
	volume := size.X * size.Y * size.Z
	wall := solid.Thickness
	if wall > 0 { // the bounds of a sheet or a frame at an angle are mostly empty
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

// badPlaceOf returns what is invalid in the current pose and bounds of body i, or "".
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

// SetAsideUntil is the end of the warning of an obstacle or a body that is set aside.
const SetAsideUntil = "it is set aside until its numbers are good"

// warnAside warns once that body i is set aside, and why.
func (san *Sanitizer) warnAside(i int, why string) {
	if s := &san.c.state[i]; s.warned != why {
		s.warned = why
		san.c.Warn("Bodies", fmt.Sprintf("%s: %s; %s", san.c.Called(i), why, SetAsideUntil))
	}
}

// sanitize stops body i if it is invalid or left out, and limits its speed for the solve.
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

// standStill makes body i stand still for the liquid, which exerts nothing on it.
func (c *Coupling) standStill(i int) {
	s := &c.state[i]
	s.ok, s.contact, s.before = false, [6]float64{}, [6]float64{}
	c.Rigid[i], c.Moved[i] = rigid.Body{}, [6]float64{}
}

// CheckVelocities returns an error that wraps notFinite and names the body or obstacle if a velocity is not finite.
func (c *Coupling) CheckVelocities(notFinite error) error {
	for i := range c.Rigid {
		for _, v := range c.Rigid[i].V {
			switch {
			case geom.Finite(v):
			case i < c.Known():
				return fmt.Errorf("%w of %s", notFinite, c.Called(i))
			default:
				return fmt.Errorf("%w of an obstacle", notFinite)
			}
		}
	}
	return nil
}

// AppendActing appends the bodies that may be the cause of a failed substep, as candidates to leave out: those that move or, if lost is set, only
// those without a finite velocity.
func (c *Coupling) AppendActing(dst []remedies.Choice, lost bool) []remedies.Choice {
	for i := range c.state {
		if s := &c.state[i]; s.ok && s.kind != engine.Static && (!lost || !goodTwist(&c.Rigid[i].V)) {
			dst = append(dst, remedies.Choice{Kind: remedies.Bodies, One: true, ID: int64(s.id)})
		}
	}
	return dst
}

// stillThere reports whether body i is still the one that the step began with: an engine may remove bodies within the step,
// and another engine may be coupled before the next.
func (c *Coupling) stillThere(i int) bool {
	return i < len(c.state) && i < c.Count() && c.Bodies.ID(i) == c.state[i].id
}

// limitTwist limits a twist so that neither the centre nor points reach, m, away from it are faster than a speed, m/s. It reports whether it changed the twist.
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

// goodMass reports whether the inverse mass is finite and not negative, and the inverse inertia
// symmetric with non-negative principal minors up to order two.
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

// goodJoint reports whether the number of a joint's rows and their values are valid.
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
