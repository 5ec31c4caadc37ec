package scene

import (
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/math32"
)

// overcast is a scene that light from all sides falls on, and some of it from above.
func overcast() *core.Node {
	root := core.NewNode()
	root.Add(light.NewAmbient(&math32.Color{R: .4, G: .4, B: .4}, 1))
	fill := light.NewDirectional(&math32.Color{R: .2, G: .2, B: .2}, 1)
	fill.SetPosition(-.5, .6, -.3)
	root.Add(fill)
	return root
}

// A floor under water has as much of the sky's light as Fresnel's and Beer and Lambert's laws let through, whatever it is made of, in the shadow of a box
// in the water or above it too. A shelf above the water has all of it.
func TestSkyLightUnderWater(t *testing.T) {
	onGL(t, func(l *lab) {
		sky := SkyOptions{Sun: at(.8, .7, 0), SunLit: math32.Color{R: 1e-6, G: 1e-6, B: 1e-6}}.withDefaults()
		still := pool(0, 0, 0)
		still.cells = 30
		water := NewLiquid(still, LiquidOptions{Sky: sky, Caustics: 256})
		defer water.Dispose()
		water.SetVisible(false)
		const depth = 1.2 // and .01 to the floor
		medium := water.shared.look.medium()
		check := func(what string, got [3]float64, depth float64) {
			for k := range got {
				want := 1.
				if depth > 0 {
					want = .934 * math.Exp(-1.2*depth*float64(medium[k]+medium[6]))
				}
				if off := got[k]/want - 1; !(math.Abs(off) < .01) {
					t.Errorf("%s, colour %d: %.4f of a dry one's light, want %.4f", what, k, got[k], want)
				} else if k == 0 {
					t.Logf("%s: off by %.2f %%", what, 100*off)
				}
			}
		}
		for name, mat := range matt() {
			root := overcast()
			root.Add(water)
			slab(root, mat, 8.2, .2, 6.2, 0, -.11, 0)
			slab(root, matt()[name], .6, .2, .6, 0, .5, 0)
			slab(root, matt()[name], .6, .2, .6, -2, 1.8, 0)
			slab(root, matt()[name], .6, .2, .6, 2, 1.4, 0)
			const n, span = 100, 5
			ratios := wetOverDry(t, l, n, root, water, downOn(0, 0, span))
			in := func(x, z float64) [3]float64 {
				return ratios[int((.5-z/span)*n)*n+int((.5+x/span)*n)]
			}
			check(name+", the floor", in(-1, 1.5), depth+.01)
			check(name+", a box's top", in(0, 0), depth-.6)
			for x, what := range map[float64]string{0: "in the shadow of a box in the water", 2: "in the shadow of a box above it"} {
				check(name+", "+what, in(x-.32, 0), depth+.01)
			}
			check(name+", above the water", in(-2, 0), 0)
			root.Remove(water)
			root.Dispose()
		}
	})
}
