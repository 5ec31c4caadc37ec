package main

import (
	"cmp"
	"image/color"

	"github.com/g3n/engine/geometry"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// glassTop is how high the panes stand, m. The domain is higher, so that a splash stays in it.
const glassTop = 1.1

// dress builds what tank and hemisphere look like. It needs the window's OpenGL context.
func dress(f *flood, o scene.LiquidOptions) *stage.Stage {
	o.Look = cmp.Or(o.Look, stage.Bright)
	s := stage.New(f.Liquid(), o)
	s.Glass(scenes.Obstacle.Domain, glassTop)
	stone := stage.Painted(picture.Stone(stage.TextureSize, color.RGBA{196, 120, 84, 255}, 5), .2, 20)
	s.Mesh(geometry.NewSphere(scenes.HemisphereRadius, 64, 32), stone, scenes.Hemisphere)
	s.Park()
	return s
}
