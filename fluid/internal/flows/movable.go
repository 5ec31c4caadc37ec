package flows

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Movable is the shape of an emitter or a sink, rotated about its own origin and then translated.
type Movable struct {
	Shape  shapes.SDF
	moved  r3.Vec             // m
	turned quat.Number        // of length 1, or zero for none
	placed shapes.Transformed // the shape, rotated and translated
}

// SetShape sets the shape, with no rotation or translation.
func (m *Movable) SetShape(s shapes.SDF) { m.Shape, m.moved, m.turned = s, r3.Vec{}, quat.Number{} }

// Move turns the shape as its definition has it by a rotation, unless that is zero, and moves it by a translation, m. It tells whether it so leaves
// the domain. A translation that is not finite or too long and a rotation that is not finite are errors.
func (m *Movable) Move(translation r3.Vec, rotation quat.Number, domain r3.Box) (left bool, err error) {
	turned, err := normalised(rotation)
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

// place updates placed.
func (m *Movable) place() {
	turned := m.turned
	if turned == (quat.Number{}) {
		turned.Real = 1
	}
	m.placed = shapes.Place(m.Shape, turned, m.moved)
}

// unmoved reports whether the shape is neither rotated nor translated.
func (m *Movable) unmoved() bool { return m.moved == (r3.Vec{}) && m.turned == (quat.Number{}) }

// rotated returns a direction of the definition, rotated with the shape.
func (m *Movable) rotated(v r3.Vec) r3.Vec {
	if m.turned == (quat.Number{}) {
		return v
	}
	return m.placed.Turn(v)
}

// warnOfFault warns if the shape has returned invalid numbers, and clears that.
func (m *Movable) warnOfFault(warn func(knob, text string), knob, kind string, id int64) {
	if f := shapes.FaultOf(m.Shape); f != nil {
		warn(knob, fmt.Sprintf("%s %d: %s; nothing is there", kind, id, f.Text()))
		f.Reset()
	}
}

// Opening returns the shape in its current pose.
func (m *Movable) Opening() shapes.SDF {
	if m.unmoved() {
		return m.Shape
	}
	return &m.placed
}
