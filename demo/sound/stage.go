package main

import (
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// dress builds what the tank looks like. It needs the window's OpenGL context.
func dress(k *tank, o scene.LiquidOptions) *stage.Stage {
	s := stage.NewBasin(k.Liquid(), o, stage.Bright, domain, wallTop)
	brass := stage.Plain(math32.Color{R: .72, G: .55, B: .26}, .8, 50)
	brass.SetSide(material.SideDouble)
	top := r3.Add(mouth, r3.Vec{Y: .3})
	s.Tube(brass, pipe+.012, mouth, top)
	s.Pipe(brass, pipe+.012, top, r3.Vec{X: top.X, Y: top.Y, Z: -.4})
	s.Follow(k.ball, graphic.NewMesh(geometry.NewSphere(ballRadius, 32, 20), stage.Plain(math32.Color{R: .8, G: .2, B: .15}, .6, 60)))
	s.Park()
	return s
}
