package main

import (
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// wallTop is how high the pool's walls stand, m.
const wallTop = .8

// dress builds what the pool looks like. It needs the window's OpenGL context.
func dress(f *fall, o scene.LiquidOptions) *stage.Stage {
	s := stage.NewBasin(f.Liquid(), o, stage.Bright, scenes.Angel.Domain, wallTop)
	s.Park()
	return s
}
