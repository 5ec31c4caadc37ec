package shapes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Deformation says where a place of space goes, m.
type Deformation func(p r3.Vec) r3.Vec

// Deformed is the mesh after some deformations, the first one first. It shares the triangles with m, so that both can
// be keys of one morph.
func (m Mesh) Deformed(by ...Deformation) Mesh {
	positions := make([]r3.Vec, len(m.Positions))
	for i, p := range m.Positions {
		for _, deform := range by {
			p = deform(p)
		}
		positions[i] = p
	}
	return Mesh{positions, m.Triangles}
}

// Translate moves everything.
func Translate(by r3.Vec) Deformation {
	return func(p r3.Vec) r3.Vec { return r3.Add(p, by) }
}

// Turn turns about the vertical through the origin, from +z towards +x.
func Turn(angle float64) Deformation {
	sin, cos := math.Sincos(angle)
	return func(p r3.Vec) r3.Vec { return r3.Vec{X: cos*p.X + sin*p.Z, Y: p.Y, Z: cos*p.Z - sin*p.X} }
}

// Twist turns about the vertical through the origin by an angle that grows from 0 at the height foot to angle at the
// height top, m, and is constant beyond both. It keeps volumes. Twist panics unless top is above foot.
func Twist(angle, foot, top float64) Deformation {
	if !(top > foot) {
		panic(fmt.Sprintf("shapes: Twist: top: %g m; must be above foot (%g m)", top, foot))
	}
	return func(p r3.Vec) r3.Vec {
		return Turn(angle * max(0, min(1, (p.Y-foot)/(top-foot))))(p)
	}
}

// Stretch makes everything longer by a factor along the vertical from y = 0, and narrower about it. It keeps volumes.
// Stretch panics unless the factor is more than 0.
func Stretch(factor float64) Deformation {
	if !(factor > 0) {
		panic(fmt.Sprintf("shapes: Stretch: factor: %g; must be more than 0", factor))
	}
	wide := 1 / math.Sqrt(factor)
	return func(p r3.Vec) r3.Vec { return r3.Vec{X: wide * p.X, Y: factor * p.Y, Z: wide * p.Z} }
}

// Squash is Stretch the other way: factor times as low.
func Squash(factor float64) Deformation { return Stretch(1 / factor) }

// Bend bends what lies along x around the origin upwards into an arc: length m of it take the angle, rad. Above the
// middle it shrinks as much as it grows below, so that what is as thick above as below keeps its volume.
// Bend panics if the angle is 0.
func Bend(angle, length float64) Deformation {
	if angle == 0 {
		panic("shapes: Bend: angle: 0; must be another")
	}
	radius := length / angle
	return func(p r3.Vec) r3.Vec {
		sin, cos := math.Sincos(p.X / radius)
		return r3.Vec{X: (radius - p.Y) * sin, Y: radius - (radius-p.Y)*cos, Z: p.Z}
	}
}
