package flows

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
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

// Move moves the shape to a translation, m, from where its definition has it, and tells whether it so leaves the domain. A translation that is not
// finite or too long is an error.
func (m *Movable) Move(translation r3.Vec, domain r3.Box) (left bool, err error) {
	if err := checkTranslation(translation); err != nil {
		return false, err
	}
	out := boxes.Apart(m.Opening().Bounds(), domain)
	m.moved = translation
	m.place()
	return !out && boxes.Apart(m.Opening().Bounds(), domain), nil
}

// place puts the shape to where moved says.
func (m *Movable) place() { m.placed = shapes.Place(m.Shape, quat.Number{Real: 1}, m.moved) }

// nameFault has what is wrong with the shape, if something is, be named and forgotten: it goes on where it is sane.
func (m *Movable) nameFault(warn func(knob, text string), knob, kind string, id int64) {
	if f := shapes.FaultOf(m.Shape); f != nil {
		warn(knob, fmt.Sprintf("%s %d: %s; nothing is there", kind, id, f.Text()))
		f.Forget()
	}
}

// Opening is the shape where it is now.
func (m *Movable) Opening() shapes.SDF {
	if m.moved == (r3.Vec{}) {
		return m.Shape
	}
	return &m.placed
}
