package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// hazePass lays a liquid over the scene where the eye is in it.
var hazePass = pass{name: "haze", inputs: []string{"scene", "interval"}, outputs: []string{"mix"}, cost: .2, each: true, draw: drawHaze}

var hazeScreen = screenSpec{program: hazeProgram, setup: setupHaze}

func drawHaze(f *frame) error {
	if !f.mayBeIn(f.liquid) {
		return nil
	}
	f.begin("mix")
	return f.screen(&hazeScreen)
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
	b, eye := l.shared.box, eyeOf(&f.view)
	off := func(x, lo, hi float32) float64 { return float64(max(lo-x, x-hi, 0)) }
	return math.Hypot(math.Hypot(off(eye.X, b[0], b[3]), off(eye.Y, b[1], b[4])), off(eye.Z, b[2], b[5])) <= float64(reach)
}

func setupHaze(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	sh := f.liquid.shared
	u.bindTexture(gs, "SceneColor", unitColor, f.target("scene").color())
	u.bindTexture(gs, "Interval", unitInterval, f.target("interval").color())
	u.vec3s(gs, "Sky", sh.sky.values[:])
	sh.look.set(gs, u)
}
