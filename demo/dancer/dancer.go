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

// The pool, m. The figure stands in its middle and reaches 1.1 m about its axis, with a crate a little more.
var domain = r3.Box{Min: r3.Vec{X: -1.3, Y: 0, Z: -1.3}, Max: r3.Vec{X: 1.3, Y: 3, Z: 1.3}}

const (
	level   = 1.25 // of the pool, m
	wallTop = 1.4  // m
	band    = 4    // finest cells deep is the grid finest at surfaces: the figure is some cells thick, and the pool below needs no more

	// bottom is how high the liquid that refills the figure stands over the floor, m.
	bottom = .3

	// The crate floats in the water of the palm, which is a dish of 12 cm: it must not reach through. With so much drag it goes where that water goes.
	crateEdge    = .22 // m
	crateDensity = 100 // kg/m³
	crateDrop    = .04 // over the palm, m
	crateSkin    = 400
)

// dancer is the liquid, the figure that it follows, and the crate, without any picture.
type dancer struct {
	play.Base
	crate  physics.Body
	def    fluid.ControlDef
	figure fluid.ControlID
	held   bool                // the liquid follows the figure
	told   fluid.ControlReport // of the last step in which it did
	breaks float64             // when the figure is broken, s after the beginning; 0: only by the key
	load   r3.Vec              // on the crate, N
}

// newDancer makes the pool, still, with the figure below its surface. alpha is the strength, 0 to 1; refill, litres/s, is what the pool may give the
// figure, attract, 0 to 1, how far the picture is drawn to it.
func newDancer(def fluid.Def, alpha, refill, attract float64) (*dancer, error) {
	clip, err := dance()
	if err != nil {
		return nil, err
	}
	def.Domain, def.Numerics.Band = domain, band
	d := new(dancer)
	d.def = fluid.ControlDef{
		Clip: encore{clip, shapes.Risen}, Strength: alpha, Refill: control.Refill{Rate: refill, From: fluid.Below(bottom)},
		Attraction: control.Attraction{Strength: attract}, Pose: control.Pose{Position: r3.Vec{Y: level}},
	}
	return d, d.Begin(def, d.fill, d.buildBodies, d.rise)
}

func (d *dancer) fill() error { return d.Liquid().Fill(fluid.Below(level)) }

// buildBodies has the pool keep the crate, which floats in a corner at first.
func (d *dancer) buildBodies() error {
	if _, err := d.World().AddRoom(physics.RoomDef{Inside: domain}); err != nil {
		return err
	}
	var err error
	d.crate, err = d.World().AddBody(physics.BodyDef{
		Kind: physics.Dynamic, Name: "crate", Position: r3.Vec{X: 1, Y: level, Z: 1}, LinearDamping: .02, AngularDamping: .15,
		LiquidDrag: physics.Drag{Skin: crateSkin},
	})
	if err != nil {
		return err
	}
	if _, err = d.crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(crateEdge, crateEdge, crateEdge)), Density: crateDensity, Material: physics.Material{Restitution: .1}}); err != nil {
		return err
	}
	d.Liquid().Couple(d.World().Coupling())
	return nil
}

// rise has the liquid follow the figure from its beginning, below the surface.
func (d *dancer) rise() error {
	if d.held {
		return nil
	}
	var err error
	if d.figure, err = d.Liquid().AddControl(d.def); err == nil {
		d.held, d.told = true, fluid.ControlReport{}
	}
	return err
}

// breakOff lets the figure's liquid go.
func (d *dancer) breakOff() error {
	if !d.held {
		return nil
	}
	d.held, d.told = false, fluid.ControlReport{}
	return d.Liquid().RemoveControl(d.figure)
}

// toggle breaks the figure, or has it rise again.
func (d *dancer) toggle() error {
	if d.held {
		return d.breakOff()
	}
	return d.rise()
}

// alphas are the strengths that a key goes through.
var alphas = []float64{1, .7, .3}

// loosen goes on to the next strength of alphas, from the last one to the first.
func (d *dancer) loosen() error {
	d.def.Strength = play.Turned(alphas, d.def.Strength)
	if !d.held {
		return nil
	}
	return d.Liquid().SetControl(d.figure, d.def)
}

// clock is the time of the figure's clip, s.
func (d *dancer) clock() float64 {
	return d.def.Clip.(encore).within(d.told.Time)
}

// palm is the place on the figure's hand that a crate stands on, in the world.
func (d *dancer) palm() shapes.Frame {
	p := figure().Palm(d.clock())
	p.Position.Y += level
	return p
}

// Cue puts the crate on the hand when that is held out, and breaks the figure when that is due; call it before each step.
func (d *dancer) Cue() error {
	if due(d.Time, d.breaks) && d.breaks > 0 {
		return d.breakOff()
	}
	if d.held && due(d.clock(), shapes.Offered) {
		return d.give()
	}
	return nil
}

// due tells whether a time, s, was passed within the last step.
func due(now, at float64) bool { return now >= at && now-play.Timestep < at }

// give puts the crate on the hand, as fast as that is.
func (d *dancer) give() error {
	p := d.palm()
	if err := d.crate.SetPose(r3.Add(p.Position, r3.Vec{Y: crateEdge/2 + crateDrop}), p.Rotation); err != nil {
		return err
	}
	if err := d.crate.SetAngularVelocity(r3.Vec{}); err != nil {
		return err
	}
	return d.crate.SetVelocity(p.Velocity)
}

// Stepped takes a step's report.
func (d *dancer) Stepped(r *fluid.Report) {
	if len(r.Controls) > 0 {
		d.told = r.Controls[0]
	}
}

// Advanced books a step that was taken.
func (d *dancer) Advanced() {
	d.Base.Advanced()
	d.load = d.Liquid().BodyLoad(d.crate.Index()).Force
}

// Subject is what a chasing camera follows: the crate.
func (d *dancer) Subject() r3.Vec { return d.crate.Position() }

// Bodies reports the crate as it is.
func (d *dancer) Bodies() []report.Body {
	return []report.Body{d.Describe(d.crate, crateDensity/d.Liquid().Def().Physics.Density)}
}

// Readings are those of the figure, and what the liquid bears of the crate.
func (d *dancer) Readings() []report.Reading {
	return []report.Reading{
		{Name: "α", Value: d.told.Strength, Unit: "of 1"},
		{Name: "wanted", Value: d.told.WantedL, Unit: "l"},
		{Name: "held", Value: d.told.HeldL, Unit: "l"},
		{Name: "error", Value: 1000 * d.told.Error, Unit: "mm"},
		{Name: "crate", Value: d.load.Y, Unit: "N"},
	}
}
