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
	// Query says which shapes a hand can meet; the zero value: all. Walls that are not drawn, such as a room's, are better
	// left out by their category: a hand from outside reaches through them then.
	Query physics.Query

	held     physics.Body
	finger   physics.Body // kinematic, without shapes: where the ray has the body's point
	distance float64      // from the ray's start, m
}

// How a hand pulls, whatever the mass: as fast as feels direct, without swinging.
var grip = physics.Spring{Frequency: 3, Damping: 1}

// Grab takes hold of the first body on a ray, where the ray meets it, and reports whether that
// is a dynamic one. Solids around the ray's start don't count, such as a wall that the camera
// looks through. dir is a unit vector.
func (h *Grabber) Grab(world *physics.World, from, dir r3.Vec) bool {
	h.Release()
	body, distance, ok := meet(world, from, dir, h.Query)
	if !ok || body.Kind() != physics.Dynamic {
		return false
	}
	at := r3.Add(from, r3.Scale(distance, dir))
	finger, err := world.CreateBody(physics.BodyDef{Kind: physics.Kinematic, Position: at, Name: "hand"})
	if err != nil {
		return false
	}
	if _, err = world.CreateJoint(physics.JointDef{Kind: physics.BallJoint, A: finger, B: body, Anchor: at, Soft: grip}); err != nil {
		_ = finger.Destroy() // it is there: it was made just now
		return false
	}
	h.held, h.finger, h.distance = body, finger, distance
	return true
}

// Move pulls the body to another ray, as far along it as it was grabbed, within the next dt
// seconds. The error is that of physics.Body.SetTargetPose; without a body it does nothing.
func (h *Grabber) Move(from, dir r3.Vec, dt float64) error {
	if !h.Holding() {
		return nil
	}
	return h.finger.SetTargetPose(r3.Add(from, r3.Scale(h.distance, dir)), quat.Number{Real: 1}, dt)
}

// Holding reports whether the hand holds a body that still exists.
func (h *Grabber) Holding() bool { return h.held.Valid() && h.finger.Valid() }

// Held is the body in the hand; the zero Body if there is none.
func (h *Grabber) Held() physics.Body { return h.held }

// Release lets go.
func (h *Grabber) Release() {
	if h.finger.Valid() {
		_ = h.finger.Destroy() // its joint goes with it
	}
	*h = Grabber{Query: h.Query}
}

// reach is how far a hand looks for bodies, m.
const reach = 1000.0

// meet finds the first body on a ray that does not start in it.
func meet(world *physics.World, from, dir r3.Vec, q physics.Query) (body physics.Body, distance float64, ok bool) {
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
