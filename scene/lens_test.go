package scene

import (
	"slices"
	"testing"
	"time"

	"github.com/g3n/engine/math32"
)

// Drops come when the camera leaves the liquid, run down and dry, so that after some seconds the picture is as if it had never been wet. They are the same
// at the same times whatever the frames. Without them, and for a camera that was never wet, nothing is drawn.
func TestLensDrops(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 160, 90
		shots := func(o LiquidOptions, frames int) (seen [4][]float32, low [4]float64) {
			o.Look, o.Caustics = Look{Ripples: -1}, -1
			water := NewLiquid(pool(0, 0, 0), o)
			defer water.Dispose()
			root := stageSet(water, false)
			defer root.Dispose()
			root.Add(water)
			defer root.Remove(water)
			cam := view(w, h, at(1, 2.2, 2.5), at(0, 1.2, 0))
			shoot := func(y float32) []float32 {
				cam.SetPosition(1, y, 2.5)
				l.shoot(t, w, h, root, water, cam)
				v, _, _ := pixels(water, "mix")
				return v
			}
			seen[0] = shoot(2.2)
			if water.stage.target("lens").width != 0 || len(water.lenses[0].drops) != 0 {
				t.Error("a dry lens has drops")
			}
			shoot(.6)
			shoot(2.2)
			for i, ms := range []int{200, 1000, 8000} {
				for range frames {
					water.Refresh(1, time.Duration(ms)*time.Millisecond/time.Duration(frames))
					seen[i+1] = shoot(2.2)
				}
				for _, d := range water.lenses[0].drops {
					low[i+1] += float64(d.fallen(water.lenses[0].time))
				}
				save(t, "lens", l.grab(w, h))
			}
			return seen, low
		}
		changed := func(a, b []float32) (n int) {
			for i := 0; i < len(a); i += 4 {
				if !slices.Equal(a[i:i+3], b[i:i+3]) {
					n++
				}
			}
			return n
		}
		v, low := shots(LiquidOptions{}, 1)
		wet, later := changed(v[0], v[1]), changed(v[0], v[2])
		t.Logf("drops change %d pixels of %d at .2 s, and %d at 1.2 s, when they have run down %.2f and %.2f heights in all", wet, w*h, later, low[1], low[2])
		if wet < w*h/500 || wet > w*h/5 || later == wet || low[2] <= low[1] {
			t.Error("the drops are too few, too many, or stand still")
		}
		if n := changed(v[0], v[3]); n > 0 {
			t.Errorf("after 9 s %d pixels are still wet", n)
		}
		if often, _ := shots(LiquidOptions{}, 2); changed(v[2], often[2]) > 0 {
			t.Error("with more frames the drops are others")
		}
		if without, _ := shots(LiquidOptions{NoLensDrops: true}, 1); changed(without[0], without[1]) > 0 {
			t.Error("there are drops that were switched off")
		}
	})
}

// A droplet that comes close to the lens leaves a drop where it is seen.
func TestSprayMeetsTheLens(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 160, 90
		src := pool(0, 0, 1)
		src.Surface()
		eye := at(0, 2, 2)
		copy(src.surface.Droplets, []float32{eye.X + .02, eye.Y, eye.Z - .15, .01})
		clear(src.surface.DropletVelocities)
		water := NewLiquid(src, LiquidOptions{})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		cam := view(w, h, eye, at(0, 2, 0))
		l.shoot(t, w, h, root, water, cam)
		drops := water.lenses[0].drops
		if len(drops) != 1 {
			t.Fatalf("there are %d drops on the lens, want 1", len(drops))
		}
		want := cornerOf(cam, vecOf(&math32.Vector3{X: eye.X + .02, Y: eye.Y, Z: eye.Z - .15}), w, h)
		if x, y := h*drops[0].x, h*drops[0].y; x < float32(want.X)-1 || x > float32(want.X)+1 || y < float32(want.Y)-1 || y > float32(want.Y)+1 {
			t.Errorf("the drop lies at %v, %v, want %v", x, y, want)
		}
	})
}
