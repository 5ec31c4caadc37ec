package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// frontPass draws the first of a liquid's faces that the eye sees, also behind the scene: normal and distance, and the depth as OpenGL has it.
var frontPass = pass{name: "front", inputs: []string{"interval"}, outputs: []string{"front"}, each: true, draw: drawFront}

// frontSize is the viewport's. With DrawLow only foam and what one sees through need the pass.
func frontSize(f *frame) (w, h int32) {
	if f.stage.quality == DrawLow && !f.foamy() && len(f.stage.drawn.glass) == 0 {
		return 0, 0
	}
	return f.w, f.h
}

var frontSurface = surfaceSpec{program: frontProgram, side: material.SideDouble, blend: material.BlendNone, depth: true, setup: setupFront}

func drawFront(f *frame) error {
	f.beginClear("front", [4]float32{})
	return f.surface(&frontSurface)
}

func setupFront(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	vp := viewProj(info)
	u.mat4(gs, "ViewProj", &vp)
	u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
	u.vec3(gs, "Free", math32.Vector3{X: float32(f.liquid.shared.free), Y: 1 / float32(f.w), Z: 1 / float32(f.h)})
	u.bindTexture(gs, "Interval", unitInterval, f.target("interval").color())
}
