package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// insidePass draws the scene as an eye in a liquid sees it: dimmed by the liquid, with the light that it scatters.
var insidePass = pass{name: "inside", inputs: []string{"scene", "interval", "shafts"}, outputs: []string{"mix"}, each: true, draw: drawInside}

var insideScreen = screenSpec{program: insideProgram, setup: setupInside}

func drawInside(f *frame) error {
	if !f.mayBeIn(f.liquid) {
		return nil
	}
	f.begin("mix")
	return f.screen(&insideScreen)
}

// mayBeIn reports whether a part of the near plane can be in a liquid: whether the liquid's bounds are within its corners' reach.
func (f *frame) mayBeIn(l *Liquid) bool {
	var inv math32.Matrix4
	if !l.surface.Renderable() || inv.GetInverse(&f.proj) != nil {
		return false
	}
	reach := float32(0) // from the eye
	for _, c := range [][2]float32{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		v := math32.Vector3{X: c[0], Y: c[1], Z: -1}
		v.ApplyProjection(&inv)
		reach = max(reach, v.Length())
	}
	eye := eyeOf(&f.view)
	return off(&l.shared.box, [3]float32{eye.X, eye.Y, eye.Z}) <= reach*reach
}

func setupInside(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	sh := f.liquid.shared
	inv := inverseViewProj(info)
	u.mat4(gs, "InvViewProj", &inv)
	u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
	u.bindTexture(gs, "SceneColor", unitColor, f.target("scene").color())
	u.bindTexture(gs, "Interval", unitInterval, f.target("interval").color())
	u.vec3s(gs, "Sky", sh.sky.values[:])
	sh.look.set(gs, u)
	sh.setupInscatter(gs, u)
}
