package main

import (
	rl "github.com/gen2brain/raylib-go/raylib"

	"github.com/meniscus3d/meniscus/fluid"
)

// scenePass draws all but the water, and the bubbles in it: what one sees through the water, and what it mirrors.
type scenePass struct {
	target
	program // of everything solid
	sky     program
}

func (s *scenePass) open() {
	s.colors, s.depths = halfFloats, true
	s.program, s.sky = newProgram("vertex", "light", "solid"), newProgram("screen_vertex", "light", "sky")
}

// material is checked, in fields of u and v hundred-and-twenty-eighths of a metre.
func (s *scenePass) material(color rl.Color, u, v int) rl.Material {
	texture := rl.LoadTextureFromImage(rl.GenImageChecked(128, 128, u, v, color, rl.ColorBrightness(color, -.07)))
	rl.GenTextureMipmaps(&texture)
	rl.SetTextureFilter(texture, rl.FilterTrilinear)
	m := rl.LoadMaterialDefault()
	m.Shader = s.Shader
	rl.SetMaterialTexture(&m, rl.MapDiffuse, texture)
	return m
}

func (s *scenePass) draw(p *picture) {
	s.begin(p.camera)
	rl.ClearBackground(rl.Black)
	p.lend(&s.sky)
	p.fill(&s.sky)
	p.lend(&s.program)
	p.drawSolids(func(o *solid) rl.Material { return o.look })
	p.particles.draw(p, fluid.WhiteBubble)
	s.end()
}
