package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
)

// lensPass draws what a liquid does to the lens: the line where its surface crosses it, and the drops that it leaves.
var lensPass = pass{name: "lens", inputs: []string{"interval", "mix"}, outputs: []string{"lens", "mix"},
	without: []DrawQuality{DrawLow}, each: true, draw: drawLens}

var meniscusScreen = screenSpec{program: meniscusProgram, setup: setupMeniscus}

// lensSize is the picture's, of which the lens shows a part bent, and nothing where the lens is dry and can't be in the liquid.
func lensSize(f *frame) (w, h int32) {
	if f.liquid == nil || !f.mayBeIn(f.liquid) && len(f.lens().drops) == 0 {
		return 0, 0
	}
	return f.w, f.h
}

func drawLens(f *frame) error {
	f.target("mix").copyTo(f.gs, f.target("lens"))
	f.begin("mix")
	if f.mayBeIn(f.liquid) {
		if err := f.screen(&meniscusScreen); err != nil {
			return err
		}
	}
	return f.drawDrops()
}

func setupMeniscus(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	f.setupLens(gs, u)
	u.float(gs, "Reach", float32(max(4, f.h/270)))
}

// setupLens gives a program the picture and what of it is in the liquid.
func (f *frame) setupLens(gs *gls.GLS, u *uniformSet) {
	u.vec3s(gs, "Sky", f.liquid.shared.sky.values[:])
	u.bindTexture(gs, "SceneColor", unitColor, f.target("lens").color())
	u.bindTexture(gs, "Interval", unitInterval, f.target("interval").color())
}
