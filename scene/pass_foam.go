package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
)

// foamPass sums the foam of white water on the liquid's nearest face, which the water pass turns white. There is none where there is no foam.
var foamPass = pass{name: "foam", inputs: []string{"front"}, outputs: []string{"foam"}, each: true, draw: drawFoam}

// foamSpec draws foam. A patch is wider than the particle that it comes from, so that patches close where there are as many particles as there can be, and
// its streaks are longer than the shutter is open: they show where it has come from.
var foamSpec = spriteSpec{kind: foamKind, program: foamProgram, radii: 8, seconds: .06}

// foamy reports whether the liquid that is drawn has foam of white water.
func (f *frame) foamy() bool {
	return f.liquid != nil && f.liquid.surface.Renderable() && f.liquid.particles.count(foamKind) > 0
}

// foamSize is half the picture's: foam has soft edges.
func foamSize(f *frame) (w, h int32) {
	if !f.foamy() {
		return 0, 0
	}
	return (f.w + 1) / 2, (f.h + 1) / 2
}

func drawFoam(f *frame) error {
	f.begin("foam").fill([4]float32{})
	p := f.liquid.foam
	p.ClearMaterials()
	p.AddMaterial(p, p.material, f.liquid.particles.first[foamKind], f.liquid.particles.count(foamKind))
	p.frame = f
	defer func() { p.frame = nil }()
	return f.render(p)
}

// foamPatches draws foam into its target.
type foamPatches struct {
	graphic.Graphic
	frame    *frame // while it is drawn
	material *material.Material
	uniforms uniformSet
}

// newFoamPatches draws the particles that are foam. It shares their geometry, and is disposed of with that.
func newFoamPatches(of *particles) *foamPatches {
	p := &foamPatches{material: newMaterial(foamSpec.program)}
	p.material.SetBlending(material.BlendAdditive)
	p.material.SetDepthTest(false)
	p.material.SetDepthMask(false)
	p.Graphic.Init(p, of.geometry, gls.POINTS)
	p.SetCullable(false)
	return p
}

// RenderSetup is called by g3n before drawing.
func (p *foamPatches) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	f, u := p.frame, &p.uniforms
	t := f.target("foam")
	vp := viewProj(info)
	u.mat4(gs, "ViewProj", &vp)
	u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
	u.sprite(gs, info, &foamSpec, float32(t.height), f.liquid.shared.back)
	u.vec2(gs, "Pixel", 1/float32(t.width), 1/float32(t.height))
	u.bindTexture(gs, "Front", unitFront, f.target("front").color())
}
