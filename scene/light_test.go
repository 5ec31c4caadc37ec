package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

// glass is a liquid that nothing is lost in.
var glass = Look{Tint: math32.Color{R: 1, G: 1, B: 1}, Turbidity: -1, Ripples: -1}

// sunOnly is a sky that is black but for the sun.
func sunOnly(to math32.Vector3) SkyOptions {
	black := math32.Color{R: 1e-6, G: 1e-6, B: 1e-6}
	return SkyOptions{Zenith: black, Horizon: black, Ground: black, Sun: to, SunLit: math32.Color{R: 1, G: 1, B: 1}}.withDefaults()
}

// lit is a scene that only the sun shines on: g3n's materials as brightly as tiles.
func lit(sky SkyOptions) *core.Node {
	root := core.NewNode()
	sun := light.NewDirectional(&math32.Color{R: 1, G: 1, B: 1}, .85)
	sun.SetPositionVec(&sky.Sun)
	root.Add(sun)
	return root
}

// slab adds a box of a material, its middle at x, y, z.
func slab(root *core.Node, mat material.IMaterial, w, h, d, x, y, z float32) *graphic.Mesh {
	m := graphic.NewMesh(geometry.NewBox(w, h, d), mat)
	m.SetPosition(x, y, z)
	root.Add(m)
	return m
}

// matt are white materials that the light map is to be seen on.
func matt() map[string]material.IMaterial {
	white := math32.Color{R: 1, G: 1, B: 1}
	tiles := NewTiles(nil, TileOptions{Size: 100, Joint: 1e-6, Color: white, Other: white, Grout: white})
	physical := material.NewPhysical()
	physical.SetMetallicFactor(0)
	physical.SetRoughnessFactor(1)
	return map[string]material.IMaterial{"standard": NewPaint(white, 0), "tiles": tiles, "physical": physical}
}

// wetOverDry is the light of each pixel of the scene beside that without light maps, of n by n pixels from below.
func wetOverDry(t *testing.T, l *lab, n int, root *core.Node, water *Liquid, cam camera.ICamera) [][3]float64 {
	l.shootWith(t, n, n, root, water, cam)
	wet, _, _ := pixels(water, "scene")
	was := water.options.Caustics
	water.options.Caustics = -1
	l.shootWith(t, n, n, root, water, cam)
	water.options.Caustics = was
	dry, _, _ := pixels(water, "scene")
	ratio := make([][3]float64, n*n)
	for i := range ratio {
		for c := range 3 {
			ratio[i][c] = float64(wet[4*i+c]) / float64(dry[4*i+c])
		}
	}
	return ratio
}

// meanOf is the mean of the pixels.
func meanOf(v [][3]float64) (mean [3]float64) {
	for _, p := range v {
		for c := range mean {
			mean[c] += p[c] / float64(len(v))
		}
	}
	return mean
}

// Under still water and under waves a floor has on the mean the light that Fresnel's and Beer and Lambert's laws let through, whatever it is made of.
func TestLightOnFloor(t *testing.T) {
	onGL(t, func(l *lab) {
		for _, c := range []struct {
			name   string
			sun    math32.Vector3
			height float64
			size   int
			on     []string
		}{
			{"still, high sun", at(.2, 1, .1), 0, 256, []string{"standard", "tiles", "physical"}}, {"still, low sun", at(.9, .4, -.3), 0, 256, []string{"tiles"}},
			{"waves", at(.2, 1, .1), .04, 256, []string{"standard"}}, {"waves, fine map", at(.45, .72, -.35), .05, 512, []string{"standard"}},
		} {
			sky := sunOnly(c.sun)
			water := NewLiquid(pool(c.height, 0, 0), LiquidOptions{Sky: sky, Caustics: c.size})
			water.SetVisible(false)
			const depth = 1.2 // and .01 to the floor
			rise := math.Sqrt(1 - (1-float64(sky.Sun.Y*sky.Sun.Y))/(liquidIndex*liquidIndex))
			medium := water.shared.look.medium()
			for _, name := range c.on {
				root := lit(sky)
				root.Add(water)
				slab(root, matt()[name], 8.2, .2, 6.2, 0, -.11, 0)
				got := meanOf(wetOverDry(t, l, 128, root, water, downOn(0, 0, 3)))
				for k := range got {
					want := (1 - schlick(.0204, float64(sky.Sun.Y))) * math.Exp(-float64(medium[k]+medium[6])*(depth+.01)/rise)
					if off := got[k]/want - 1; math.Abs(off) > .02 {
						t.Errorf("%s, %s, colour %d: the floor has %.4f of a dry one's light, want %.4f", c.name, name, k, got[k], want)
					} else if k == 0 {
						t.Logf("%s, %s: off by %.2f %%", c.name, name, 100*off)
					}
				}
				root.Remove(water)
				root.Dispose()
			}
			water.Dispose()
		}
	})
}

// Waves throw the same pattern on tiles and on g3n's materials.
func TestPatternOnAnyMaterial(t *testing.T) {
	onGL(t, func(l *lab) {
		sky := sunOnly(at(.3, .8, .2))
		water := NewLiquid(pool(.05, 0, 0), LiquidOptions{Sky: sky, Look: glass})
		defer water.Dispose()
		water.SetVisible(false)
		ratios := map[string][][3]float64{}
		for name, mat := range matt() {
			root := lit(sky)
			root.Add(water)
			slab(root, mat, 8.2, .2, 6.2, 0, -.11, 0)
			ratios[name] = wetOverDry(t, l, 128, root, water, downOn(0, 0, 3))
			root.Remove(water)
			root.Dispose()
		}
		for name, most := range map[string]float64{"tiles": .005, "physical": .05} {
			spread, off, mean := 0., 0., meanOf(ratios["standard"])[0]
			for i, p := range ratios["standard"] {
				off = max(off, math.Abs(ratios[name][i][0]-p[0]))
				spread = max(spread, math.Abs(p[0]-mean))
			}
			t.Logf("%s: the light differs by %.4f from that on a standard material, which differs by %.2f from its mean", name, off, spread)
			if off > most || spread < .15 {
				t.Errorf("%s: the light differs by %.4f from that on a standard material, which differs by %.2f from its mean", name, off, spread)
			}
		}
	})
}

// Light that comes straight down meets under a crest at the focal length of its curvature: of steps at many depths that one is brightest.
func TestFocusOfWave(t *testing.T) {
	onGL(t, func(l *lab) {
		const k, amplitude = 2 * math.Pi / 1.6, .03
		const focal = liquidIndex / ((liquidIndex - 1) * amplitude * k * k) // of a surface of radius 1/(amplitude·k²), in the denser medium
		const half, steps, from, by = .25, 21, .8, .02
		const wide = 2 * half / steps
		top := 1.3 * focal
		f := &fakeLiquid{min: r3.Vec{X: -half, Z: -half}, max: r3.Vec{X: half, Y: top, Z: half}, cells: 100,
			shape: func(x, _ float64) float64 { return amplitude * math.Cos(k*x) }}
		sky := sunOnly(at(0, 1, 0))
		water := NewLiquid(f, LiquidOptions{Sky: sky, Look: glass, Caustics: 512})
		defer water.Dispose()
		water.SetVisible(false)
		root := lit(sky)
		root.Add(water)
		height := func(i int) float64 { return top + amplitude - (from+by*float64(i))*focal }
		for i := range steps {
			h := float32(height(i))
			slab(root, NewPaint(math32.Color{R: 1, G: 1, B: 1}, 0), 2*half, h, wide, 0, h/2, float32(wide*(float64(i)-steps/2)))
		}
		const each = 10 // pixels
		const n = each * steps
		img := wetOverDry(t, l, n, root, water, downOn(0, 0, 2*half))
		var light [steps]float64
		for i := range steps {
			for row := 3; row < 7; row++ {
				for _, x := range []int{n/2 - 1, n / 2} {
					light[i] += img[(n-1-each*i-row)*n+x][0] / 8
				}
			}
		}
		brightest, sum, at := slices.Max(light[:]), 0., 0.
		for i, v := range light {
			if v > brightest/2 {
				sum, at = sum+v, at+v*(from+by*float64(i))
			}
		}
		at /= sum
		t.Logf("focal length %.3f m: brightest about %.3f of it, %.1f times the mean", focal, at, brightest)
		if math.Abs(at-1) > .05 || brightest < 10 {
			t.Errorf("brightest about %.3f of the focal length, %.1f times the mean; want 1 ± .05", at, brightest)
		}
		root.Remove(water)
		root.Dispose()
	})
}

// A box throws its shadow on the floor where light goes in water: straight on from one that is in the water, and from one in the air by way of the level.
func TestShadowUnderWater(t *testing.T) {
	onGL(t, func(l *lab) {
		sky := sunOnly(at(.8, .7, 0))
		const level, edge, inWater, inAir = 1.2, .2, .6, 1.8
		rise := math32.Sqrt(1 - (1-sky.Sun.Y*sky.Sun.Y)/(liquidIndex*liquidIndex))
		lean := func(y float32) float32 { // m that light from a height goes aside before it comes to the floor
			return sky.Sun.X/liquidIndex/rise*min(y, level) + sky.Sun.X/sky.Sun.Y*max(y-level, 0)
		}
		water := NewLiquid(pool(0, 0, 0), LiquidOptions{Sky: sky, Look: glass, Caustics: 512})
		defer water.Dispose()
		water.SetVisible(false)
		for _, c := range []struct {
			on string
			y  float32
		}{{"standard", inWater}, {"standard", inAir}, {"tiles", inWater}, {"physical", inWater}} {
			root := lit(sky)
			root.Add(water)
			slab(root, matt()[c.on], 8.2, .2, 6.2, 0, -.1, 0)
			slab(root, NewPaint(math32.Color{R: 1, G: 1, B: 1}, 0), edge, edge, edge, 0, c.y, 0)
			for _, want := range []float32{-edge/2 - lean(c.y+edge/2), edge/2 - lean(c.y-edge/2)} {
				const n, span = 128, .3
				img := l.shootWith(t, n, n, root, water, downOn(want, 0, span))
				if off := edgeIn(img, n/2) * span / n; !(math.Abs(off) < .02) {
					save(t, "shadow_under_water", img)
					t.Errorf("%s, a box at %g m: the shadow's edge is %.3f m off %.3f", c.on, c.y, off, want)
				} else {
					t.Logf("%s, a box at %g m: the edge at %.3f m is off %.1f mm", c.on, c.y, want, 1000*off)
				}
			}
			root.Remove(water)
			root.Dispose()
		}
	})
}

// Above the water nothing of the bent light is seen: a shelf has the light of a dry one. A wall has besides what still water mirrors, and the part of it
// that is under water has none of that. What is untouched has neither.
func TestLightAboveWater(t *testing.T) {
	onGL(t, func(l *lab) {
		sky := sunOnly(at(.8, .35, 0))
		s := sky.Sun
		water := NewLiquid(pool(0, 0, 0), LiquidOptions{Sky: sky, Look: glass, Caustics: 512})
		defer water.Dispose()
		water.SetVisible(false)
		const n = 64
		paint := func() material.IMaterial { return NewPaint(math32.Color{R: 1, G: 1, B: 1}, 0) }
		root := lit(sky)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		shelf := slab(root, paint(), 1, .1, 1, 2.5, 1.5, 2)
		wall := slab(root, paint(), .1, 4, 4, -1, 1, 0) // faces the sun
		slab(root, paint(), 8.2, .2, 6.2, 0, -.11, 0)
		same := func(what string, got [][3]float64, want float64) {
			for _, p := range got {
				if math.Abs(p[0]-want) > .02*want {
					t.Errorf("%s has %.4f of a dry one's light, on the mean %.4f, want %.4f", what, p[0], meanOf(got)[0], want)
					return
				}
			}
			t.Logf("%s: %.4f, want %.4f", what, got[0][0], want)
		}
		same("a shelf", wetOverDry(t, l, n, root, water, downOn(2.5, 2, .6)), 1)
		onWall := func(y float32) [][3]float64 {
			return wetOverDry(t, l, n, root, water, &matrixCamera{
				view: math32.Matrix4{0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, -y, -50, 1}, proj: *math32.NewMatrix4().MakeOrthographic(-.1, .1, .1, -.1, 1, 99)})
		}
		f := schlick(.0204, float64(s.Y))
		same("a wall above the water", onWall(1.6), 1+f)
		rise := math.Sqrt(1 - (1-float64(s.Y*s.Y))/(liquidIndex*liquidIndex))
		side := math.Sqrt(1-rise*rise) * float64(s.Y) / rise // of the light that crosses the level
		same("a wall under it", onWall(.9), (1-f)*side/float64(s.X))
		Untouched(wall)
		Untouched(shelf)
		same("an untouched wall above the water", onWall(1.6), 1)
		same("an untouched wall under it", onWall(.9), 1)
	})
}

// Of two liquids side by side each lights its own floor, and what is between them has the light of a dry place.
func TestLightOfTwoLiquids(t *testing.T) {
	onGL(t, func(l *lab) {
		sky := sunOnly(at(.1, 1, .1))
		murky := Look{Tint: math32.Color{R: .5, G: .5, B: .5}, Turbidity: -1}
		a, b := NewLiquid(basin(-3, 0), LiquidOptions{Sky: sky, Look: glass}), NewLiquid(basin(3, 0), LiquidOptions{Sky: sky, Look: murky})
		defer a.Dispose()
		defer b.Dispose()
		root := lit(sky)
		defer root.Dispose()
		root.Add(a)
		root.Add(b)
		a.SetVisible(false)
		b.SetVisible(false)
		slab(root, NewPaint(math32.Color{R: 1, G: 1, B: 1}, 0), 20, .2, 20, 0, -.11, 0)
		light := func(x float32) float64 {
			l.shootWith(t, 16, 16, root, a, downOn(x, 0, .2))
			v, _, _ := pixels(a, "scene")
			return float64(v[4*(8*16+8)])
		}
		dry, clear, dark := light(0), light(-3), light(3)
		depth := b.shared.box[4] - b.shared.box[1]
		if clear < .95*dry || clear > .99*dry {
			t.Errorf("the clear liquid's floor has %.3f of a dry one's light", clear/dry)
		}
		if want := math.Pow(.5, float64(depth)); math.Abs(dark/clear/want-1) > .03 {
			t.Errorf("the dark liquid's floor has %.3f of the clear one's light, want %.3f", dark/clear, want)
		}
	})
}

// Of five liquids the nearest four have maps; the floor of the farthest is lit as a dry one.
func TestNearestFourLiquidsHaveLight(t *testing.T) {
	onGL(t, func(l *lab) {
		sky := sunOnly(at(.1, 1, .1))
		root := lit(sky)
		defer root.Dispose()
		slab(root, NewPaint(math32.Color{R: 1, G: 1, B: 1}, 0), 40, .2, 20, 0, -.11, 0)
		var liquids []*Liquid
		for i := range maxLightMaps + 1 {
			f := basin(float64(6*i-12), 0)
			f.cells = 4
			w := NewLiquid(f, LiquidOptions{Sky: sky, Caustics: 64, Look: Look{Tint: math32.Color{R: .5, G: .5, B: .5}}})
			w.SetVisible(false)
			root.Add(w)
			defer w.Dispose()
			liquids = append(liquids, w)
		}
		light := func(cam camera.ICamera) float64 {
			l.shootWith(t, 16, 16, root, liquids[0], cam)
			v, _, _ := pixels(liquids[0], "scene")
			return float64(v[4*(8*16+8)])
		}
		dry := light(downOn(-9, 0, .2))
		for i := range liquids {
			if got := light(downOn(float32(6*i-12), 0, .2)) / dry; got > .7 {
				t.Errorf("the floor of liquid %d has %.3f of a dry one's light", i, got)
			}
		}
		if got := light(view(16, 16, at(-12, 4, 0), at(12, 0, 0))) / dry; math.Abs(got-1) > .01 {
			t.Errorf("the floor of the farthest liquid has %.3f of a dry one's light", got)
		}
	})
}
