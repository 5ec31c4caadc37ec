package adapter

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// Grabber drags dynamic bodies with the mouse: Grab on a button's press, Move before each step
// while it is down, Release when it goes up. The zero value is ready to use. Each changes the world:
// with asynchronous steps, Move is for BeforeStep, the others are for BetweenSteps.
type Grabber struct {
	// Query says which shapes a Grabber can meet; the zero value: all. Walls that are not drawn, such as a room's, are better
	// left out by their category: a ray from outside passes through them then.
	Query physics.Query

	held     physics.Body
	anchor   physics.Body // kinematic, without shapes: where the ray has the body's point
	distance float64      // from the ray's start, m
}

// grabSpring pulls the body, for any mass: fast enough to feel direct, without oscillation.
var grabSpring = physics.Spring{Frequency: 3, Damping: 1}

// Grab takes hold of the first body on a ray, where the ray meets it, and reports whether that
// is a dynamic one. Solids around the ray's start don't count, such as a wall that the camera
// looks through. dir is a unit vector.
func (h *Grabber) Grab(world *physics.World, from, dir r3.Vec) bool {
	h.Release()
	body, distance, ok := firstHit(world, from, dir, h.Query)
	if !ok || body.Kind() != physics.Dynamic {
		return false
	}
	at := r3.Add(from, r3.Scale(distance, dir))
	anchor, err := world.AddBody(physics.BodyDef{Kind: physics.Kinematic, Position: at, Name: "hand"})
	if err != nil {
		return false
	}
	if _, err = world.AddJoint(physics.JointDef{Kind: physics.BallJoint, A: anchor, B: body, Anchor: at, Soft: grabSpring}); err != nil {
		_ = anchor.Remove() // it is there: it was made just now
		return false
	}
	h.held, h.anchor, h.distance = body, anchor, distance
	return true
}

// Move pulls the body to another ray, as far along it as it was grabbed, within the next dt
// seconds. The error is that of physics.Body.SetTargetPose; without a body it does nothing.
func (h *Grabber) Move(from, dir r3.Vec, dt float64) error {
	if !h.Holding() {
		return nil
	}
	return h.anchor.SetTargetPose(r3.Add(from, r3.Scale(h.distance, dir)), quat.Number{Real: 1}, dt)
}

// Holding reports whether the Grabber holds a body that still exists.
func (h *Grabber) Holding() bool { return h.held.Valid() && h.anchor.Valid() }

// Held is the body that is held; the zero Body if there is none.
func (h *Grabber) Held() physics.Body { return h.held }

// Release releases the body, if one is held.
func (h *Grabber) Release() {
	if h.anchor.Valid() {
		_ = h.anchor.Remove() // its joint goes with it
	}
	*h = Grabber{Query: h.Query}
}

// reach is the length of Grab's ray, m.
const reach = 1000.0

// firstHit finds the first body on a ray that does not start in it.
func firstHit(world *physics.World, from, dir r3.Vec, q physics.Query) (body physics.Body, distance float64, ok bool) {
	hits, err := world.RayCastAll(nil, from, r3.Scale(reach, dir), q)
	if err != nil {
		return physics.Body{}, 0, false
	}
	for _, h := range hits {
		if h.Fraction > 0 {
			return h.Shape.Body(), reach * h.Fraction, true
		}
	}
	return physics.Body{}, 0, false
}
