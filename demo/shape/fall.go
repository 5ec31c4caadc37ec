package main

import (
	"errors"
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/falling"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
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
)

// usual is the mesh that falls where no flag says another, if it is there; else the rabbit falls.
const usual = "../shared/data/spot.obj"

// source is the usual mesh, the rabbit, or the mesh of a file.
var source = falling.Source{Load: load, Over: over, Room: domain, Level: level}

// over is a mesh over the pool.
func over(mesh shapes.Mesh) (*fluid.Mesh, error) {
	mesh = mesh.Deformed(shapes.Turn(turned), shapes.Translate(r3.Vec{Y: foot}))
	return fluid.NewMesh(mesh.Positions, mesh.Triangles, fluid.MeshOptions{})
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
