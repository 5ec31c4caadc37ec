package main

import (
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// look is that of water which is told from the sky behind it.
var look = scene.Look{Tint: math32.Color{R: .02, G: .3, B: .55}, Turbidity: .9, Ripples: -1}

// dress builds what the drops look like, in nothing but daylight. It needs the window's OpenGL context.
func dress(d *drops, o scene.LiquidOptions) *stage.Stage {
	s := stage.New(d.Liquid(), o)
	s.Water.SetLook(look)
	return s
}
