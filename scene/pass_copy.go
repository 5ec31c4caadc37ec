package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
)

// copyPass copies the scene to where the liquids are drawn, and lays the haze of the liquid that the camera is in over it.
var copyPass = pass{name: "copy", inputs: []string{"scene"}, outputs: []string{"mix"}, cost: 1, draw: drawCopy}

var copyScreen = screenSpec{program: copyProgram, depth: true, setup: setupCopy}

func drawCopy(f *frame) error {
	f.begin("mix")
	return f.screen(&copyScreen)
}

func setupCopy(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	sh, in := f.stage.liquid.shared, f.stage.liquid.shared
	if f.stage.inside != nil {
		in = f.stage.inside.shared
	}
	u.bindTexture(gs, "SceneColor", unitColor, f.target("scene").color())
	u.bindTexture(gs, "SceneDepth", unitDepth, f.target("scene").depth)
	inv := inverseViewProj(info)
	u.mat4(gs, "InvViewProj", &inv)
	u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
	u.vec3s(gs, "Box", in.box[:])
	u.vec3s(gs, "Sky", sh.sky.values[:])
	medium := in.look.medium(f.stage.inside != nil)
	u.vec3s(gs, "Medium", medium[:])
}
