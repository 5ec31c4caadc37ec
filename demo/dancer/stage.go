package main

import (
	"image/color"

	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// dress builds what the pool looks like. It needs the window's OpenGL context.
func dress(d *dancer, o scene.LiquidOptions) *stage.Stage {
	s := stage.New(d.Liquid(), o)
	s.Water.SetLook(look)
	s.Walls(domain, wallTop)
	pine := stage.Painted(picture.Crate(stage.TextureSize, color.RGBA{214, 168, 104, 255}, 41), .12, 12)
	s.Follow(d.crate, graphic.NewMesh(geometry.NewCube(crateEdge), pine))
	s.Dress(decor.Theatre(domain, wallTop))
	return s
}

// look is that of the water: clear water would hardly be seen before the curtain.
var look = scene.Look{Tint: math32.Color{R: .06, G: .42, B: .62}, Turbidity: 1.6, Scatter: math32.Color{R: .07, G: .36, B: .50}}
