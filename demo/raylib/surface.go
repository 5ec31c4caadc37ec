package main

import (
	rl "github.com/gen2brain/raylib-go/raylib"

	"github.com/meniscus3d/meniscus/fluid"
)

const colorsAndDepths = 0x4000 | 0x100 // GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT

// surfacePass draws the water over a copy of the scene, whose picture it reads, and what lies on the water and flies over it.
type surfacePass struct {
	target
	program
	within program
}

func (s *surfacePass) open() {
	s.colors, s.depths = halfFloats, true
	s.program = newProgram("vertex", "light", "medium", "rays", "water")
	s.within = newProgram("screen_vertex", "light", "medium", "rays", "within")
}

func (s *surfacePass) draw(p *picture) {
	w, h := s.Texture.Width, s.Texture.Height
	rl.BindFramebuffer(rl.ReadFramebuffer, p.scene.ID)
	rl.BindFramebuffer(rl.DrawFramebuffer, s.ID)
	rl.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, colorsAndDepths)
	s.begin(p.camera)
	s.lend(p, &s.within)
	p.fill(&s.within)
	s.lend(p, &s.program)
	b := &p.bounds
	s.set("least", b[0], b[1], b[2])
	s.set("most", b[3], b[4], b[5])
	free := p.water.Mesh
	free.VertexCount = p.free // the rest lies at the basin's walls
	rl.DisableBackfaceCulling()
	rl.DrawMesh(free, s.Material, rl.MatrixIdentity())
	rl.EnableBackfaceCulling()
	p.particles.draw(p, fluid.WhiteFoam, fluid.WhiteSpray, droplets)
	s.end()
}

// lend gives a program the uniforms of rays.glsl, and the interval.
func (s *surfacePass) lend(p *picture, to *program) {
	p.lend(to)
	to.setTexture("sceneColor", 9, p.scene.Texture.ID)
	to.setTexture("sceneDepth", 10, p.scene.Depth.ID)
	to.setTexture("interval", 11, p.interval.Texture.ID)
}
