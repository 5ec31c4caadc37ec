package main

import rl "github.com/gen2brain/raylib-go/raylib"

// showPass shows the picture on the display: the one pass whose colours are a display's.
type showPass struct{ program }

func (s *showPass) open() { s.program = newProgram("screen_vertex", "show") }

func (s *showPass) draw(p *picture) {
	rl.ClearBackground(rl.Black)
	s.set("pixel", 1/float32(p.surface.Texture.Width), 1/float32(p.surface.Texture.Height))
	s.setTexture("light", 9, p.surface.Texture.ID)
	p.fill(&s.program)
	rl.DisableDepthTest() // as raylib has it outside of its 3D mode
}
