package raytrace

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Scene is what there is to see. Lengths are in m, +y is up.
type Scene struct {
	Meshes []Mesh
	Solids []Solid
	Liquid *Liquid // nil: none
	Sky    Sky
}

// Material is how the surface of a thing looks.
type Material struct {
	Colour Colour // share of light that is thrown back to all sides
	// Texture, if not nil, takes Colour's place. It is called from several goroutines.
	Texture func(p *Point) Colour
	// Gloss, 0 to 1, is how much there is of a clear coat, which mirrors 4 % of what falls on it straight on, and more at a slant.
	Gloss float64
	// Metal is what a metal mirrors straight on. Not zero: nothing is thrown back to all sides.
	Metal Colour
	// Rough is the mean slope of what is too small to see and blurs the mirror, 0 to 1.
	Rough    float64
	Emission Colour
	// Cutaway lets the camera see through a mesh from behind. Light doesn't pass.
	Cutaway bool
}

// Point is a place on a surface, as textures are asked for it.
type Point struct {
	Position r3.Vec // in the world
	Normal   r3.Vec // in the world, unit, outwards
	Local    r3.Vec // in the thing's own axes
	// U and V are a mesh's own; across each face of a box, around and up a ball and a cylinder they go from 0 to 1, V upwards.
	U, V float64
}

// Place is where a thing stands. The zero Rotation is none.
type Place struct {
	Position r3.Vec
	Rotation quat.Number
}

// Mesh is triangles, counter-clockwise seen from outside.
type Mesh struct {
	Place
	Positions []r3.Vec
	Normals   []r3.Vec // unit, one for each position; nil: flat triangles
	UVs       [][2]float64
	Triangles [][3]int32
	Material  *Material
}

// Solid is a box, ball or cylinder. Make one with NewBox, NewBall or NewCylinder.
type Solid struct {
	Place
	Material *Material
	kind     solidKind
	half     r3.Vec // of a box; else X is the radius and Y how far the axis reaches from the middle
}

// NewBox is a box with its middle at a place.
func NewBox(size r3.Vec, at Place, m *Material) Solid {
	return Solid{at, m, boxSolid, r3.Scale(.5, size)}
}

// NewBall is a ball about a place.
func NewBall(radius float64, at Place, m *Material) Solid {
	return Solid{at, m, sphereSolid, r3.Vec{X: radius}}
}

// NewCylinder is a cylinder about the y axis.
func NewCylinder(radius, height float64, at Place, m *Material) Solid {
	return Solid{at, m, cylinderSolid, r3.Vec{X: radius, Y: height / 2}}
}

// AxisBox is a box along the axes.
func AxisBox(b r3.Box, m *Material) Solid { return NewBox(b.Size(), Place{Position: b.Center()}, m) }

func (p *Place) validate() error {
	if !finite(p.Position) || quat.IsNaN(p.Rotation) || quat.IsInf(p.Rotation) {
		return errors.New("Place: must be finite")
	}
	return nil
}

// turn is the rotation of a place.
func (p *Place) turn() r3.Rotation {
	if p.Rotation == (quat.Number{}) {
		return r3.Rotation{Real: 1}
	}
	return r3.Rotation(p.Rotation)
}

// validate tells which field is wrong and what it may be, or nil.
func (s *Scene) validate() error {
	for i := range s.Meshes {
		if err := s.Meshes[i].validate(); err != nil {
			return fmt.Errorf("raytrace: Scene.Meshes[%d].%w", i, err)
		}
	}
	for i := range s.Solids {
		if err := s.Solids[i].validate(); err != nil {
			return fmt.Errorf("raytrace: Scene.Solids[%d].%w", i, err)
		}
	}
	if s.Liquid != nil {
		if err := s.Liquid.validate(); err != nil {
			return fmt.Errorf("raytrace: Scene.Liquid.%w", err)
		}
	}
	return s.Sky.validate()
}

func (m *Mesh) validate() error {
	n := len(m.Positions)
	switch {
	case m.Material == nil:
		return errors.New("Material: must not be nil")
	case m.Normals != nil && len(m.Normals) != n:
		return fmt.Errorf("Normals: %d; must be none or one for each of %d positions", len(m.Normals), n)
	case m.UVs != nil && len(m.UVs) != n:
		return fmt.Errorf("UVs: %d; must be none or one for each of %d positions", len(m.UVs), n)
	}
	for i, p := range m.Positions {
		if !finite(p) {
			return fmt.Errorf("Positions[%d]: must be finite", i)
		}
	}
	for i, t := range m.Triangles {
		if min(t[0], t[1], t[2]) < 0 || int(max(t[0], t[1], t[2])) >= n {
			return fmt.Errorf("Triangles[%d]: %v; must be below the %d positions", i, t, n)
		}
	}
	return m.Place.validate()
}

func (s *Solid) validate() error {
	switch {
	case s.Material == nil:
		return errors.New("Material: must not be nil")
	case !finite(s.half) || !(s.half.X > 0) || s.kind == boxSolid && !(min(s.half.Y, s.half.Z) > 0) || s.half.Y < 0:
		return errors.New("size: must be finite and more than 0")
	}
	return s.Place.validate()
}
