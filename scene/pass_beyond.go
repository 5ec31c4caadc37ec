package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// lastPass draws from where on there is something to see behind what is seen through a liquid's first face: behind a hull, which the straight way meets, there
// is liquid once more, and the bent way leads to what lies there.
var lastPass = pass{name: "last", inputs: []string{"behind"}, outputs: []string{"last"}, without: []DrawQuality{DrawLow}, each: true, draw: drawLast}

// beyondPass draws the scene from there on, and nothing but the sky elsewhere.
var beyondPass = pass{name: "beyond", inputs: []string{"light", "shadow", "last"}, outputs: []string{"beyond"}, without: []DrawQuality{DrawLow}, each: true, draw: drawBeyond}

var lastSurface = surfaceSpec{program: lastProgram, side: material.SideDouble, blend: material.BlendNone, depth: true, farthest: true, setup: setupLast}

func drawLast(f *frame) error {
	f.begin("last")
	f.gs.DepthMask(true) // or it is not cleared
	none := float32(0)
	gl.ClearBufferfv(gl.DEPTH, 0, &none)
	return f.surface(&lastSurface)
}

func setupLast(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	vp, inv := viewProj(info), inverseViewProj(info)
	beside, under := f.margin()
	u.mat4(gs, "ViewProj", &vp)
	u.mat4(gs, "InvViewProj", &inv)
	u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
	u.vec2(gs, "Pixel", 1/float32(f.w), 1/float32(f.h))
	u.vec2(gs, "Aside", float32(beside), float32(under))
	u.float(gs, "Into", f.liquid.shared.wall())
	u.bindTexture(gs, "BehindDepth", unitBehindDepth, f.target("behind").depth)
}

func drawBeyond(f *frame) error {
	f.beginClear("beyond", clearLight())
	if err := f.screen(&beyondScreen); err != nil {
		return err
	}
	return f.drawClipped("beyond", "last", 0)
}

// beyondScreen gives the least depth to where there is nothing beyond: what would be left out there is not even shaded.
var beyondScreen = screenSpec{program: beyondProgram, depth: true, setup: func(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	beside, under := f.margin()
	u.bindTexture(gs, "LastDepth", unitFront, f.target("last").depth)
	u.vec2(gs, "Margin", float32(beside), float32(under))
}}
