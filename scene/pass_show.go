package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// showPass smooths and dithers the picture for the window, or shows a debug view, and draws the HUDs over it.
var showPass = pass{name: "show", inputs: []string{"picture"}, draw: drawShow}

// longestEdge is how far an edge is followed each way to smooth it, pixels.
const longestEdge = 20

var showScreen = screenSpec{program: showProgram, setup: setupShow}

func drawShow(f *frame) error {
	f.gs.BindFramebuffer(0)
	f.gs.Viewport(f.x, f.y, f.w, f.h)
	spec := &showScreen
	if f.stage.view != nil {
		spec = &debugScreen
	}
	if err := f.screen(spec); err != nil {
		return err
	}
	for _, h := range f.stage.huds {
		h.SetVisible(true)
		if err := f.render(h); err != nil {
			return err
		}
	}
	return nil
}

func setupShow(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	u.bindTexture(gs, "Picture", unitColor, f.target("picture").color())
	longest := float32(0)
	if !f.stage.liquid.options.NoAntialias && f.stage.quality != DrawLow {
		longest = longestEdge
	}
	u.vec3(gs, "Texel", math32.Vector3{X: 1 / float32(f.w), Y: 1 / float32(f.h), Z: longest})
}
