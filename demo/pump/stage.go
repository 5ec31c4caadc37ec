package main

import (
	"image/color"
	"math"

	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/scene"
)

// dress builds what the pump looks like. What reaches into the walls is drawn as far as the
// domain. It needs the window's OpenGL context.
func dress(p *pump, o scene.LiquidOptions) *stage.Stage {
	s := stage.NewBasin(p.Liquid(), o, stage.Narrow, domain, wallTop)
	depth := domain.Size().Z - 0.002
	pale := s.PaleTiles()
	for _, b := range walls() {
		b.Min.Y, b.Min.Z, b.Max.Z = max(b.Min.Y, -stage.Behind), -depth/2, depth/2
		s.Box(b, pale)
	}
	brass := stage.Plain(math32.Color{R: 0.72, G: 0.50, B: 0.20}, .8, 60)
	steel := stage.Plain(math32.Color{R: 0.55, G: 0.58, B: 0.62}, .7, 80)

	piston := graphic.NewMesh(stage.NewBox(r3.Vec{X: 2*bore - 0.004, Y: pistonTall, Z: depth - 0.004}), brass)
	rod := graphic.NewMesh(geometry.NewCylinder(0.05, rodLength, 32, 1, true, true), steel)
	rod.SetPosition(0, float32(pistonTall+rodLength)/2, 0)
	piston.Add(rod)
	s.Follow(p.piston, piston)

	red := stage.Painted(picture.Crate(stage.TextureSize, color.RGBA{196, 62, 44, 255}, 5), .2, 20)
	for _, v := range []*valve{p.inlet, p.outlet} {
		s.Follow(v.flap, graphic.NewMesh(stage.NewBox(r3.Vec{X: flapThick - 0.004, Y: flapHinge - flapFoot, Z: depth - 0.004}), red))
		pin := s.Mesh(geometry.NewCylinder(0.03, depth-0.004, 24, 1, true, true), steel, v.hinge.Def().Anchor)
		pin.SetRotation(math.Pi/2, 0, 0)
	}
	addPipe(s)
	s.Park()
	return s
}

const rodLength = 1.2 // of the piston's rod, m

// addPipe leads from the tank's end round to the mouth over the source.
func addPipe(s *stage.Stage) {
	copper := stage.Plain(math32.Color{R: 0.62, G: 0.34, B: 0.20}, .7, 50)
	drain, back, top := pipeDrain.Center(), domain.Min.Z-0.35, pipeMouth.Y+0.15
	s.Pipe(copper, pipeRadius+0.02,
		r3.Vec{X: drain.X, Y: drain.Y, Z: back}, r3.Vec{X: drain.X, Y: top, Z: back}, r3.Vec{X: pipeMouth.X, Y: top, Z: back},
		r3.Vec{X: pipeMouth.X, Y: top}, pipeMouth)
}
