package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
)

// intervalPass sums a liquid's faces, both sides and whatever hides them: the way through all its layers up to the scene, and whether the eye is in it.
var intervalPass = pass{name: "interval", inputs: []string{"scene"}, outputs: []string{"interval"}, each: true, draw: drawInterval}

var intervalSurface = surfaceSpec{program: intervalProgram, side: material.SideDouble, blend: material.BlendAdditive, setup: setupInterval}

func drawInterval(f *frame) error {
	f.begin("interval").fill([4]float32{})
	return f.surface(&intervalSurface)
}

func setupInterval(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	vp, inv := viewProj(info), inverseViewProj(info)
	u.mat4(gs, "ViewProj", &vp)
	u.mat4(gs, "InvViewProj", &inv)
	u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
	u.vec2(gs, "Pixel", 1/float32(f.w), 1/float32(f.h))
	u.float(gs, "Wall", f.liquid.shared.wall())
	u.bindTexture(gs, "SceneDepth", unitDepth, f.target("scene").depth)
}
