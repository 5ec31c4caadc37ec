package scene

import (
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
			if f := water.Update(time.Second / 60); f.Report.RolledBack {
				t.Errorf("step %d rolled back: %s", i, f.Report.Reason)
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
