package scene

import (
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// behindPass draws the scene, and the farther liquids that are seen, without what lies before a liquid's first face: what refracted light can come from,
// also behind a hull. It comes before the scene's picture has glass, which it draws itself.
var behindPass = pass{name: "behind", inputs: []string{"light", "shadow", "front", "interval", "scene"}, outputs: []string{"behind"}, without: []DrawQuality{DrawLow}, each: true, draw: drawBehind}

func drawBehind(f *frame) error {
	f.beginClear("behind", clearLight())
	if err := f.screen(&behindScreen); err != nil {
		return err
	}
	return f.drawClipped("behind", "front", 1)
}

// drawClipped draws the scene without what lies before a face of the liquid into a target that is clear. beside: what is taken for its depth beside the viewport.
func (f *frame) drawClipped(name, face string, beside float32) error {
	f.bindCut()
	bindUnit(f.gs, unitFront, f.target(face).depth)
	d := &f.stage.drawn
	setDefine(d.groups[0].graphics, behindDefine, true)
	defer setDefine(d.groups[0].graphics, behindDefine, false)
	as, wide := *f, f.wide()
	as.beside = beside
	if err := as.lend(); err != nil {
		return err
	}
	as.proj.MultiplyMatrices(&wide, &f.proj)
	as.cam = &matrixCamera{as.view, as.proj}
	f.begin(name)
	return as.scene()
}

// behindScreen draws what the scene's picture shows behind a liquid's first face, farther liquids among it: only the rest is to be drawn again.
var behindScreen = screenSpec{program: behindProgram, depth: true, setup: setupBehindScreen}

func setupBehindScreen(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	u.bindTexture(gs, "SceneColor", unitColor, f.target("scene").color())
	u.bindTexture(gs, "SceneDepth", unitDepth, f.target("scene").depth)
	u.bindTexture(gs, "FrontDepth", unitFront, f.target("front").depth)
	beside, under := f.margin()
	u.vec2(gs, "Margin", float32(beside), float32(under))
}

// margin is how far the picture reaches beside the viewport and below it, pixels: bent rays lead down, and there out of the viewport.
func (f *frame) margin() (beside, under int32) { return f.w / 16, f.h / 4 }

func behindSize(f *frame) (w, h int32) {
	beside, under := f.margin()
	return f.w + 2*beside, f.h + under
}

// wide leads from the viewport's clip space to the picture's: pixels fall on pixels.
func (f *frame) wide() math32.Matrix4 {
	w, h := behindSize(f)
	x, y := float32(f.w)/float32(w), float32(f.h)/float32(h)
	return math32.Matrix4{x, 0, 0, 0, 0, y, 0, 0, 0, 0, 1, 0, 0, 1 - y, 0, 1}
}

// backdrop is the picture that a liquid's refraction reads, and how many steps a refracted ray takes through it.
type backdrop struct {
	color, depth uint32
	beyond       [2]uint32 // colour and depth of its second layer; 0 for none
	steps        float32
	place        [4]float32 // the viewport's in the picture: size and least corner
}

// bendSteps are the steps of a refracted ray.
var bendSteps = map[DrawQuality]float32{DrawLow: 8, DrawMedium: 12, DrawHigh: 16}

// backdrop is what the frame's liquid is seen before; the scene itself where the quality has no other.
func (f *frame) backdrop() backdrop {
	t, steps := f.target("behind"), bendSteps[f.stage.quality]
	if slices.Contains(behindPass.without, f.stage.quality) {
		t = f.target("scene")
		return backdrop{color: t.color(), depth: t.depth, steps: steps, place: [4]float32{1, 1, 0, 0}}
	}
	beside, under := f.margin()
	w, h := float32(t.width), float32(t.height)
	second := f.target("beyond")
	return backdrop{t.color(), t.depth, [2]uint32{second.color(), second.depth}, steps, [4]float32{float32(f.w) / w, float32(f.h) / h, float32(beside) / w, float32(under) / h}}
}

// setupBehind gives a program what assets/shaders/refraction.glsl declares.
func (sh *shared) setupBehind(gs *gls.GLS, u *uniformSet) {
	u.bindTexture(gs, "BehindColor", unitBehind, sh.behind.color)
	u.bindTexture(gs, "BehindDepth", unitBehindDepth, sh.behind.depth)
	u.bindTexture(gs, "BeyondColor", unitBeyond, sh.behind.beyond[0])
	u.bindTexture(gs, "BeyondDepth", unitBeyondDepth, sh.behind.beyond[1])
	layers := float32(1)
	if sh.behind.beyond[1] != 0 {
		layers = 2
	}
	u.vec2(gs, "Bend", sh.behind.steps, layers)
	u.vec4(gs, "Place", sh.behind.place)
}
