package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/fluid"
)

// flood is the dam break without any picture.
type flood struct {
	play.Base
	dams    int     // that broke
	front   float64 // of the surface, m
	above   float64 // the highest surface above the hemisphere, m over the floor
	highest float64 // that it was
}

// most is how many dams break: three fill more than four fifths of the basin's walls.
const most = 3

func newFlood(def fluid.Def) (*flood, error) {
	def.Domain = scenes.Obstacle.Domain
	f := &flood{dams: 1, front: scenes.Dammed.Max.X}
	return f, f.Begin(def, func() error { return scenes.Obstacle.Build(f.Liquid()) })
}

// another fills what is behind the dam, once more.
func (f *flood) another() error {
	if f.dams == most {
		return nil
	}
	f.dams++
	return f.Liquid().Fill(fluid.Box(scenes.Dammed))
}

// Advanced books a step that was taken, and looks how far the liquid has come and how high it stands above the hemisphere.
func (f *flood) Advanced() {
	f.front, f.above = 0, 0
	middle := scenes.Hemisphere
	for p := f.Liquid().Surface().Positions; len(p) > 0; p = p[3:] {
		x, y, z := float64(p[0]), float64(p[1]), float64(p[2])
		f.front = max(f.front, x)
		if math.Hypot(x-middle.X, z-middle.Z) < scenes.HemisphereRadius {
			f.above = max(f.above, y)
		}
	}
	f.highest = max(f.highest, f.above)
	f.Base.Advanced()
}

// Subject is what a chasing camera follows: the flood's front.
func (f *flood) Subject() r3.Vec {
	return r3.Vec{X: f.front, Y: .3, Z: scenes.Obstacle.Domain.Center().Z}
}

// Readings are how far the front has come from the dam, how far above the hemisphere the liquid stands and stood, and the litres.
func (f *flood) Readings() []report.Reading {
	l := f.Liquid().Ledger()
	return []report.Reading{
		{Name: "front", Value: f.front - scenes.Dammed.Max.X, Unit: "m"},
		{Name: "run-up", Value: max(0, f.above-scenes.HemisphereRadius), Unit: "m"},
		{Name: "highest", Value: max(0, f.highest-scenes.HemisphereRadius), Unit: "m"},
		{Name: "all", Value: l.HeldL, Unit: "l"},
		{Name: "missing", Value: -l.DriftL, Unit: "l"},
	}
}
