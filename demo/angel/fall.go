package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
)

// most is how many shapes fall.
const most = 5

// fall is a pool and a shape of liquid that falls into it, without any picture.
type fall struct {
	play.Base
	shape  *fluid.Mesh
	shapes int // that have fallen
	skin   surfaces.Topology
}

func newFall(def fluid.Def, mesh shapes.Mesh) (*fall, error) {
	shape, err := scenes.Falling(mesh)
	if err != nil {
		return nil, err
	}
	def.Domain = scenes.Angel.Domain
	f := &fall{shape: shape, shapes: 1}
	return f, f.Begin(def, func() error { return scenes.DropAngel(f.Liquid(), shape) })
}

// load reads a mesh from an OBJ file, or makes the angel where none is named.
func load(file string) (shapes.Mesh, error) {
	if file == "" {
		return shapes.Angel(scenes.AngelTall), nil
	}
	m, err := shapes.Load(file, scenes.AngelTall)
	if err != nil {
		return m, err
	}
	box, room := m.Bounds(), scenes.Angel.Domain.Size()
	if size := box.Size(); math.Hypot(size.X, size.Z) > min(room.X, room.Z) {
		return m, fmt.Errorf("%s: is %.2f m wide and %.2f m deep where it is %.2f m high, too much for the pool", file, size.X, size.Z, size.Y)
	}
	return m, nil
}

// another fills one more shape.
func (f *fall) another() error {
	if f.shapes == most {
		return nil
	}
	f.shapes++
	if err := f.Liquid().Fill(f.shape); err != nil {
		return err
	}
	return f.Liquid().SetVelocity(fluid.Offset(f.shape, .1), func(r3.Vec) r3.Vec { return r3.Vec{} })
}

// countEvery is after how many steps the surface's pieces are counted.
const countEvery = 12

// Advanced books a step that was taken, and counts the surface's pieces when that is due.
func (f *fall) Advanced() {
	if int(math.Round(f.Time/play.Timestep))%countEvery == 0 {
		f.skin = surfaces.TopologyOf(f.Liquid().Surface())
	}
	f.Base.Advanced()
}

// Subject is what a chasing camera follows: where the shape goes under.
func (f *fall) Subject() r3.Vec { return r3.Vec{Y: scenes.PoolLevel} }

// Readings are the litres, and how the surface hangs together.
func (f *fall) Readings() []report.Reading {
	l := f.Liquid().Ledger()
	return []report.Reading{
		{Name: "shape", Value: 1e3 * f.shape.Volume(), Unit: "l"},
		{Name: "all", Value: l.HeldL, Unit: "l"},
		{Name: "missing", Value: -l.DriftL, Unit: "l"},
		{Name: "pieces", Value: float64(f.skin.Pieces)},
		{Name: "bubbles", Value: float64(f.skin.Bubbles)},
	}
}
