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
	liquid        *fluid.Liquid
	world         *physics.World
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
	liq, err := fluid.New(def)
	if err != nil {
		return nil, err
	}
	p := &pump{liquid: liq, world: physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})}
	if err := p.build(); err != nil {
		liq.Close()
		return nil, err
	}
	return p, nil
}

func (p *pump) build() (err error) {
	if p.piston, err = newPiston(p.world); err != nil {
		return err
	}
	if p.inlet, err = newValve(p.world, "inlet", -bore, -meterAt); err != nil {
		return err
	}
	if p.outlet, err = newValve(p.world, "outlet", outside, meterAt); err != nil {
		return err
	}
	p.liquid.Couple(p.world)
	if err = fill(p.liquid); err != nil {
		return err
	}
	p.back, err = newPipe(p.liquid)
	return err
}

// Liquid is the pump's.
func (p *pump) Liquid() *fluid.Liquid { return p.liquid }

// World has piston and flaps.
func (p *pump) World() *physics.World { return p.world }

// Close ends the liquid.
func (p *pump) Close() { p.liquid.Close() }

// Cue moves the piston on; call it before each step.
func (p *pump) Cue() error {
	at := p.phase
	if !p.resting {
		at += play.Timestep
	}
	if err := p.piston.SetTargetPose(pistonAt(at), quat.Number{Real: 1}, play.Timestep); err != nil {
		return err
	}
	return p.back.attend(p.liquid)
}

// Advanced books a step that was taken.
func (p *pump) Advanced() {
	p.inlet.measure(p.liquid)
	p.outlet.measure(p.liquid)
	p.back.measure(p.liquid)
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
func (p *pump) togglePipe() error { return p.back.turn(p.liquid, !p.back.open) }

// Subject is what a chasing camera follows: the piston.
func (p *pump) Subject() r3.Vec { return r3.Vec{Y: face(p.phase)} }

// Bodies has the flaps at the end of a run.
func (p *pump) Bodies() []report.Body {
	var out []report.Body
	for _, v := range []*valve{p.inlet, p.outlet} {
		at := v.flap.Position()
		out = append(out, report.Body{
			Name: v.flap.Name(), DensityRatio: flapDensity / p.liquid.Def().Density, Position: [3]float64{at.X, at.Y, at.Z},
			SubmergedFraction: p.liquid.BodyLoad(v.flap.Index()).Fraction, Speed: r3.Norm(v.flap.Velocity()),
		})
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
