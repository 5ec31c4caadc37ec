package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
)

// wallTop is that of the basin's walls, m.
const wallTop = .6

// spray is two jets that meet, without any picture.
type spray struct {
	play.Base
	jets    [2]fluid.EmitterID
	shut    bool
	skin    surfaces.Topology
	tears   int     // holes that were there, summed over the counts
	counts  int     // of the surface
	missing float64 // litres that the ledger lacks
}

// newSpray fills the basin's bottom and opens the pipes.
func newSpray(def fluid.Def) (*spray, error) {
	def.Domain = scenes.Spray.Domain
	p := new(spray)
	return p, p.Begin(def, p.open)
}

func (p *spray) open() (err error) {
	p.jets, err = scenes.OpenPipes(p.Liquid())
	return err
}

// toggle shuts or opens the pipes.
func (p *spray) toggle() error {
	p.shut = !p.shut
	turn := p.Liquid().StartEmitter
	if p.shut {
		turn = p.Liquid().StopEmitter
	}
	for _, id := range p.jets {
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
func (p *spray) Subject() r3.Vec { return r3.Vec{Y: scenes.PipeHeight} }

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
