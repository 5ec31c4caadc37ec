package main

import (
	"image/color"
	"math"

	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// dress builds what tank and chutes look like. It needs the window's OpenGL context.
func dress(p *pour, o scene.LiquidOptions) *stage.Stage {
	if o.Look == (scene.Look{}) {
		o.Look = stage.Narrow
	}
	s := stage.New(p.Liquid(), o)
	s.Glass(scenes.Chutes.Domain, scenes.Glass)
	oak := stage.Painted(picture.Crate(stage.TextureSize, color.RGBA{166, 112, 64, 255}, 7), .1, 12)
	iron := decor.Iron.Material(false)
	for _, c := range scenes.Both {
		addChute(s, c, oak)
		addSpring(s, c, oak, iron)
	}
	s.Park()
	return s
}

// addChute adds the boards of a chute.
func addChute(s *stage.Stage, c scenes.Chute, wood material.IMaterial) {
	at, turn := c.Pose()
	for _, b := range c.Boards() {
		m := graphic.NewMesh(stage.NewBox(b.Size()), wood)
		middle := r3.Add(at, r3.Rotation(turn).Rotate(b.Center()))
		m.SetPosition(float32(middle.X), float32(middle.Y), float32(middle.Z))
		m.SetRotationQuat(&math32.Quaternion{X: float32(turn.Imag), Y: float32(turn.Jmag), Z: float32(turn.Kmag), W: float32(turn.Real)})
		s.Root.Add(m)
	}
}

// addSpring adds the trough that a chute's stream comes from, on its legs.
func addSpring(s *stage.Stage, c scenes.Chute, wood, iron material.IMaterial) {
	const (
		near, far  = .81, 1.3 // m, from the middle
		deep, wide = .38, .25 // m; half of its width
		leg        = .02      // m, half of a leg's
	)
	at, _ := c.Pose()
	foot := at.Y + (near-math.Abs(at.X))*math.Tan(scenes.ChuteSlope) - .07
	side := float64(c)
	box := func(x0, x1, y0, y1, z0, z1 float64, mat material.IMaterial) {
		s.Box(r3.Box{Min: r3.Vec{X: min(side*x0, side*x1), Y: y0, Z: at.Z + z0}, Max: r3.Vec{X: max(side*x0, side*x1), Y: y1, Z: at.Z + z1}}, mat)
	}
	box(near, far, foot, foot+deep, -wide, wide, wood)
	for _, z := range []float64{-wide + leg, wide - leg} {
		for _, x := range []float64{1.05, far - 2*leg} {
			box(x-leg, x+leg, -.06, foot, z-leg, z+leg, iron)
		}
	}
}
