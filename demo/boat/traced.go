package main

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/demo/internal/site"
)

// tracedFreeboard is how high the basin of a garden stands over its water, m.
const tracedFreeboard = .26

// trace builds what the harbour looks like for ray tracing. It needs no OpenGL.
func trace(b *boat, garden bool, eye r3.Vec) *site.Site {
	s := site.New(b.Liquid().Surface(), site.Water, garden)
	if garden {
		s.Basin(b.domain, b.level+tracedFreeboard, site.Walls{})
	} else {
		s.Ground(-.06)
		s.Dress(b.surroundings(), eye)
	}
	blue := site.Paint(color.RGBA{62, 86, 108, 255}, .5)
	board := r3.Vec{X: paddleThick, Y: b.level + paddleTop, Z: b.domain.Size().Z - .02}
	at := site.At(b.paddle.body)
	at.Position.Y += intoFloor / 2
	s.Add(raytrace.NewBox(board, at, blue))
	traceVessel(s, b.vessel, blue)
	for _, c := range b.crates {
		wood := site.Wood(color.RGBA{226, 186, 128, 255}, 40)
		if c.ratio > 1 {
			wood = site.Wood(color.RGBA{112, 66, 44, 255}, 42)
		}
		s.Add(raytrace.NewBox(raytrace.Grey(crateEdge), site.At(c.body), wood))
	}
	return s
}

// traceVessel is the vessel's shapes, and what is only there for the eye.
func traceVessel(s *site.Site, v *vessel, blue *raytrace.Material) {
	hull, cabin := site.Boards(color.RGBA{150, 60, 44, 255}, 3), site.Paint(color.RGBA{243, 241, 231, 255}, .3)
	for shape := range v.hull.Shapes() {
		if shape.Def().UserData == cabinPart {
			s.Shape(shape, cabin)
		} else {
			s.Shape(shape, hull)
		}
	}
	s.Body(v.rudder, blue)
	traceTrim(s, v, blue)
}

// traceTrim is what is only there for the eye.
func traceTrim(s *site.Site, v *vessel, roof *raytrace.Material) {
	yellow, glass, black := site.Paint(color.RGBA{249, 221, 112, 255}, .5), site.Paint(color.RGBA{60, 76, 84, 255}, 1), site.Paint(color.RGBA{40, 40, 43, 255}, .5)
	turn := r3.Rotation(v.hull.Rotation())
	at := func(x, y, z float64) raytrace.Place {
		return raytrace.Place{Position: r3.Add(v.hull.Position(), turn.Rotate(r3.Vec{X: x, Y: y, Z: z})), Rotation: v.hull.Rotation()}
	}
	box := func(m *raytrace.Material, size r3.Vec, x, y, z float64) { s.Add(raytrace.NewBox(size, at(x, y, z), m)) }
	const rail = .03
	y := depth/2 - .03 // of a rubbing band about the gunwale, to the stem
	box(yellow, r3.Vec{X: .03, Y: rail, Z: beam + .04}, -length/2-.005, y, 0)
	for _, way := range []float64{-1, 1} {
		box(yellow, r3.Vec{X: length + .02, Y: rail, Z: .03}, -.01, y, way*(beam/2+.005))
		a, b := r3.Vec{X: length / 2, Z: way * (beam/2 + .005)}, r3.Vec{X: length/2 + prowLength + .01}
		d := r3.Sub(b, a)
		place := at((a.X+b.X)/2, y, a.Z/2)
		place.Rotation = quat.Mul(place.Rotation, quat.Number(r3.NewRotation(math.Atan2(-d.Z, d.X), r3.Vec{Y: 1})))
		s.Add(raytrace.NewBox(r3.Vec{X: r3.Norm(d), Y: rail, Z: .03}, place, yellow))
	}
	c, half := cabinAt, r3.Scale(.5, cabinSize)
	box(roof, r3.Vec{X: cabinSize.X + .08, Y: .03, Z: cabinSize.Z + .08}, c.X, c.Y+half.Y+.015, 0)
	window := c.Y + half.Y - .13
	for _, way := range []float64{-1, 1} {
		box(glass, r3.Vec{X: .2, Y: .12, Z: .01}, c.X, window, way*half.Z)
		box(glass, r3.Vec{X: .01, Y: .12, Z: .14}, c.X+half.X, window, way*.11)
	}
	s.Add(raytrace.NewCylinder(.014, lanternAt.Y-c.Y-half.Y, at(lanternAt.X, (lanternAt.Y+c.Y+half.Y)/2, lanternAt.Z), site.Brass),
		raytrace.NewBall(.045, at(lanternAt.X, lanternAt.Y, lanternAt.Z), site.Paint(color.RGBA{242, 237, 224, 255}, .8)))
	s.Add(raytrace.NewCylinder(.05, .22, at(c.X-.06, c.Y+half.Y+.14, -.08), black), raytrace.NewCylinder(.053, .05, at(c.X-.06, c.Y+half.Y+.17, -.08), yellow),
		raytrace.NewCylinder(.02, .12, at(length/2+.12, depth/2+sheer+.05, 0), site.Brass)) // a bollard
}
