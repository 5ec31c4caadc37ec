package main

import (
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// dress builds what the basin looks like. It needs the window's OpenGL context.
func dress(p *spray, o scene.LiquidOptions) *stage.Stage {
	s := stage.NewBasin(p.Liquid(), o, stage.Bright, scenes.Spray.Domain, wallTop)
	brass := stage.Plain(math32.Color{R: .72, G: .55, B: .26}, .8, 50)
	brass.SetSide(material.SideDouble)
	for _, pipe := range scenes.Pipes {
		to := pipe.Mouth()
		end := r3.Sub(to, r3.Scale(.35, pipe.Direction()))
		s.Tube(brass, scenes.PipeRadius+.012, to, end)
		s.Pipe(brass, scenes.PipeRadius+.012, end, r3.Vec{X: end.X, Y: -.06, Z: end.Z})
	}
	s.Park()
	return s
}
