package flows

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Movable is the shape of an emitter or a sink, which may be turned about its own origin and moved from where its definition has it.
type Movable struct {
	Shape  shapes.SDF
	moved  r3.Vec             // m
	turned quat.Number        // of length 1, or zero: not at all
	placed shapes.Transformed // the shape, turned and moved
}

// Put sets a shape, where its definition has it.
func (m *Movable) Put(s shapes.SDF) { m.Shape, m.moved, m.turned = s, r3.Vec{}, quat.Number{} }

// Move turns the shape as its definition has it by a rotation, if there is one, and moves it by a translation, m. It tells whether it so leaves the
// domain. A translation that is not finite or too long, a rotation that is not finite, and more than one are errors.
func (m *Movable) Move(translation r3.Vec, rotation []quat.Number, domain r3.Box) (left bool, err error) {
	turned, err := oneRotation(rotation)
	if err == nil {
		err = checkTranslation(translation)
	}
	if err != nil {
		return false, err
	}
	out := boxes.Apart(m.Opening().Bounds(), domain)
	m.moved, m.turned = translation, turned
	m.place()
	return !out && boxes.Apart(m.Opening().Bounds(), domain), nil
}

// place puts the shape to where moved and turned say.
func (m *Movable) place() {
	turned := m.turned
	if turned == (quat.Number{}) {
		turned.Real = 1
	}
	m.placed = shapes.Place(m.Shape, turned, m.moved)
}

// stays tells whether the shape is where its definition has it.
func (m *Movable) stays() bool { return m.moved == (r3.Vec{}) && m.turned == (quat.Number{}) }

// along is a direction of the shape's definition as the shape is turned.
func (m *Movable) along(v r3.Vec) r3.Vec {
	if m.turned == (quat.Number{}) {
		return v
	}
	return m.placed.Turn(v)
}

// nameFault has what is wrong with the shape, if something is, be named and forgotten: it goes on where it is sane.
func (m *Movable) nameFault(warn func(knob, text string), knob, kind string, id int64) {
	if f := shapes.FaultOf(m.Shape); f != nil {
		warn(knob, fmt.Sprintf("%s %d: %s; nothing is there", kind, id, f.Text()))
		f.Forget()
	}
}

// Opening is the shape where it is now.
func (m *Movable) Opening() shapes.SDF {
	if m.stays() {
		return m.Shape
	}
	return &m.placed
}
