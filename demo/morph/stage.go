package main

import (
	"image/color"

	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

// wallTop is how high the pool's walls stand, m.
const wallTop = 1.3

// dress builds what the pool looks like. It needs the window's OpenGL context.
func dress(b *bending, o scene.LiquidOptions) *stage.Stage {
	s := stage.NewBasin(b.Liquid(), o, stage.Bright, domain, wallTop)
	s.Park()
	red, white := color.RGBA{214, 48, 38, 255}, color.RGBA{244, 242, 234, 255}
	skin := stage.Painted(picture.Ball(stage.TextureSize, 6, red, white, red, white, red, white), .5, 60)
	b.onBall = func(body physics.Body) { s.Follow(body, graphic.NewMesh(geometry.NewSphere(ballRadius, 48, 24), skin)) }
	for _, body := range b.balls {
		b.onBall(body)
	}
	return s
}
