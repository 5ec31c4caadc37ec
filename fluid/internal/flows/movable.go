package flows

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Movable is the shape of an emitter or a sink, which may be moved from where its definition has it.
type Movable struct {
	Shape  shapes.SDF
	moved  r3.Vec             // m
	placed shapes.Transformed // the shape, moved
}

// Put sets a shape, where its definition has it.
func (m *Movable) Put(s shapes.SDF) { m.Shape, m.moved = s, r3.Vec{} }

// Move moves the shape to a translation, m, from where its definition has it.
func (m *Movable) Move(translation r3.Vec) {
	m.moved = translation
	m.place()
}

// place puts the shape to where moved says.
func (m *Movable) place() { m.placed = shapes.Place(m.Shape, quat.Number{Real: 1}, m.moved) }

// Opening is the shape where it is now.
func (m *Movable) Opening() shapes.SDF {
	if m.moved == (r3.Vec{}) {
		return m.Shape
	}
	return &m.placed
}
