package pool

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// A scene.Grabber drags bodies with the mouse. It creates a kinematic body where it grabs one, joins the two, moves the
// kinematic one, and destroys it. The pool looks for that body before each step.

// grabBodyName is the name of a Grabber's kinematic body.
const grabBodyName = "hand"

// What a Grabber does, as Do reads it, with a point in metres.
const (
	grabs  = "grab" // body, x y z, frequency and damping of the joint
	pulls  = "pull" // x y z, s
	letsGo = "let go"
)

// recordGrabs reports, by OnInput, what a Grabber has done since the last call.
func (p *Pool) recordGrabs() {
	if p.OnInput == nil {
		return
	}
	if now := findGrabBody(p.world); now != p.grabBody {
		if p.grabBody != (physics.Body{}) {
			p.OnInput(letsGo)
		}
		p.grabBody = now
		for j := range now.Joints() {
			d, at := j.Def(), now.Position()
			p.OnInput(fmt.Sprintf("%s %d %v %v %v %v %v", grabs, d.B.ID(), at.X, at.Y, at.Z, d.Soft.Frequency, d.Soft.Damping))
		}
	}
	if to, _, dt := p.grabBody.TargetPose(); dt > 0 && !math.IsInf(dt, 1) {
		p.OnInput(fmt.Sprintf("%s %v %v %v %v", pulls, to.X, to.Y, to.Z, dt))
	}
}

// findGrabBody is the Grabber's kinematic body, the zero Body if there is none.
func findGrabBody(w *physics.World) (last physics.Body) {
	for b := range w.Bodies() {
		if b.Kind() == physics.Kinematic && b.Name() == grabBodyName {
			last = b
		}
	}
	return last
}

// applyGrab repeats what recordGrabs reported. ok: the input is a Grabber's.
func (p *Pool) applyGrab(input string) (ok bool, err error) {
	word, rest, _ := strings.Cut(input, " ")
	var body physics.BodyID
	var at r3.Vec
	switch {
	case word == grabs:
		var soft physics.Spring
		if _, err = fmt.Sscan(rest, &body, &at.X, &at.Y, &at.Z, &soft.Frequency, &soft.Damping); err == nil {
			err = p.grab(body, at, soft)
		}
	case word == pulls:
		var dt float64
		if _, err = fmt.Sscan(rest, &at.X, &at.Y, &at.Z, &dt); err == nil {
			err = p.grabBody.SetTargetPose(at, quat.Number{Real: 1}, dt)
		}
	case input == letsGo:
		err = p.grabBody.Remove()
		p.grabBody = physics.Body{}
	default:
		return false, nil
	}
	if err != nil {
		err = fmt.Errorf("%q: %w", input, err)
	}
	return true, err
}

// grab creates a kinematic body that holds a body.
func (p *Pool) grab(body physics.BodyID, at r3.Vec, soft physics.Spring) error {
	held := p.world.Body(body)
	if !held.Valid() {
		return fmt.Errorf("there is no body %d", body)
	}
	finger, err := p.world.AddBody(physics.BodyDef{Kind: physics.Kinematic, Position: at, Name: grabBodyName})
	if err != nil {
		return err
	}
	p.grabBody = finger
	_, err = p.world.AddJoint(physics.JointDef{Kind: physics.BallJoint, A: finger, B: held, Anchor: at, Soft: soft})
	return err
}
