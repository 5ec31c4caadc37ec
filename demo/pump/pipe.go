package main

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// The pipe leads back from the tank to the source when that is low, until it is as full as at the
// start. The liquid knows it as a sink and a tap of the same rate.
const (
	pipeRate   = 60.0 // litres/s
	pipeRadius = 0.12 // m
	sourceLow  = 0.8  // m: the piston's face must stay under the surface
)

var (
	pipeMouth = r3.Vec{X: -1.25, Y: 1.55}
	pipeDrain = r3.Box{Min: r3.Vec{X: 0.9, Y: 0.1, Z: -0.15}, Max: r3.Vec{X: 1.15, Y: 0.3, Z: 0.15}}
)

// pipe is the way back.
type pipe struct {
	tap    fluid.EmitterID
	sink   fluid.SinkID
	open   bool
	level  float64   // of the source, m
	probe  [1]r3.Vec // in the source
	sample [1]fluid.Sample
}

func newPipe(liq *fluid.Liquid) (pipe, error) {
	tap, err := liq.AddEmitter(fluid.EmitterDef{
		Shape:    fluid.Cylinder(pipeMouth, r3.Sub(pipeMouth, r3.Vec{Y: 0.1}), pipeRadius),
		Velocity: r3.Vec{Y: -1.3}, Rate: pipeRate, Stopped: true,
	})
	// Away from the tap's stream.
	return pipe{tap: tap, level: level, probe: [1]r3.Vec{{X: -0.7, Y: 0.4}}}, err
}

// attend opens the pipe when the source is low and shuts it when it is full again.
func (p *pipe) attend(liq *fluid.Liquid) error {
	switch {
	case !p.open && p.level < sourceLow:
		return p.turn(liq, true)
	case p.open && p.level > level:
		return p.turn(liq, false)
	}
	return nil
}

// turn opens or shuts the pipe.
func (p *pipe) turn(liq *fluid.Liquid, open bool) (err error) {
	p.open = open
	if !open {
		if err = liq.StopEmitter(p.tap); err != nil {
			return err
		}
		return liq.RemoveSink(p.sink)
	}
	if p.sink, err = liq.AddSink(fluid.Box(pipeDrain), pipeRate); err != nil {
		return err
	}
	return liq.StartEmitter(p.tap)
}

// measure takes the source's level.
func (p *pipe) measure(liq *fluid.Liquid) {
	liq.Sample(p.sample[:], p.probe[:])
	if s := &p.sample[0]; s.Height > 0 {
		p.level = p.probe[0].Y + s.Height
	}
}
