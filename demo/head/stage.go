package main

import (
	"image/color"

	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

// wallTop is how high the basin's walls stand, m.
const wallTop = .6

// look is that of water whose form is seen.
var look = scene.Look{Tint: math32.Color{R: .05, G: .36, B: .58}, Turbidity: 6, Scatter: math32.Color{R: .07, G: .32, B: .5}, Ripples: -1}

// dress builds what the head and its basin look like. It needs the window's OpenGL context.
func dress(h *head, o scene.LiquidOptions) *stage.Stage {
	var s *stage.Stage
	if h.act == smile {
		s = stage.New(h.Liquid(), o)
		s.Water.SetLook(look)
	} else {
		s = stage.NewBasin(h.Liquid(), o, look, domain, wallTop)
		s.Park()
	}
	iron := stage.Painted(picture.Ball(stage.TextureSize, 2, color.RGBA{70, 72, 78, 255}, color.RGBA{92, 94, 100, 255}), .6, 60)
	h.onBall = func(b physics.Body) { s.Follow(b, graphic.NewMesh(geometry.NewSphere(ballRadius, 48, 24), iron)) }
	if h.thrown {
		h.onBall(h.ball)
	}
	return s
}
