package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
)

// screenSpec is a program that is drawn over a whole render target.
type screenSpec struct {
	program string
	blend   material.Blending
	depth   bool // it writes depth
	setup   func(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet)
}

// screenPass draws a screenSpec.
type screenPass struct {
	graphic.Graphic
	spec     *screenSpec
	frame    *frame // while it is drawn
	uniforms uniformSet
}

// screen draws a program over the target that is bound.
func (f *frame) screen(spec *screenSpec) error {
	p := f.stage.screen(spec)
	p.frame = f
	defer func() { p.frame = nil }()
	return f.render(p)
}

// screen is the stage's graphic for a spec.
func (s *stage) screen(spec *screenSpec) *screenPass {
	for _, p := range s.screens {
		if p.spec == spec {
			return p
		}
	}
	p := &screenPass{spec: spec}
	mat := newMaterial(spec.program)
	mat.SetBlending(spec.blend)
	mat.SetDepthTest(spec.depth) // without a test nothing is written
	mat.SetDepthFunc(gls.ALWAYS)
	initScreen(&p.Graphic, p, mat, 0)
	s.screens = append(s.screens, p)
	return p
}

// RenderSetup is called by g3n before drawing.
func (p *screenPass) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	p.spec.setup(p.frame, gs, info, &p.uniforms)
}

// probe reads g3n's OpenGL state.
type probe struct {
	core.Node
	gs *gls.GLS
}

// Render is called by g3n for nodes that are neither graphics nor lights.
func (p *probe) Render(gs *gls.GLS) { p.gs = gs }
