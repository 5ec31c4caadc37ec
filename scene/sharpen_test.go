package scene

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/texture"
)

// Stripes that run away from the eye, several pixels wide where they are looked at, stay black and white on a floor seen at 3°. Without reads along the
// view the picture of them is as coarse as a pixel is long there, and grey.
func TestFloorIsSharp(t *testing.T) {
	onGL(t, func(l *lab) {
		contrast := func(q DrawQuality) float64 {
			water := emptyLiquid(LiquidOptions{Quality: q})
			defer water.Dispose()
			stripes := image.NewRGBA(image.Rect(0, 0, 256, 256))
			for i := range 256 * 256 {
				v := uint8(255 * (i % 256 / 32 % 2))
				stripes.SetRGBA(i%256, i/256, color.RGBA{v, v, v, 255})
			}
			tex := texture.NewTexture2DFromRGBA(stripes)
			tex.SetMinFilter(gls.LINEAR_MIPMAP_LINEAR)
			tex.SetWrapS(gls.REPEAT)
			tex.SetWrapT(gls.REPEAT)
			tex.SetRepeat(20, 20)
			mat := material.NewStandard(&math32.Color{R: 1, G: 1, B: 1})
			mat.AddTexture(tex)
			floor := graphic.NewMesh(geometry.NewPlane(40, 40), mat)
			floor.SetRotation(-math.Pi/2, 0, 0)
			root := core.NewNode()
			defer root.Dispose()
			root.Add(floor)
			root.Add(light.NewAmbient(&math32.Color{R: 1, G: 1, B: 1}, .7))
			cam := view(320, 64, at(0, .32, 6), at(0, 0, 0))
			l.shoot(t, 320, 64, root, water, cam) // g3n brings the texture to OpenGL
			img := l.shoot(t, 320, 64, root, water, cam)
			lo, hi := 255, 0
			for x := 140; x < 180; x++ {
				v := int(img.RGBAAt(x, 32).G)
				lo, hi = min(lo, v), max(hi, v)
			}
			return float64(hi - lo)
		}
		blurred, sharp := contrast(DrawLow), contrast(DrawMedium)
		t.Logf("contrast %.0f of 255, without reads along the view %.0f", sharp, blurred)
		if sharp < 2*blurred || sharp < 100 {
			t.Errorf("contrast %.0f of 255, want 100 and twice the %.0f without", sharp, blurred)
		}
	})
}
