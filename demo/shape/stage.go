package main

import (
	"github.com/meniscus3d/meniscus/demo/internal/falling"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// dress builds what the pool looks like. It needs the window's OpenGL context.
func dress(f *falling.Fall, o scene.LiquidOptions) *stage.Stage {
	s := stage.NewBasin(f.Liquid(), o, stage.Bright, domain, wallTop)
	s.Park()
	return s
}
