package main

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// pump is the liquid, the piston and the valves, without any picture.
type pump struct {
	play.Base
	piston        physics.Body
	inlet, outlet *valve
	back          pipe
	resting       bool
	phase         float64 // s that the piston has moved
	strokes       int     // done
	last, leaked  float64 // of the last stroke: litres into the tank, and back through the shut valves, the worse one
	total         float64 // litres into the tank
}

// newPump makes the pump with its piston down.
func newPump(def fluid.Def) (*pump, error) {
	def.Domain = domain
	p := new(pump)
	return p, p.Begin(def, p.build)
}

func (p *pump) build() (err error) {
	if p.piston, err = newPiston(p.World()); err != nil {
		return err
	}
	if p.inlet, err = newValve(p.World(), "inlet", -bore, -meterAt); err != nil {
		return err
	}
	if p.outlet, err = newValve(p.World(), "outlet", outside, meterAt); err != nil {
		return err
	}
	p.Liquid().Couple(p.World().Coupling())
	if err = fill(p.Liquid()); err != nil {
		return err
	}
	p.back, err = newPipe(p.Liquid())
	return err
}

// Cue moves the piston on; call it before each step.
func (p *pump) Cue() error {
	at := p.phase
	if !p.resting {
		at += play.Timestep
	}
	if err := p.piston.SetTargetPose(pistonAt(at), quat.Number{Real: 1}, play.Timestep); err != nil {
		return err
	}
	return p.back.attend(p.Liquid())
}

// Advanced books a step that was taken.
func (p *pump) Advanced() {
	p.Base.Advanced()
	p.inlet.measure(p.Liquid())
	p.outlet.measure(p.Liquid())
	p.back.measure(p.Liquid())
	if p.resting {
		return
	}
	p.phase += play.Timestep
	if n := int(p.phase/period + 1e-9); n > p.strokes {
		p.strokes = n
		_, in := p.inlet.restart()
		passed, out := p.outlet.restart()
		p.last, p.leaked = passed, max(in, out)
		p.total += passed
	}
}

// toggleRest stops the piston or lets it go on.
func (p *pump) toggleRest() error {
	p.resting = !p.resting
	return nil
}

// togglePipe opens or shuts the way back by hand.
func (p *pump) togglePipe() error { return p.back.turn(p.Liquid(), !p.back.open) }

// Subject is what a chasing camera follows: the piston.
func (p *pump) Subject() r3.Vec { return r3.Vec{Y: face(p.phase)} }

// Bodies has the flaps at the end of a run.
func (p *pump) Bodies() []report.Body {
	var out []report.Body
	for _, v := range []*valve{p.inlet, p.outlet} {
		out = append(out, p.Describe(v.flap, flapDensity/p.Liquid().Def().Physics.Density))
	}
	return out
}

// Readings are of the last whole stroke.
func (p *pump) Readings() []report.Reading {
	return []report.Reading{
		{Name: "per stroke", Value: p.last, Unit: "L"},
		{Name: "swept", Value: swept(), Unit: "L"},
		{Name: "backflow", Value: p.leaked, Unit: "L"},
		{Name: "pumped", Value: p.total, Unit: "L"},
		{Name: "strokes", Value: float64(p.strokes)},
	}
}
