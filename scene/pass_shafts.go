package scene

import (
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
)

// shaftsPass follows the sunlight that a liquid scatters to an eye in it, through shadows and what waves bundle. Neighbours sample different places, in a
// pattern that is fixed in the picture, so that nothing flickers at rest, and share what they find.
var shaftsPass = pass{name: "shafts", inputs: []string{"scene", "interval", "front", "light", "shadow"}, outputs: []string{"beams", "shafts"},
	without: []DrawQuality{DrawLow}, each: true, draw: drawShafts}

// marchSteps are the samples of a way.
var marchSteps = map[DrawQuality]float32{DrawMedium: 8, DrawHigh: 12}

var (
	shaftsScreen = screenSpec{program: shaftsProgram, setup: setupShafts}
	smoothScreen = screenSpec{program: shaftSmoothProgram, setup: func(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
		u.bindTexture(gs, "Beams", unitShafts, f.target("beams").color())
	}}
)

// shaftsSize is half the picture's, and nothing where the eye can't be in the liquid.
func shaftsSize(f *frame) (w, h int32) {
	if f.liquid == nil || slices.Contains(shaftsPass.without, f.stage.quality) || !f.mayBeIn(f.liquid) {
		return 0, 0
	}
	return (f.w + 1) / 2, (f.h + 1) / 2
}

func drawShafts(f *frame) error {
	f.begin("beams")
	if err := f.screen(&shaftsScreen); err != nil {
		return err
	}
	f.begin("shafts")
	if err := f.screen(&smoothScreen); err != nil {
		return err
	}
	f.liquid.shared.shafts = f.target("shafts").color()
	return nil
}

func setupShafts(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	setupInside(f, gs, info, u)
	u.float(gs, "MarchSteps", marchSteps[f.stage.quality])
	u.bindTexture(gs, "SceneDepth", unitDepth, f.target("scene").depth)
	u.bindTexture(gs, "Front", unitFront, f.target("front").color())
	f.setupBeam(gs, u)
}

// setupBeam gives a program what assets/shaders/beam.glsl declares.
func (f *frame) setupBeam(gs *gls.GLS, u *uniformSet) {
	sh := f.liquid.shared
	u.vec3s(gs, "Box", sh.box[:])
	row := float32(-1)
	if sh.light.drawn {
		row = float32(sh.light.row)
	}
	u.float(gs, "Row", row)
	f.bindLight()
	f.lightUniforms().lend(gs, u)
	f.lendSun(u)
}

// setupInscatter gives a program what assets/shaders/inscatter.glsl declares.
func (sh *shared) setupInscatter(gs *gls.GLS, u *uniformSet) {
	u.float(gs, "Level", sh.level)
	u.bindTexture(gs, "Shafts", unitShafts, sh.shafts)
	u.float(gs, "HasShafts", oneIf(sh.shafts != 0))
}
