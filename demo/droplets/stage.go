package main

import (
	"image/color"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// look is that of water which is told from the sky behind it.
var look = scene.Look{Tint: math32.Color{R: .02, G: .3, B: .55}, Turbidity: .9, Ripples: -1}

// dress builds what the drops look like, in nothing but daylight, or with what there is besides. It needs the window's OpenGL context.
func dress(d *drops, o scene.LiquidOptions) *stage.Stage {
	s := stage.New(d.Liquid(), o)
	s.Water.SetLook(look)
	switch d.show {
	case galley:
		dressSpoon(d, s)
	case balloon:
		dressFloor(s)
	case train:
		dressFloor(s)
		dressBalls(d, s)
	}
	return s
}

// dressSpoon is the spoon, a ball on a handle, of steel.
func dressSpoon(d *drops, s *stage.Stage) {
	const handle = .9 // m
	steel := stage.Plain(math32.Color{R: .62, G: .63, B: .66}, .8, 60)
	spoon := core.NewNode()
	spoon.Add(graphic.NewMesh(geometry.NewSphere(bowl, 64, 32), steel))
	rod := graphic.NewMesh(geometry.NewCylinder(.025, handle, 24, 1, true, true), steel)
	rod.SetPosition(0, bowl+handle/2-.02, 0)
	spoon.Add(rod)
	s.Follow(d.spoon, spoon)
}

// dressFloor is a slab whose top is the domain's floor.
func dressFloor(s *stage.Stage) {
	slab := domain
	slab.Max.Y = domain.Min.Y
	slab.Min.Y -= .08
	s.Box(slab, stage.Painted(picture.Stone(stage.TextureSize, color.RGBA{196, 188, 176, 255}, 5), .1, 12))
}

// dressBalls is the ball that is fixed, the one that is not, and the tap.
func dressBalls(d *drops, s *stage.Stage) {
	stone := stage.Painted(picture.Stone(stage.TextureSize, color.RGBA{196, 120, 84, 255}, 5), .2, 20)
	s.Mesh(geometry.NewSphere(fixed, 64, 32), stone, fixedAt)
	s.Follow(d.ball, graphic.NewMesh(geometry.NewSphere(toy, 48, 24), stage.Plain(math32.Color{R: .85, G: .62, B: .1}, .5, 40)))
	top := r3.Add(tapAt, r3.Vec{Y: dropRadius})
	s.Tube(stage.Plain(math32.Color{R: .5, G: .38, B: .2}, .7, 50), .06, top, r3.Add(top, r3.Vec{Y: .5}))
}
