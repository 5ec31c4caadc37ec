package scene

import (
	"math"
	"testing"

	"github.com/g3n/engine/math32"
)

// A floor in the open has all of the sky, and beside a tall wall half of it. Under a box that floats low there is little, and beside a low wall as much as
// its height hides. A face of the wall has as much as in the open: that it sees half of the sky is counted already.
func TestOpenSky(t *testing.T) {
	onGL(t, func(l *lab) {
		sky := SkyOptions{Sun: at(.1, 1, 0), SunLit: math32.Color{R: 1e-6, G: 1e-6, B: 1e-6}}.withDefaults()
		water := NewLiquid(basin(0, 0), LiquidOptions{Sky: sky, Caustics: -1})
		defer water.Dispose()
		water.SetVisible(false)
		root := overcast()
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		mat := matt()["standard"]
		const wall, low = 1.5, .3
		const bounce = .4 // openness.glsl's
		slab(root, mat, 6, .2, 6, 0, -.1, 0)
		slab(root, mat, .2, wall, 5, -2.5, wall/2, 0)
		slab(root, mat, .2, low, 5, 2.5, low/2, 0)
		slab(root, mat, 1, .2, 1, 0, .25, -1.2) // .15 m over the floor
		const n, span = 120, 6
		shoot := func() []float32 {
			l.shootWith(t, n, n, root, water, downOn(0, 0, span))
			v, _, _ := pixels(water, "scene")
			return v
		}
		img := shoot()
		again := shoot()
		for i := range img {
			if img[i] != again[i] {
				t.Fatalf("value %d is %g in one picture and %g in the next", i, img[i], again[i])
			}
		}
		light := func(x, z float64) float64 { return float64(img[4*(int((.5-z/span)*n)*n+int((.5+x/span)*n))]) }
		const open = .4 + .2*.6/.83666
		beside := func(h, d float64) float64 { // of a long wall of a height, at a distance: the view factor of what is hidden
			return .5 + .5*d/math.Hypot(h, d)
		}
		for _, c := range []struct {
			what             string
			x, z, want, most float64
		}{
			{"in the open", .5, 2, beside(wall, 2.9) + beside(low, 1.9) - 1, .06}, {"on a floating box", 0, -1.2, 1, .06},
			{"at a tall wall", -2.3, 0, beside(wall, .1), .06}, {"by a tall wall", -1.9, 0, beside(wall, .5), .06},
			{"at a low wall", 2.3, 0, beside(low, .1), .06}, {"by a low wall", 1.9, 0, beside(low, .5), .06},
		} {
			got := (light(c.x, c.z)/open - bounce) / (1 - bounce)
			t.Logf("%s: %.3f of the sky, want %.3f", c.what, got, c.want)
			if !(math.Abs(got-c.want) < c.most) {
				t.Errorf("%s: %.3f of the sky, want %.3f ± %g", c.what, got, c.want, c.most)
			}
		}
		l.shootWith(t, 9, 9, root, water, view(9, 9, at(0, .12, 1.5), at(0, 0, -1.2)))
		v, _, _ := pixels(water, "scene")
		if under := float64(v[4*(4*9+4)]) / open; !(under < bounce+.15) {
			t.Errorf("under a floating box there is %.3f of the light in the open", under)
		} else {
			t.Logf("under a floating box: %.3f of the light in the open", under)
		}
	})
}
