package main

import (
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// look is that of water which is told from the sky behind it.
var look = scene.Look{Tint: math32.Color{R: .1, G: .5, B: .72}, Turbidity: .9}

// dress builds what the pool looks like. It needs the window's OpenGL context.
func dress(f *fall, o scene.LiquidOptions) *stage.Stage {
	s := stage.New(f.Liquid(), o)
	s.Water.SetLook(look)
	s.Basin(domain, wallTop, false)
	s.Ground()
	return s
}
