package main

import (
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/speaker"
	"github.com/meniscus3d/meniscus/demo/internal/synth"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/sounds"
	"github.com/meniscus3d/meniscus/physics"
)

// The tank, m: a dam of water at its left end.
var (
	domain = r3.Box{Max: r3.Vec{X: 2.4, Y: 1.5, Z: 1}}
	dammed = r3.Box{Max: r3.Vec{X: .6, Y: .9, Z: 1}}
)

// The tap is at the right, m; the ball falls in at the left.
var (
	mouth = r3.Vec{X: 1.8, Y: 1.15, Z: .5}
	above = r3.Vec{X: .6, Y: 1.3, Z: .5}
)

const (
	wallTop    = 1.1 // m
	pipe       = .06 // radius, m
	flow       = 1.5 // m/s
	ballRadius = .1  // m
	ballWeight = 700 // kg/m³

	// When the tap opens and shuts, and the ball falls, s.
	opens, shuts, falls = 2.5, 5., 6.
)

// tank is a liquid that is heard, without any picture.
type tank struct {
	play.Base
	tap     fluid.EmitterID
	open    bool
	ball    physics.Body
	cued    int
	synth   *synth.Synth
	speaker *speaker.Speaker // nil: not heard
	plays   bool             // and is to be, once there is a window
	samples []int16          // of the last step
	power   float64          // of splashes in the last step, W
	bubbles float64          // a second
	loudest float64          // J, of a splash
}

// newTank fills the tank. plays has it be heard.
func newTank(def fluid.Def, plays bool) (*tank, error) {
	def.Domain, def.Sounds = domain, true
	k := &tank{synth: synth.New(), plays: plays}
	return k, k.Begin(def, k.fill, k.build)
}

func (k *tank) fill() error { return k.Liquid().Fill(fluid.Box(dammed)) }

// build makes the tap, which is shut, and the ball, which waits beside the tank.
func (k *tank) build() (err error) {
	const rate = 1e3 * math.Pi * pipe * pipe * flow
	k.tap, err = k.Liquid().AddEmitter(fluid.EmitterDef{
		Shape: fluid.Cylinder(mouth, r3.Add(mouth, r3.Vec{Y: .15}), pipe), Velocity: r3.Vec{Y: -flow}, Rate: rate, Stopped: true,
	})
	if err != nil {
		return err
	}
	if err := k.walls(); err != nil {
		return err
	}
	k.ball, err = k.World().AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: "ball", Position: aside})
	if err == nil {
		_, err = k.ball.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, ballRadius), Density: ballWeight})
	}
	k.Liquid().Couple(k.World().Coupling())
	return err
}

// aside is where the ball waits, m.
var aside = r3.Vec{X: -2.5, Y: ballRadius, Z: .5}

// walls keeps the ball in, and a floor under where it waits.
func (k *tank) walls() error {
	w, err := k.World().AddBody(physics.BodyDef{Kind: physics.Static})
	if err != nil {
		return err
	}
	size, middle := domain.Size(), domain.Center()
	const thick = .5
	for _, wall := range []struct{ at, size r3.Vec }{
		{r3.Vec{X: middle.X, Y: -thick / 2, Z: middle.Z}, r3.Vec{X: size.X + 8, Y: thick, Z: size.Z + 8}},
		{r3.Vec{X: -thick / 2, Y: 1, Z: middle.Z}, r3.Vec{X: thick, Y: 2, Z: size.Z}},
		{r3.Vec{X: size.X + thick/2, Y: 1, Z: middle.Z}, r3.Vec{X: thick, Y: 2, Z: size.Z}},
		{r3.Vec{X: middle.X, Y: 1, Z: -thick / 2}, r3.Vec{X: size.X, Y: 2, Z: thick}},
		{r3.Vec{X: middle.X, Y: 1, Z: size.Z + thick/2}, r3.Vec{X: size.X, Y: 2, Z: thick}},
	} {
		if _, err := w.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(wall.size.X, wall.size.Y, wall.size.Z)), Offset: wall.at}); err != nil {
			return err
		}
	}
	return nil
}

// Cue opens and shuts the tap and drops the ball, each once.
func (k *tank) Cue() error {
	for _, c := range []struct {
		at float64
		do func() error
	}{{opens, k.toggle}, {shuts, k.toggle}, {falls, k.drop}}[k.cued:] {
		if k.Time < c.at {
			break
		}
		k.cued++
		if err := c.do(); err != nil {
			return err
		}
	}
	return nil
}

// toggle opens the tap, or shuts it.
func (k *tank) toggle() error {
	k.open = !k.open
	if k.open {
		return k.Liquid().StartEmitter(k.tap)
	}
	return k.Liquid().StopEmitter(k.tap)
}

// drop lets the ball fall from above.
func (k *tank) drop() error {
	if err := k.ball.SetVelocity(r3.Vec{}); err != nil {
		return err
	}
	return k.ball.SetPose(above, quat.Number{Real: 1})
}

// SeenFrom puts the listener's head where the camera is.
func (k *tank) SeenFrom(p view.Pose) { k.synth.Listen(p.Eye, p.Target) }

// Stepped makes a step's sound, and plays it.
func (k *tank) Stepped(r *fluid.Report) {
	heard := k.Liquid().Events().Sounds
	k.power, k.bubbles = 0, 0
	for i := range heard {
		switch s := &heard[i]; s.Kind {
		case sounds.Splash:
			k.power, k.loudest = k.power+s.Power, max(k.loudest, s.Energy)
		case sounds.Bubbles:
			k.bubbles += s.Rate
		}
	}
	k.samples = k.synth.Step(heard, r.Dt)
	if k.plays {
		k.listen()
	}
	if k.speaker != nil {
		k.speaker.Play(k.samples)
	}
}

// listen opens the speaker once, and says so if there is none.
func (k *tank) listen() {
	k.plays = false
	s, err := speaker.Open(synth.Rate)
	if err != nil {
		fmt.Fprintf(os.Stderr, "sound: %v: nothing is heard; -headless -wav file writes the sound\n", err)
		return
	}
	k.speaker = s
}

// Close ends the sound, and the liquid.
func (k *tank) Close() {
	if k.speaker != nil {
		k.speaker.Close()
	}
	k.Base.Close()
}

// Subject is what a chasing camera follows.
func (k *tank) Subject() r3.Vec { return k.ball.Position() }

// Bodies is the ball.
func (k *tank) Bodies() []report.Body { return []report.Body{k.Describe(k.ball, ballWeight/1e3)} }

// Readings are how strong the splashes are, and how many bubbles they draw in.
func (k *tank) Readings() []report.Reading {
	return []report.Reading{
		{Name: "splashes", Value: k.power, Unit: "W"}, {Name: "strongest", Value: k.loudest, Unit: "J"}, {Name: "bubbles", Value: k.bubbles, Unit: "a second"},
	}
}
