package main

import (
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// newShow makes what the flags ask for, with a strength of the control.
func newShow(def fluid.Def, strength float64) (*bending, error) {
	clip, err := source()
	if err != nil {
		return nil, err
	}
	return newBending(def, asked.show, clip, strength)
}

// source is the clip that the flags ask for. It takes a second or two, once.
var source = sync.OnceValues(func() (*control.Clip, error) {
	m, err := shape(asked.mesh)
	if err != nil {
		return nil, err
	}
	if asked.show == hit {
		return still(m)
	}
	return morph(m)
})

// shape reads a mesh from a file; without one it is the rabbit.
func shape(file string) (shapes.Mesh, error) {
	if file == "" {
		return shapes.Rabbit(tall), nil
	}
	return shapes.Load(file, tall)
}

// still is a shape that stands above the pool.
func still(m shapes.Mesh) (*control.Clip, error) {
	at := m.Deformed(shapes.Turn(turned), shapes.Translate(r3.Vec{Y: foot}))
	return control.NewClip(at.Triangles, []control.Frame{{Positions: at.Positions}})
}
