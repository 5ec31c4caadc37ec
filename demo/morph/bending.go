package main

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/physics"
)

// What is shown.
const (
	bend = "bend" // a shape is pulled out of the pool, deformed and thrown back
	hit  = "hit"  // a ball hits a shape that is held
	bars = "bars" // two ways from one bar to another, without liquid
)

// The ball, thrown at the middle of the shape.
const (
	ballRadius  = .17  // m
	ballDensity = 900  // kg/m³
	ballSpeed   = 9.   // m/s
	ballFrom    = 1.75 // m, from the shape's middle,
	ballLow     = .25  // and below it
	hitAt       = 1.15 // s
	mostBalls   = 8
)

// refillRate is the most that the shape takes from the pool for what it loses, litres/s.
const refillRate = 600

// bending is the pool, the shape that a part of it follows, and the balls, without any picture.
type bending struct {
	play.Base
	act    string
	def    fluid.ControlDef
	id     fluid.ControlID
	held   bool // the control acts
	told   fluid.ControlReport
	thrown bool // the programme's ball
	balls  []physics.Body
	onBall func(b physics.Body) // told of each ball
}

// newBending fills the pool and has the liquid follow what the act shows of a shape, as tightly as strength says.
func newBending(def fluid.Def, act string, clip control.Source, strength float64) (*bending, error) {
	def.Domain = domain
	b := &bending{act: act}
	b.def = fluid.ControlDef{Clip: clip, Strength: strength, Refill: control.Refill{Rate: refillRate, From: fluid.Below(level / 2)}}
	if act == hit {
		b.def.Arrival = control.Appear
	}
	return b, b.Begin(def, b.fill)
}

func (b *bending) fill() error {
	if _, err := b.World().AddRoom(physics.RoomDef{Inside: domain, Open: physics.RoomSides{MaxY: true}}); err != nil {
		return err
	}
	b.Liquid().Couple(b.World().Coupling())
	if err := b.Liquid().Fill(fluid.Below(level)); err != nil {
		return err
	}
	return b.hold()
}

// Cue lets the liquid go at the clip's end, and throws the ball when it is time.
func (b *bending) Cue() error {
	// In the step that reaches the end the surface comes to a stop.
	if end := b.def.Clip.Duration(); b.held && end > 0 && b.told.Time >= end-1.5*play.Timestep {
		return b.letGo()
	}
	if b.act == hit && !b.thrown && b.Time >= hitAt {
		b.thrown = true
		return b.throwBall()
	}
	return nil
}

// hold has the liquid follow the clip from its beginning.
func (b *bending) hold() (err error) {
	b.told = fluid.ControlReport{Strength: b.def.Strength}
	b.id, err = b.Liquid().AddControl(b.def)
	b.held = err == nil
	return err
}

// letGo leaves the liquid to itself.
func (b *bending) letGo() error {
	b.held = false
	return b.Liquid().RemoveControl(b.id)
}

// breakOrRise lets the liquid go, or has it rise again.
func (b *bending) breakOrRise() error {
	if b.held {
		return b.letGo()
	}
	return b.hold()
}

// dial are the strengths that a key goes through.
var dial = []float64{1, .5, .25, .2, .1}

// nextStrength turns the dial on.
func (b *bending) nextStrength() error {
	b.def.Strength = play.Turned(dial, b.def.Strength)
	if !b.held {
		return nil
	}
	return b.Liquid().SetControl(b.id, b.def)
}

// throwBall throws a ball at where the shape's middle is.
func (b *bending) throwBall() error {
	if len(b.balls) == mostBalls {
		return nil
	}
	at := r3.Add(b.middle(), r3.Vec{X: ballFrom, Y: -ballLow})
	ball, err := b.World().AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: "ball", Position: at, Velocity: r3.Vec{X: -ballSpeed, Y: .9}})
	if err == nil {
		_, err = ball.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, ballRadius), Density: ballDensity, Material: physics.Material{Restitution: .3}})
	}
	if err != nil {
		return err
	}
	b.balls = append(b.balls, ball)
	if b.onBall != nil {
		b.onBall(ball)
	}
	return nil
}

// middle is that of the shape's box.
func (b *bending) middle() r3.Vec {
	var m control.Mesh
	b.def.Clip.At(b.told.Time, &m)
	return shapes.Mesh{Positions: m.Positions}.Bounds().Center()
}

// Stepped keeps what the control has done.
func (b *bending) Stepped(r *fluid.Report) {
	for _, c := range r.Controls {
		if b.held && c.ID == int64(b.id) {
			b.told = c
		}
	}
}

// Subject is what a chasing camera follows: the shape, or where it has been let go.
func (b *bending) Subject() r3.Vec { return b.middle() }

// Bodies reports the balls as they are.
func (b *bending) Bodies() []report.Body {
	var out []report.Body
	for _, ball := range b.balls {
		out = append(out, b.Describe(ball, ballDensity/b.Liquid().Def().Physics.Density))
	}
	return out
}

// Readings are the control's.
func (b *bending) Readings() []report.Reading {
	if !b.held {
		return []report.Reading{{Name: "α, let go", Value: 0, Unit: "%"}}
	}
	return []report.Reading{
		{Name: "α", Value: 100 * b.def.Strength, Unit: "%"},
		{Name: "wanted", Value: b.told.WantedL, Unit: "l"},
		{Name: "held", Value: b.told.HeldL, Unit: "l"},
		{Name: "error", Value: 1000 * b.told.Error, Unit: "mm"},
	}
}
