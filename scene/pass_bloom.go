package scene

import (
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// bloomPass spreads the glare of the picture, as the lens and the eye do: down in levels, each half as large as the one before, and up again, each
// mixed with the smaller one. The sum of light stays.
var bloomPass = pass{name: "bloom", inputs: []string{"mix"}, outputs: bloomNames[:], without: []DrawQuality{DrawLow}, draw: drawBloom}

// bloomNames are the levels' targets, the largest first.
var bloomNames = [5]string{"bloom", "bloom2", "bloom3", "bloom4", "bloom5"}

// wider is how much of a level comes from the smaller ones.
const wider = .7

// bloomDown and bloomUp are drawn into the level of their index.
var bloomDown, bloomUp = bloomSpecs()

func bloomSpecs() (down [len(bloomNames)]screenSpec, up [len(bloomNames) - 1]screenSpec) {
	down[0] = screenSpec{program: bloomFirstProgram, setup: setupBloom("mix", 2, 0, 1)}
	for i := range up {
		down[i+1] = screenSpec{program: bloomProgram, setup: setupBloom(bloomNames[i], 2, .75, 1)}
		up[i] = screenSpec{program: bloomProgram, blend: material.BlendNormal, setup: setupBloom(bloomNames[i+1], .5, .5, wider)}
	}
	return down, up
}

// bloomSize is the size of a level, the largest being 1.
func bloomSize(level int) func(f *frame) (w, h int32) {
	return func(f *frame) (w, h int32) {
		if f.bloom() == 0 {
			return 0, 0
		}
		round := int32(1)<<level - 1
		return (f.w + round) >> level, (f.h + round) >> level
	}
}

// bloom is how much of the glare is spread.
func (f *frame) bloom() float32 {
	if slices.Contains(bloomPass.without, f.stage.quality) {
		return 0
	}
	return min(max(f.stage.liquid.options.Bloom, 0), 1)
}

func drawBloom(f *frame) error {
	for i := range bloomDown {
		f.begin(bloomNames[i])
		if err := f.screen(&bloomDown[i]); err != nil {
			return err
		}
	}
	for i := len(bloomUp) - 1; i >= 0; i-- {
		f.begin(bloomNames[i])
		if err := f.screen(&bloomUp[i]); err != nil {
			return err
		}
	}
	return nil
}

// setupBloom reads a target that is some times as large, so many of its texels aside, and gives the alpha that blends.
func setupBloom(from string, larger, aside, alpha float32) func(*frame, *gls.GLS, *core.RenderInfo, *uniformSet) {
	return func(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
		u.bindTexture(gs, "Source", unitColor, f.target(from).color())
		u.vec3(gs, "Tap", math32.Vector3{X: larger, Y: aside, Z: alpha})
	}
}
