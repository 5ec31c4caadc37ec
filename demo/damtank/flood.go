package main

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/dam"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
)

// flood is the tank without any picture.
type flood struct {
	play.Base
	dams  int // that broke
	front float64
}

// most is how many dams break: three fill three fifths of the tank.
const most = 3

// newFlood fills what is behind the dam.
func newFlood(def fluid.Def) (*flood, error) {
	def.Domain = dam.Tank
	f := &flood{}
	return f, f.Begin(def, f.another)
}

// another fills what is behind the dam, once more.
func (f *flood) another() error {
	if f.dams == most {
		return nil
	}
	f.dams++
	f.front = dam.Water.Max.Z
	return f.Liquid().Fill(fluid.Box(dam.Water))
}

// Advanced books a step that was taken, and looks how far the liquid has come.
func (f *flood) Advanced() {
	f.front = 0
	for p := f.Liquid().Surface().Positions; len(p) > 0; p = p[3:] {
		f.front = max(f.front, float64(p[2]))
	}
	f.Base.Advanced()
}

// Subject is what a chasing camera follows: the flood's front.
func (f *flood) Subject() r3.Vec { return r3.Vec{X: dam.Tank.Center().X, Y: .3, Z: f.front} }

// Readings are how far the front has come from the dam, and the litres.
func (f *flood) Readings() []report.Reading {
	return []report.Reading{
		{Name: "front", Value: f.front - dam.Water.Max.Z, Unit: "m"},
		{Name: "all", Value: f.Liquid().Ledger().HeldL, Unit: "l"},
	}
}
