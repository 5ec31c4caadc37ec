package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
)

// underPass makes the farther liquids a part of the scene that a liquid is seen before.
var underPass = pass{name: "under", inputs: []string{"mix"}, outputs: []string{"scene"}, cost: .5, each: true, draw: drawUnder}

func drawUnder(f *frame) error {
	if f.farther != nil {
		f.target("mix").copyTo(f.gs, f.target("scene"))
	}
	return nil
}

// behindScreen lays what the scene's picture shows behind a liquid's first face, farther liquids among it, over the picture of what is behind.
var behindScreen = screenSpec{program: behindProgram, depth: true, setup: setupBehindScreen}

func setupBehindScreen(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	u.bindTexture(gs, "SceneColor", unitColor, f.target("scene").color())
	u.bindTexture(gs, "SceneDepth", unitDepth, f.target("scene").depth)
	u.bindTexture(gs, "FrontDepth", unitFront, f.target("front").depth)
	beside, under := f.margin()
	u.vec2(gs, "Margin", float32(beside), float32(under))
}
