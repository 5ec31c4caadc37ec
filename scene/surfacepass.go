package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
)

// surfaceSpec is a program that the liquid's surface is drawn with, besides its own.
type surfaceSpec struct {
	program  string
	side     material.Side
	blend    material.Blending
	depth    bool // it tests and writes depth
	farthest bool // and keeps the farthest
	free     bool // only the triangles of the free surface
	setup    func(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet)
}

// surfacePass draws the surface's triangles with a surfaceSpec.
type surfacePass struct {
	graphic.Graphic
	spec     *surfaceSpec
	frame    *frame // while it is drawn
	uniforms uniformSet
	material *material.Material
}

// surface draws the triangles of the frame's liquid into the target that is bound.
func (f *frame) surface(spec *surfaceSpec) error {
	m := f.liquid.surface
	if !m.Renderable() || spec.free && m.shared.free == 0 {
		return nil
	}
	p := m.pass(spec)
	count := 0 // all
	if spec.free {
		count = 3 * m.shared.free
	}
	p.ClearMaterials()
	p.AddMaterial(p, p.material, 0, count)
	p.frame = f
	defer func() { p.frame = nil }()
	return f.render(p)
}

// pass is the surface's graphic for a spec. It shares the surface's buffers, which are disposed of with that.
func (m *surfaceMesh) pass(spec *surfaceSpec) *surfacePass {
	for _, p := range m.passes {
		if p.spec == spec {
			return p
		}
	}
	p := &surfacePass{spec: spec, material: newMaterial(spec.program)}
	p.material.SetSide(spec.side)
	p.material.SetBlending(spec.blend)
	p.material.SetDepthTest(spec.depth)
	p.material.SetDepthMask(spec.depth)
	if spec.farthest {
		p.material.SetDepthFunc(gls.GREATER)
	}
	p.Graphic.Init(p, m.GetGeometry(), gls.TRIANGLES)
	p.SetCullable(false)
	m.passes = append(m.passes, p)
	return p
}

// RenderSetup is called by g3n before drawing.
func (p *surfacePass) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	u := &p.uniforms
	u.float(gs, "Back", p.frame.liquid.shared.back)
	p.spec.setup(p.frame, gs, info, u)
}
