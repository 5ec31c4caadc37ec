package scene

import (
	"fmt"
	"image"
	"testing"
	"time"

	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// A real liquid goes through the node: stepped, followed, drawn.
func TestRealLiquid(t *testing.T) {
	onGL(t, func(l *lab) {
		liq, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: -1.6, Y: 0, Z: -0.8}, Max: r3.Vec{X: 1.6, Y: 1.6, Z: 0.8}}, CellSize: 0.05})
		if err != nil {
			t.Error(err)
			return
		}
		defer liq.Close()
		if err := liq.Fill(fluid.Below(0.7)); err != nil {
			t.Error(err)
		}
		water := NewLiquid(liq, LiquidOptions{Look: Look{Tint: math32.Color{R: 0.4, G: 0.8, B: 0.9}}})
		defer water.Dispose()
		root := stageSet(water, true)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		cam := view(640, 360, at(2.4, 2.0, 2.8), at(0, 0.4, 0))
		water.Follow(cam)
		for i := 0; i < 5; i++ {
			if f := water.Update(time.Second / 60); f.Report.Err != nil {
				t.Errorf("step %d rolled back: %s", i, f.Report.Err)
			}
		}
		img := l.shoot(t, 640, 360, root, water, cam)
		save(t, "real", img)
		if len(liq.Surface().Indices) == 0 {
			t.Error("no surface")
		}
		if m, _ := contrast(img, image.Rect(300, 160, 340, 200)); m < 0.1 || m > 0.95 {
			t.Errorf("the middle of the picture has luma %.2f", m)
		}
	})
}

// A jet in the air is thin: it may mirror the sky and bend what lies behind, but nowhere is it as dark as deep liquid.
// Rims were dotted with that, where a pixel shows the jet's far side alone or no far side.
func TestThinLiquidIsClear(t *testing.T) {
	onGL(t, func(l *lab) {
		liq, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: -1.6, Y: 0, Z: -0.8}, Max: r3.Vec{X: 1.6, Y: 2.4, Z: 0.8}}, CellSize: 0.05})
		if err != nil {
			t.Error(err)
			return
		}
		defer liq.Close()
		for i := range 8 {
			x := -1.4 + .4*float64(i)
			if err := liq.Fill(fluid.Capsule(r3.Vec{X: x, Y: 1.2, Z: -.3}, r3.Vec{X: x + .07*float64(i-4), Y: 2.1, Z: .2}, .03+.01*float64(i))); err != nil {
				t.Error(err)
			}
		}
		water := NewLiquid(liq, LiquidOptions{})
		defer water.Dispose()
		root := stageSet(water, true)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		const w, h = 640, 360
		for i := range 3 {
			water.Update(time.Second / 60)
			cam := view(w, h, at(float32(i)-1, 1.2, 4), at(0, 1.6, 0))
			wet := l.shoot(t, w, h, root, water, cam)
			save(t, fmt.Sprintf("thin%d", i), wet)
			water.SetVisible(false)
			dry := l.shoot(t, w, h, root, water, cam)
			water.SetVisible(true)
			darker, touched := 0, 0
			for y := range h {
				for x := range w {
					a, b := luma(wet.RGBAAt(x, y)), luma(dry.RGBAAt(x, y))
					if a != b {
						touched++
					}
					if a < b-.25 {
						darker++
					}
				}
			}
			if touched < 1000 || darker > touched/1000 {
				t.Errorf("picture %d: of %d pixels that the jets change %d are much darker", i, touched, darker)
			}
		}
	})
}
