package pool

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// A hand, scene.Grabber, drags bodies with the mouse: it makes a kinematic body, the finger, where it grabs one, joins it
// to that one, moves it, and destroys it. The pool sees it do so before each step.

// fingerName is what a finger is called.
const fingerName = "hand"

// What a hand does, as Do reads it, with a point in metres.
const (
	grabs  = "grab" // body, x y z, frequency and damping of the joint
	pulls  = "pull" // x y z, s
	letsGo = "let go"
)

// watchHand tells what a hand has done since it was watched last.
func (p *Pool) watchHand() {
	if p.OnInput == nil {
		return
	}
	if now := findFinger(p.world); now != p.finger {
		if p.finger != (physics.Body{}) {
			p.OnInput(letsGo)
		}
		p.finger = now
		for j := range now.Joints() {
			d, at := j.Def(), now.Position()
			p.OnInput(fmt.Sprintf("%s %d %v %v %v %v %v", grabs, d.B.Index(), at.X, at.Y, at.Z, d.Soft.Frequency, d.Soft.Damping))
		}
	}
	if to, _, dt := p.finger.Target(); dt > 0 && !math.IsInf(dt, 1) {
		p.OnInput(fmt.Sprintf("%s %v %v %v %v", pulls, to.X, to.Y, to.Z, dt))
	}
}

// findFinger is the finger in a world, the zero Body if there is none. Hands come last.
func findFinger(w *physics.World) physics.Body {
	for i := w.Len() - 1; i >= 0; i-- {
		if b := w.Body(i); b.Kind() == physics.Kinematic && b.Name() == fingerName {
			return b
		}
	}
	return physics.Body{}
}

// doHand does what a hand has done, as watchHand told. It reports whether the input is of a hand.
func (p *Pool) doHand(input string) (ok bool, err error) {
	word, rest, _ := strings.Cut(input, " ")
	var body int
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
			err = p.finger.SetTargetPose(at, quat.Number{Real: 1}, dt)
		}
	case input == letsGo:
		err = p.finger.Destroy()
		p.finger = physics.Body{}
	default:
		return false, nil
	}
	if err != nil {
		err = fmt.Errorf("%q: %w", input, err)
	}
	return true, err
}

// grab makes a finger that holds a body.
func (p *Pool) grab(body int, at r3.Vec, soft physics.Spring) error {
	if body < 0 || body >= p.world.Len() {
		return fmt.Errorf("there are %d bodies", p.world.Len())
	}
	held := p.world.Body(body)
	finger, err := p.world.CreateBody(physics.BodyDef{Kind: physics.Kinematic, Position: at, Name: fingerName})
	if err != nil {
		return err
	}
	p.finger = finger
	_, err = p.world.CreateJoint(physics.JointDef{Kind: physics.BallJoint, A: finger, B: held, Anchor: at, Soft: soft})
	return err
}
