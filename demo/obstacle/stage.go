package main

import (
	"image/color"

	"github.com/g3n/engine/geometry"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// wallTop is how high the basin's walls stand, m. The domain is higher, so that a splash stays in it.
const wallTop = 1.1

// dress builds what basin and hemisphere look like. It needs the window's OpenGL context.
func dress(f *flood, o scene.LiquidOptions) *stage.Stage {
	s := stage.NewBasin(f.Liquid(), o, stage.Bright, scenes.Obstacle.Domain, wallTop)
	stone := stage.Painted(picture.Stone(stage.TextureSize, color.RGBA{196, 120, 84, 255}, 5), .2, 20)
	s.Mesh(geometry.NewSphere(scenes.HemisphereRadius, 64, 32), stone, scenes.Hemisphere)
	s.Park()
	return s
}
