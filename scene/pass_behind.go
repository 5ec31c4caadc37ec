package scene

import (
	"slices"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// behindPass draws the scene without what lies before a liquid's first face: what refracted light can come from, also behind a hull.
var behindPass = pass{name: "behind", inputs: []string{"caustics", "shadow", "front"}, outputs: []string{"behind"}, cost: 2, without: frontWithout, each: true, draw: drawBehind}

func drawBehind(f *frame) error {
	f.gs.ActiveTexture(gls.TEXTURE0 + unitFront)
	f.gs.BindTexture(gls.TEXTURE_2D, f.target("front").depth)
	d := &f.stage.drawn
	d.clip(true)
	defer d.clip(false)
	if err := f.lend(); err != nil {
		return err
	}
	f.begin("behind")
	f.gs.DepthMask(true) // or it is not cleared
	f.gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	return f.scene()
}

// clip has the scene's programs leave out what lies before the liquid, or not.
func (d *drawn) clip(on bool) {
	for _, n := range d.groups[0].graphics {
		if on {
			n.GetGraphic().ShaderDefines.Set(behindDefine, "1")
		} else {
			n.GetGraphic().ShaderDefines.Unset(behindDefine)
		}
	}
}

// backdrop is the picture that a liquid's refraction reads, and how many steps a refracted ray takes through it.
type backdrop struct {
	color, depth uint32
	steps        float32
}

// bendSteps are the steps of a refracted ray.
var bendSteps = map[DrawQuality]float32{DrawLow: 8, DrawMedium: 10, DrawHigh: 16}

// backdrop is what the frame's liquid is seen before; the scene itself where the quality has no other.
func (f *frame) backdrop() backdrop {
	t := f.target("behind")
	if slices.Contains(behindPass.without, f.stage.quality) {
		t = f.target("scene")
	}
	return backdrop{t.color(), t.depth, bendSteps[f.stage.quality]}
}

// setupBehind gives a program what assets/shaders/refraction.glsl declares.
func (sh *shared) setupBehind(gs *gls.GLS, u *uniformSet) {
	u.bindTexture(gs, "BehindColor", unitBehind, sh.behind.color)
	u.bindTexture(gs, "BehindDepth", unitBehindDepth, sh.behind.depth)
	u.vec3(gs, "Bend", math32.Vector3{X: sh.behind.steps})
}
