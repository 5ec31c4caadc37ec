package main

import (
	"cmp"

	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/falling"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// wallTop is how high the pool's walls stand, m.
const wallTop = .8

// look is that of the water: clear water would hardly be seen before the curtain.
var look = scene.Look{Tint: math32.Color{R: .06, G: .42, B: .62}, Turbidity: 1.6, Scatter: math32.Color{R: .07, G: .36, B: .50}}

// dress builds what the pool looks like. It needs the window's OpenGL context.
func dress(f *falling.Fall, o scene.LiquidOptions) *stage.Stage {
	o.Look = cmp.Or(o.Look, look)
	s := stage.New(f.Liquid(), o)
	s.Walls(scenes.Angel.Domain, wallTop)
	s.Dress(decor.Theatre(scenes.Angel.Domain, wallTop))
	return s
}
