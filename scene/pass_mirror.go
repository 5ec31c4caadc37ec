package scene

import (
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// mirrorPass draws the scene, half as large, mirrored at a liquid's mean level, and only what is on the eye's side of that: what the liquid mirrors where
// the picture doesn't show it.
var mirrorPass = pass{name: "mirror", inputs: []string{"light", "shadow"}, outputs: []string{"mirror"},
	without: []DrawQuality{DrawLow}, each: true, draw: drawMirror}

// mirror is the frame's liquid's mirrored camera, if there is one. From below most of the surface is a mirror, and so DrawMedium has it there too.
func (f *frame) mirror() (c matrixCamera, ok bool) {
	below := eyeOf(&f.view).Y < f.liquid.shared.level
	if q := f.stage.quality; q == DrawLow || q == DrawMedium && !below || !f.liquid.surface.Renderable() || f.liquid.shared.free == 0 {
		return c, false
	}
	return mirrorOf(&f.view, &f.proj, f.liquid.shared.level)
}

func mirrorSize(f *frame) (w, h int32) {
	if _, ok := f.mirror(); !ok {
		return 0, 0
	}
	return (f.w + 1) / 2, (f.h + 1) / 2
}

func drawMirror(f *frame) error {
	m, _ := f.mirror()
	as := *f
	as.cam, as.view, as.proj = &m, m.view, m.proj
	if err := as.lend(); err != nil {
		return err
	}
	sky := &f.liquid.shared.sky.values
	f.beginClear("mirror", [4]float32{sky[3], sky[4], sky[5], 1}) // at an edge a read mixes it in
	f.gs.CullFace(gls.FRONT)                                      // mirrored, what turned left turns right
	err := as.scene()
	f.gs.CullFace(gls.BACK)
	if err != nil {
		return err
	}
	return f.lend()
}

// setupMirror gives a program what assets/shaders/mirror.glsl declares.
func (sh *shared) setupMirror(gs *gls.GLS, u *uniformSet) {
	u.bindTexture(gs, "MirrorColor", unitMirror, sh.mirror.color)
	u.bindTexture(gs, "MirrorDepth", unitMirrorDepth, sh.mirror.depth)
	u.mat4(gs, "FromMirror", &sh.mirror.back)
	u.vec3(gs, "Mirror", math32.Vector3{X: sh.mirror.side, Y: sh.level, Z: sh.mirror.steps})
}

// mirrored is what a liquid mirrors besides the sky.
type mirrored struct {
	color, depth uint32  // of the mirrored picture; 0 for none
	side         float32 // how much it counts, above 0 if it shows what is above the level and below 0 otherwise; 0 for none
	back         math32.Matrix4
	steps        float32 // of rays through the scene's picture; 0 for none
}

// raySteps are the steps of a ray through the scene's picture.
var raySteps = map[DrawQuality]float32{DrawMedium: 18, DrawHigh: 28}

// mirrors is what the frame's liquid mirrors.
func (f *frame) mirrors() mirrored {
	m := mirrored{steps: raySteps[f.stage.quality]}
	if c, ok := f.mirror(); ok {
		t, to := f.target("mirror"), c.matrix()
		if m.back.GetInverse(&to) == nil {
			above := eyeOf(&f.view).Y - f.liquid.shared.level
			m.color, m.depth, m.side = t.color(), t.depth, max(-1, min(above/closest-sign(above), 1))
		}
	}
	return m
}
