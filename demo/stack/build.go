package main

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// look is what a body is made of, to the eye.
type look int

const (
	wood look = iota
	dark
	steel
	card
	ivory
	stone
)

// paint is how a body looks.
type paint struct {
	look look
	tile float64 // edge of the picture on it, m
}

// builder fills a world and keeps the first error.
type builder struct {
	world  *physics.World
	paints map[physics.Body]paint // only looked up
	err    error
}

func newBuilder(def physics.WorldDef) *builder {
	return &builder{world: physics.NewWorld(def), paints: map[physics.Body]paint{}}
}

// add makes a body of one shape.
func (b *builder) add(p paint, body physics.BodyDef, shape physics.ShapeDef) physics.Body {
	handle, err := b.world.AddBody(body)
	if err == nil {
		_, err = handle.AddShape(shape)
	}
	if b.err == nil {
		b.err = err
	}
	b.paints[handle] = p
	return handle
}

// floor is the ground at y = 0.
func (b *builder) floor() {
	b.add(paint{}, physics.BodyDef{Name: "floor"}, physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1})})
}

// box adds a box with edges in m, of a density in kg/m³.
func (b *builder) box(l look, at, edges r3.Vec, density float64, turned quat.Number) physics.Body {
	return b.add(paint{l, edges.X}, physics.BodyDef{Kind: physics.Dynamic, Position: at, Rotation: turned},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(edges.X, edges.Y, edges.Z)), Density: density})
}

// join makes a joint.
func (b *builder) join(def physics.JointDef) physics.Joint {
	j, err := b.world.AddJoint(def)
	if b.err == nil {
		b.err = err
	}
	return j
}

func cube(edge float64) r3.Vec { return r3.Vec{X: edge, Y: edge, Z: edge} }

// turn is a rotation about an axis by an angle, rad.
func turn(axis r3.Vec, angle float64) quat.Number {
	sin, cos := math.Sincos(angle / 2)
	axis = r3.Scale(sin, r3.Unit(axis))
	return quat.Number{Real: cos, Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}
}
