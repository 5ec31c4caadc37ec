package main

import (
	"image/color"
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// wallTop is how high the channel's walls stand, m.
const wallTop = 1.1

// dress builds what the channel looks like. It needs the window's OpenGL context.
func dress(f *flood, o scene.LiquidOptions) *stage.Stage {
	s := stage.New(f.Liquid(), o)
	s.Water.SetLook(stage.Narrow)
	s.Dress(yard())
	oak := stage.Painted(picture.Crate(stage.TextureSize, color.RGBA{150, 96, 52, 255}, 7), .1, 12)
	pine := stage.Painted(picture.Crate(stage.TextureSize, color.RGBA{214, 168, 104, 255}, 9), .1, 12)
	iron := decor.Iron.Material(false)
	inside := domain.Size().Z - 0.004

	s.Follow(f.gate, graphic.NewMesh(stage.NewBox(r3.Vec{X: gateThick, Y: gateTop - gateFoot, Z: inside}), oak))
	across := r3.Vec{Z: inside/2 + 0.15}
	stage.Span(s.Rod(iron, 0.05), r3.Sub(r3.Vec{Y: gateTop}, across), r3.Add(r3.Vec{Y: gateTop}, across))
	strut := s.Rod(iron, 0.025)
	stage.Span(strut, strutFoot(), strutHead())
	f.onBreak = func() { strut.SetVisible(false) }

	stone := stage.Painted(picture.Stone(stage.TextureSize, color.RGBA{120, 118, 116, 255}, 4), .2, 20)
	ball := graphic.NewMesh(geometry.NewSphere(ballRadius, 48, 24), stone)
	s.Follow(f.ball, ball)
	rope := s.Rod(stage.Plain(math32.Color{R: 0.45, G: 0.36, B: 0.22}, .05, 5), 0.018)
	s.OnFrame = func() {
		at := ball.Position()
		stage.Span(rope, ropeTop, r3.Vec{X: float64(at.X), Y: float64(at.Y), Z: float64(at.Z)})
	}
	s.Follow(f.wheel, wheelNode(pine, iron))
	addGallows(s, iron, pine)
	s.Ground()
	return s
}

// wheelNode is the hub, its paddles and two rims.
func wheelNode(wood, iron material.IMaterial) core.INode {
	wheel := core.NewNode()
	add := func(g geometry.IGeometry, mat material.IMaterial) *graphic.Mesh {
		m := graphic.NewMesh(g, mat)
		wheel.Add(m)
		return m
	}
	add(geometry.NewCylinder(hubRadius, paddleWide+0.01, 32, 1, true, true), iron).SetRotation(math.Pi/2, 0, 0)
	add(geometry.NewCylinder(0.04, domain.Size().Z+0.2, 24, 1, true, true), iron).SetRotation(math.Pi/2, 0, 0)
	for k := range paddles {
		size, at, angle := paddle(k)
		m := add(stage.NewBox(size), wood)
		m.SetPosition(float32(at.X), float32(at.Y), 0)
		m.SetRotation(0, 0, float32(angle))
	}
	for _, z := range []float32{-1, 1} {
		rim := add(geometry.NewTorus(0.8*wheelRadius, 0.018, 12, 48, 2*math.Pi), iron)
		rim.SetPosition(0, 0, z*paddleWide/2)
	}
	return wheel
}

// addGallows holds the rope's end up and the river's pipe in its place.
func addGallows(s *stage.Stage, iron, wood material.IMaterial) {
	const side, reach = 0.1, 0.55
	z := domain.Min.Z - reach
	s.Box(r3.Box{Min: r3.Vec{X: ropeTop.X - side/2, Y: -0.06, Z: z - side}, Max: r3.Vec{X: ropeTop.X + side/2, Y: ropeTop.Y + side, Z: z}}, wood)
	s.Box(r3.Box{Min: r3.Vec{X: ropeTop.X - side/2, Y: ropeTop.Y, Z: z - side}, Max: r3.Vec{X: ropeTop.X + side/2, Y: ropeTop.Y + side, Z: side / 2}}, wood)

	top := riverMouth.Y + 0.1
	s.Pipe(iron, riverRadius+0.02, r3.Vec{X: riverMouth.X, Z: z}, r3.Vec{X: riverMouth.X, Y: top, Z: z}, r3.Vec{X: riverMouth.X, Y: top}, riverMouth)
}
