package main

import (
	"errors"
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/demo/internal/surfaces"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// The pool, m. The domain is higher than its walls, so that a splash stays in it.
var domain = r3.Box{Min: r3.Vec{X: -1.2, Y: 0, Z: -1.2}, Max: r3.Vec{X: 1.2, Y: 2.6, Z: 1.2}}

const (
	level   = .5   // of the pool, m
	wallTop = .9   // m
	tall    = 1.1  // of the shape, m
	foot    = 1.05 // of the shape over the floor, m
	turned  = 35 * math.Pi / 180
	most    = 5 // shapes
)

// usual is the mesh that falls where no flag says another, if it is there; else the rabbit falls.
const usual = "../shared/data/spot.obj"

// fall is a pool and a body of liquid that falls into it, without any picture.
type fall struct {
	play.Base
	shape  *fluid.Mesh
	shapes int // that have fallen
	skin   surfaces.Topology
}

// newFall fills the pool, and a shape above it.
func newFall(def fluid.Def, mesh shapes.Mesh) (*fall, error) {
	mesh = mesh.Deformed(shapes.Turn(turned), shapes.Translate(r3.Vec{Y: foot}))
	shape, err := fluid.NewMesh(mesh.Positions, mesh.Triangles, fluid.MeshOptions{})
	if err != nil {
		return nil, err
	}
	def.Domain = domain
	f := &fall{shape: shape}
	return f, f.Begin(def, f.fill, f.another)
}

func (f *fall) fill() error { return f.Liquid().Fill(fluid.Below(level)) }

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

// load reads a mesh from an OBJ file, or the one that falls where none is named, and sets it on y = 0. It may have holes, as long as one can tell its inside.
func load(file string) (shapes.Mesh, error) {
	if file == "" {
		if _, err := os.Stat(usual); errors.Is(err, os.ErrNotExist) {
			return shapes.Rabbit(tall), nil
		}
		file = usual
	}
	positions, triangles, err := adapter.LoadMesh(file)
	if err != nil {
		return shapes.Mesh{}, err
	}
	m := shapes.Mesh{Positions: positions, Triangles: triangles}
	box := m.Bounds()
	size := box.Size()
	if widest := max(size.X, size.Y, size.Z); widest > 0 {
		low := r3.Vec{X: box.Center().X, Y: box.Min.Y, Z: box.Center().Z}
		return m.Deformed(func(p r3.Vec) r3.Vec { return r3.Scale(tall/widest, r3.Sub(p, low)) }), nil
	}
	return m, fmt.Errorf("%s: has no size", file)
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
func (f *fall) Subject() r3.Vec { return r3.Vec{Y: level} }

// Readings are the litres, and how the surface hangs together.
func (f *fall) Readings() []report.Reading {
	return []report.Reading{
		{Name: "shape", Value: 1e3 * f.shape.Volume(), Unit: "l"},
		{Name: "all", Value: f.Liquid().Ledger().HeldL, Unit: "l"},
		{Name: "pieces", Value: float64(f.skin.Pieces)},
		{Name: "bubbles", Value: float64(f.skin.Bubbles)},
	}
}
