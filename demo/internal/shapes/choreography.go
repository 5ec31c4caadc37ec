package shapes

import (
	"math"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"
)

// Times of the choreography, s. The figure rests at Risen and at End in the same pose, so that what lies between can be
// repeated. From Offered to Withdrawn its hand is open at full width and moves gently enough for a crate to ride on it.
const (
	Risen     = 2.5
	Offered   = 8.6
	Withdrawn = 12
	End       = 13.5
)

// Heights of the figure's feet above the pool's surface, m.
const (
	Deepest  = -1.12 // at first, when all of the figure is below the surface
	Standing = -.36  // from Risen on, with the hem of the skirt in the pool
)

const degree = math.Pi / 180

// key is a pose at a time.
type key struct {
	time float64
	pose pose
}

// arm is how an arm is held, in degrees from the rest pose.
type arm struct {
	raise   float64 // upwards
	forward float64
	bend    float64 // of the elbow, forwards
	fold    float64 // of the elbow, upwards
}

// hold sets the joints of an arm; side is 1 for the left one and -1 for the right one.
func (p *pose) hold(side float64, a arm) {
	upper := LeftUpperArm
	if side < 0 {
		upper = RightUpperArm
	}
	p.angles[upper] = r3.Vec{Y: -side * a.forward * degree, Z: side * a.raise * degree}
	p.angles[upper+1] = r3.Vec{Y: -side * a.bend * degree, Z: side * a.fold * degree}
}

// bow leans the trunk forwards, turns it to the left and bends it to the right, by degrees in all.
func (p *pose) bow(lean, turn, bend float64) {
	whole := r3.Vec{X: lean * degree, Y: turn * degree, Z: bend * degree}
	p.angles[Pelvis], p.angles[Spine], p.angles[Chest] = r3.Scale(.2, whole), r3.Scale(.4, whole), r3.Scale(.4, whole)
	// The legs stay where they are.
	for _, leg := range [...]Bone{LeftThigh, RightThigh} {
		p.angles[leg] = r3.Scale(-.2, whole)
	}
}

// look turns the head and the neck: down, to the left, and bent to the right, by degrees in all.
func (p *pose) look(down, left, bend float64) {
	p.angles[Neck] = r3.Scale(.5*degree, r3.Vec{X: down, Y: left, Z: bend})
	p.angles[Head] = p.angles[Neck]
}

// standing is the pose that the others are made from, turned by degrees.
func standing(turn float64) pose {
	p := pose{height: Standing, stretch: 1, palm: .75, turn: turn * degree}
	p.hold(1, arm{raise: -6, forward: 8, bend: 16})
	p.hold(-1, arm{raise: -6, forward: 8, bend: 16})
	return p
}

// rise brings the figure out of the pool, drawn up from a squashed pose so that a shallow pool hides it.
func rise() []key {
	low := standing(0)
	low.height, low.stretch = Deepest, .6
	low.hold(1, arm{raise: -12, forward: 20, bend: 30})
	low.hold(-1, arm{raise: -12, forward: 20, bend: 30})
	low.look(30, 0, 0)
	return []key{{0, low}, {Risen, standing(0)}}
}

// dance is from Risen to End.
func dance() []key {
	gather := standing(-12)
	gather.bow(10, -12, 0)
	gather.look(16, -8, 0)
	gather.hold(1, arm{raise: 2, forward: 46, bend: 36})
	gather.hold(-1, arm{raise: 0, forward: 32, bend: 26})
	gather.swirl, gather.front = -5*degree, -3*degree

	throw := standing(50)
	throw.bow(-8, 6, 0)
	throw.look(-16, 6, 0)
	throw.hold(1, arm{raise: 46, forward: -6})
	throw.hold(-1, arm{raise: 42, forward: -6})
	throw.palm, throw.flare, throw.swirl = .8, 1*degree, 6*degree
	throw.left, throw.front = 4*degree, 4*degree

	spin := standing(165)
	spin.bow(0, 4, 6)
	spin.look(-6, 10, 6)
	spin.hold(1, arm{raise: 64, forward: 12, bend: 14, fold: 26})
	spin.hold(-1, arm{raise: 14, forward: 14, bend: 18})
	spin.palm, spin.flare, spin.swirl = .85, 2*degree, -8*degree
	spin.left, spin.front = -5*degree, -2*degree

	offer := standing(305)
	offer.bow(0, 6, -4)
	offer.look(6, -22, 0)
	offer.hold(1, arm{raise: 40, forward: -14, bend: 8, fold: 14})
	offer.hold(-1, arm{raise: 24, forward: 34, bend: 12})
	offer.palm, offer.flare, offer.left = 1, .5*degree, 4*degree

	lift := offer
	lift.turn = 360 * degree
	lift.hold(1, arm{raise: 30, forward: -20, bend: 10})
	lift.hold(-1, arm{raise: 44, forward: 38, bend: 12})
	lift.look(-10, -24, 0)
	lift.flare, lift.left = 0, -2*degree

	reverence := standing(360)
	reverence.bow(44, 8, 0)
	reverence.look(26, -8, 0)
	reverence.hold(1, arm{raise: 20, forward: -34, bend: 6})
	reverence.hold(-1, arm{raise: 34, forward: 24, bend: 10})
	reverence.palm, reverence.height = 1, Standing-.05

	return []key{
		{Risen, standing(0)}, {3.7, gather}, {5.2, throw}, {6.9, spin}, {Offered, offer}, {9.9, lift},
		{11.3, reverence}, {11.7, reverence}, {End, standing(360)},
	}
}

// track is one number of the pose over time: continuous up to its second derivative, at rest at both ends.
type track struct {
	spline   interp.ClampedCubic
	constant float64
	varies   bool
}

// act is a part of the choreography.
type act struct {
	tracks [channels]track
}

// newAct joins keys by clamped cubic splines.
func newAct(keys []key) *act {
	a := new(act)
	times, values := make([]float64, len(keys)), make([]float64, len(keys))
	for c := range a.tracks {
		t := &a.tracks[c]
		for i := range keys {
			times[i], values[i] = keys[i].time, *keys[i].pose.channel(c)
			t.varies = t.varies || values[i] != values[0]
		}
		t.constant = values[0]
		if err := t.spline.Fit(times, values); err != nil {
			panic("shapes: choreography: " + err.Error()) // the keys are above, and their times rise
		}
	}
	return a
}

// at reads the pose, and how it changes, at a time within the act.
func (a *act) at(t float64, p, rate *pose) {
	for c := range a.tracks {
		track := &a.tracks[c]
		*p.channel(c), *rate.channel(c) = track.constant, 0
		if track.varies {
			*p.channel(c), *rate.channel(c) = track.spline.Predict(t), track.spline.PredictDerivative(t)
		}
	}
}
