package main

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/fluid"
)

// full is how high the liquid stands in the tank when the streams stop, m.
const full = .6

// pour is two chutes that pour into a tank, without any picture.
type pour struct {
	play.Base
	streams [2]fluid.EmitterID
	shut    bool
	stopped bool // by itself, since the tank is full
}

func newPour(def fluid.Def) (*pour, error) {
	def.Domain = scenes.Chutes.Domain
	p := new(pour)
	return p, p.Begin(def, p.open)
}

func (p *pour) open() (err error) {
	p.streams, err = scenes.OpenChutes(p.Liquid())
	return err
}

// Cue stops the streams once when the tank is full; call it before each step.
func (p *pour) Cue() error {
	if p.stopped || p.level() < full {
		return nil
	}
	p.stopped = true
	if p.shut {
		return nil
	}
	return p.toggle()
}

// toggle stops the streams, or starts them.
func (p *pour) toggle() error {
	p.shut = !p.shut
	turn := p.Liquid().StartEmitter
	if p.shut {
		turn = p.Liquid().StopEmitter
	}
	for _, id := range p.streams {
		if err := turn(id); err != nil {
			return err
		}
	}
	return nil
}

// level is how high the liquid would stand in the tank at rest, m.
func (p *pour) level() float64 {
	size := scenes.Chutes.Domain.Size()
	return 1e-3 * p.Liquid().Ledger().HeldL / (size.X * size.Z)
}

// Subject is what a chasing camera follows: where the streams meet the liquid.
func (p *pour) Subject() r3.Vec { return r3.Vec{Y: p.level()} }

// Readings are the litres that came, and that are there and missing, and the level at rest.
func (p *pour) Readings() []report.Reading {
	l := p.Liquid().Ledger()
	return []report.Reading{
		{Name: "poured", Value: l.EmittedL, Unit: "l"},
		{Name: "held", Value: l.HeldL, Unit: "l"},
		{Name: "missing", Value: -l.DriftL, Unit: "l"},
		{Name: "level", Value: p.level(), Unit: "m"},
	}
}
