package main

import (
	"image/color"
	"math"

	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// dress builds what a pool looks like, follows its bodies, and dresses those that are
// dropped later. It needs the window's OpenGL context.
func dress(p *pool.Pool, o scene.LiquidOptions) *stage.Stage {
	if o.Look == (scene.Look{}) {
		o.Look.Wind = math32.Vector2{X: .09, Y: .03} // or it would hardly be seen where it rests
	}
	s := stage.New(p.Liquid(), o)
	s.Basin(pool.Domain, pool.WallTop, false)
	pale := s.PaleTiles()
	for _, b := range pool.Steps() {
		b.Min.Y = -stage.Behind
		s.Box(b, pale)
	}
	stone := stage.Painted(picture.Stone(stage.TextureSize, color.RGBA{206, 190, 166, 255}, 8), .1, 10)
	s.Mesh(geometry.NewCylinder(pool.ColumnRadius, pool.ColumnTop, 40, 1, true, true), stone, r3.Add(pool.ColumnFoot, r3.Vec{Y: pool.ColumnTop / 2}))
	addPipe(s)
	s.Dress(terrace(pool.WallTop))
	s.Ground()
	c := newCast()
	p.OnDrop = func(t pool.Toy) { s.Follow(t.Body, c.node(t)) }
	for _, t := range p.Toys {
		p.OnDrop(t)
	}
	return s
}

// addPipe leads from the ground outside to the spout's mouth.
func addPipe(s *stage.Stage) {
	brass := material.NewStandard(&math32.Color{R: 0.72, G: 0.55, B: 0.26})
	brass.SetSpecularColor(&math32.Color{R: 0.9, G: 0.8, B: 0.5})
	brass.SetShininess(50)
	brass.SetSide(material.SideDouble)
	radius := pool.Spout.Radius + 0.015
	bend := r3.Vec{X: pool.Spout.Mouth.X, Y: pool.Spout.Mouth.Y, Z: pool.Domain.Min.Z - 0.45}
	add := func(g *geometry.Geometry, y, z float64, turn float32) {
		s.Mesh(g, brass, r3.Vec{X: bend.X, Y: y, Z: z}).SetRotation(turn, 0, 0)
	}
	length := pool.Spout.Mouth.Z - bend.Z
	add(geometry.NewCylinder(radius, length, 40, 1, false, false), bend.Y, bend.Z+length/2, math.Pi/2)
	add(geometry.NewTorus(float64(radius), .018, 12, 40, 2*math.Pi), bend.Y, pool.Spout.Mouth.Z, 0)
	add(geometry.NewCylinder(radius, bend.Y, 40, 1, false, false), bend.Y/2, bend.Z, 0)
	add(geometry.NewSphere(radius*1.12, 32, 16), bend.Y, bend.Z, 0)
}
