package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
)

// picturePass makes of light what a display shows: with bloom, tone-mapped and encoded.
var picturePass = pass{name: "picture", inputs: []string{"mix", "bloom"}, outputs: []string{"picture"}, draw: drawPicture}

var pictureScreen = screenSpec{program: pictureProgram, setup: setupPicture}

func drawPicture(f *frame) error {
	f.begin("picture")
	return f.screen(&pictureScreen)
}

func setupPicture(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	u.bindTexture(gs, "SceneColor", unitColor, f.target("mix").color())
	u.bindTexture(gs, "Bloom", unitBloom, f.target("bloom").color())
	u.float(gs, "Share", f.bloom())
}
