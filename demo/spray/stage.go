package main

import (
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// dress builds what the basin looks like. It needs the window's OpenGL context.
func dress(p *spray, o scene.LiquidOptions) *stage.Stage {
	s := stage.NewBasin(p.Liquid(), o, stage.Bright, domain, wallTop)
	brass := stage.Plain(math32.Color{R: .72, G: .55, B: .26}, .8, 50)
	brass.SetSide(material.SideDouble)
	for _, side := range [2]float64{-1, 1} {
		to := mouthOf(side)
		end := r3.Sub(to, r3.Scale(.35, direction(side)))
		s.Tube(brass, jet+.012, to, end)
		s.Pipe(brass, jet+.012, end, r3.Vec{X: end.X, Y: -.06, Z: end.Z})
	}
	s.Park()
	return s
}
