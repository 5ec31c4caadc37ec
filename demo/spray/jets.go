package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
)

// The basin, m. The domain is higher than its walls, so that the spray stays in it.
var domain = r3.Box{Min: r3.Vec{X: -1.2, Y: 0, Z: -1.4}, Max: r3.Vec{X: 1.2, Y: 2.6, Z: 1.4}}

// Two jets meet in the middle and become a sheet, which grows thinner outwards: at r from the middle it is jet²/r thick.
const (
	level   = .25 // of the basin, m
	wallTop = .6  // m
	jet     = .1  // radius of a pipe, m
	speed   = 4.  // m/s
	mouth   = .85 // of a pipe, from the middle, m
	height  = 1.2 // of the mouths, m
	steep   = 12 * math.Pi / 180
	inner   = .2 // of a pipe is filled by its emitter, m
)

// spray is two jets that meet, without any picture.
type spray struct {
	play.Base
	pipes   [2]fluid.EmitterID
	shut    bool
	skin    surfaces.Topology
	tears   int     // holes that were there, summed over the counts
	counts  int     // of the surface
	missing float64 // litres that the ledger lacks
}

// direction is that of a pipe: from -x or from +x, a little upwards.
func direction(side float64) r3.Vec {
	return r3.Vec{X: -side * math.Cos(steep), Y: math.Sin(steep)}
}

// mouthOf is the middle of a pipe's mouth, m.
func mouthOf(side float64) r3.Vec { return r3.Vec{X: side * mouth, Y: height} }

// newSpray fills the basin's bottom and opens the pipes.
func newSpray(def fluid.Def) (*spray, error) {
	def.Domain = domain
	p := new(spray)
	return p, p.Begin(def, p.open)
}

func (p *spray) open() error {
	if err := p.Liquid().Fill(fluid.Below(level)); err != nil {
		return err
	}
	for i, side := range [2]float64{-1, 1} {
		to, along := mouthOf(side), direction(side)
		def := fluid.EmitterDef{
			Shape:    fluid.Cylinder(r3.Sub(to, r3.Scale(inner, along)), to, jet),
			Velocity: r3.Scale(speed, along), Rate: 1e3 * math.Pi * jet * jet * speed,
		}
		id, err := p.Liquid().AddEmitter(def)
		if err != nil {
			return err
		}
		p.pipes[i] = id
	}
	return nil
}

// toggle shuts or opens the pipes.
func (p *spray) toggle() error {
	p.shut = !p.shut
	turn := p.Liquid().StartEmitter
	if p.shut {
		turn = p.Liquid().StopEmitter
	}
	for _, id := range p.pipes {
		if err := turn(id); err != nil {
			return err
		}
	}
	return nil
}

// countEvery is after how many steps the surface is counted.
const countEvery = 6

// Advanced books a step that was taken, and counts the surface when that is due.
func (p *spray) Advanced() {
	if int(math.Round(p.Time/play.Timestep))%countEvery == 0 {
		p.skin = surfaces.TopologyOf(p.Liquid().Surface())
		p.tears += p.skin.Holes
		p.counts++
	}
	p.Base.Advanced()
	p.missing = -p.Liquid().Ledger().DriftL
}

// Subject is what a chasing camera follows: where the jets meet.
func (p *spray) Subject() r3.Vec { return r3.Vec{Y: height} }

// Readings are the litres that went out, and that are missing, and how the surface hangs together: a hole is one through the sheet, or a loop of liquid.
func (p *spray) Readings() []report.Reading {
	return []report.Reading{
		{Name: "emitted", Value: p.Liquid().Ledger().EmittedL, Unit: "l"},
		{Name: "missing", Value: p.missing, Unit: "l"},
		{Name: "pieces", Value: float64(p.skin.Pieces)},
		{Name: "holes", Value: float64(p.skin.Holes)},
		{Name: "holes, mean", Value: float64(p.tears) / float64(max(1, p.counts)), Unit: "a count"},
	}
}
