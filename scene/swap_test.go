package scene

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/gui"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"
)

// tiledFloor adds a floor of a material at y = 0, and returns it.
func tiledFloor(root *core.Node, tiles *Tiles, x float32) *graphic.Mesh {
	m := graphic.NewMesh(geometry.NewBox(6, .2, 6), tiles)
	m.SetPosition(x, -.11, 0)
	root.Add(m)
	return m
}

// basin is a liquid of 4 m by 4 m about x.
func basin(x, height float64) *fakeLiquid {
	return &fakeLiquid{min: r3.Vec{X: x - 2, Z: -2}, max: r3.Vec{X: x + 2, Y: 1, Z: 2}, cells: 60, height: height}
}

// averageOf is the mean colour of a rectangle.
func averageOf(img *image.RGBA, r image.Rectangle) (c [3]float64) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p := img.RGBAAt(x, y)
			for k, v := range [3]uint8{p.R, p.G, p.B} {
				c[k] += float64(v) / 255 / float64(r.Dx()*r.Dy())
			}
		}
	}
	return c
}

func distanceOf(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// One water takes another's place in a running game, at another size too; the tiles stay.
func TestAnotherWaterTakesItsPlace(t *testing.T) {
	onGL(t, func(l *lab) {
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(SkyOptions{}))
		first := NewLiquid(basin(0, .04), LiquidOptions{})
		root.Add(first)
		tiles := NewTiles(first, TileOptions{})
		tiledFloor(root, tiles, 0)
		eye, aim := at(0, 4, 4), at(0, 0, 0)
		wet := l.shoot(t, 320, 180, root, first, view(320, 180, eye, aim))
		for i := range 3 {
			root.Remove(first)
			first.Dispose()
			first.Dispose()                // does no harm
			first.Update(time.Second)      // nor does this
			NewTiles(first, TileOptions{}) // nor this
			if err := first.Draw(l.rend, root, view(320, 180, eye, aim)); err == nil || !strings.Contains(err.Error(), "disposed") {
				t.Errorf("drawn with a liquid that is gone: %v", err)
			}
			if i == 2 {
				root.Add(first) // forgotten in the scene
			}
			late := tiledFloor(root, NewTiles(first, TileOptions{}), 7)
			second := NewLiquid(basin(0, .04), LiquidOptions{})
			root.Add(second)
			h := 200 + 20*i
			dry := l.shoot(t, 320, h, root, second, view(320, h, eye, aim))
			save(t, "replaced_dry", dry)
			root.Remove(late)
			tiles.SetLiquid(second)
			l.shoot(t, 320, h, root, second, view(320, h, eye, aim))
			again := l.shoot(t, 320, 180, root, second, view(320, 180, eye, aim))
			if d := distanceOf(averageOf(wet, wet.Bounds()), averageOf(again, again.Bounds())); d > .002 {
				t.Errorf("replacement %d: the picture differs by %.4f from the first water's", i, d)
			}
			first = second
		}
		other := NewLiquid(basin(0, 0), LiquidOptions{})
		defer other.Dispose()
		root.Add(other)
		l.shoot(t, 320, 180, root, first, view(320, 180, eye, aim))
		root.Remove(first)
		first.Dispose() // that has drawn the other one
		l.shoot(t, 320, 180, root, nil, view(320, 180, eye, aim))
		l.shoot(t, 320, 190, root, other, view(320, 190, eye, aim))
	})
}

// Where nothing sets g3n's viewport, as app.App does not, Draw fills the window; without one it says what to call.
func TestDrawWithoutViewport(t *testing.T) {
	onGL(t, func(l *lab) {
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(SkyOptions{}))
		water := NewLiquid(basin(0, 0), LiquidOptions{})
		defer water.Dispose()
		cam := view(1280, 720, at(0, 4, 4), at(0, 0, 0))
		l.gs.Viewport(0, 0, 0, 0)
		delete(sized, l.gs)
		water.stage.window = func() (int, int, bool) { return 0, 0, false }
		if err := water.Draw(l.rend, root, cam); err == nil || !strings.Contains(err.Error(), "gls.GLS.Viewport") {
			t.Errorf("without a window: %v", err)
		}
		water.stage.window = func() (int, int, bool) { return 0, 0, true }
		if err := water.Draw(l.rend, root, cam); err != nil {
			t.Errorf("a minimised window: %v", err)
		}
		water.stage.window = windowSize
		width, height := window.Get().GetFramebufferSize()
		filled := func(wantW, wantH int) {
			t.Helper()
			l.gs.ClearColor(1, 0, 1, 1)
			l.gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
			if err := water.Draw(l.rend, root, cam); err != nil {
				t.Error(err)
			}
			if _, _, w, h := l.gs.GetViewport(); int(w) != wantW || int(h) != wantH {
				t.Errorf("the viewport is %d×%d, want %d×%d", w, h, wantW, wantH)
			}
			if a := float64(cam.Aspect()); wantW != 100 && math.Abs(a-float64(wantW)/float64(wantH)) > 1e-3 {
				t.Errorf("the camera's aspect is %g", a)
			}
			img := l.grab(wantW, wantH)
			if s := share(img, img.Bounds(), func(c color.RGBA) bool { return c.R < 12 && c.G < 12 && c.B < 12 || c.R > 230 && c.G < 60 && c.B > 230 }); s > 0 {
				t.Errorf("%g of the picture is black or a hole", s)
			}
		}
		filled(width, height)
		water.stage.window = func() (int, int, bool) { return width / 2, height / 3, true } // made smaller
		filled(width/2, height/3)
		l.gs.Viewport(0, 0, 100, 60) // the game's own
		filled(100, 60)
	})
}

// A panel of g3n's GUI shows when it is rendered after Draw, whatever the window's depth was.
func TestGUIShowsAfterDraw(t *testing.T) {
	onGL(t, func(l *lab) {
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(SkyOptions{}))
		water := NewLiquid(basin(0, 0), LiquidOptions{})
		defer water.Dispose()
		root.Add(water)
		defer root.Remove(water)
		ui := core.NewNode()
		panel := gui.NewPanel(60, 40)
		panel.SetColor(&math32.Color{R: 1})
		panel.SetPosition(20, 20)
		ui.Add(panel)
		ui.Add(gui.NewLabel("metres"))
		defer ui.Dispose()
		red := func(img *image.RGBA) float64 {
			return share(img, image.Rect(25, 25, 75, 55), func(c color.RGBA) bool { return c.R > 240 && c.G < 10 && c.B < 10 })
		}
		for name, depth := range map[string]float32{"full": 0, "clear": 1, "of a scene": .5} {
			l.gs.ClearDepth(depth)
			l.gs.Clear(gls.DEPTH_BUFFER_BIT)
			l.gs.ClearDepth(1)
			l.gs.Viewport(0, 0, 320, 180)
			cam := view(320, 180, at(0, 4, 4), at(0, 0, 0))
			for range 2 { // frames
				if err := water.Draw(l.rend, root, cam); err != nil {
					t.Error(err)
				}
				if err := l.rend.Render(ui, cam); err != nil {
					t.Error(err)
				}
			}
			img := l.grab(320, 180)
			save(t, "gui", img)
			if s := red(img); s < 1 {
				t.Errorf("depth %s: %g of the panel shows", name, s)
			}
		}
	})
}

// Of two liquids that are drawn at once, either has an inside.
func TestEachLiquidHasAnInside(t *testing.T) {
	onGL(t, func(l *lab) {
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(SkyOptions{}))
		clear := NewLiquid(basin(-3, 0), LiquidOptions{})
		murky := NewLiquid(basin(3, 0), LiquidOptions{Look: Look{Tint: math32.Color{R: .02, G: .5, B: .02}, Turbidity: 2, Scatter: math32.Color{G: .3}}})
		defer clear.Dispose()
		defer murky.Dispose()
		root.Add(clear)
		root.Add(murky)
		tiledFloor(root, NewTiles(clear, TileOptions{}), -3)
		tiledFloor(root, NewTiles(murky, TileOptions{}), 3)
		const w, h = 320, 180
		shoot := func(by *Liquid, x float32) [3]float64 {
			img := l.shoot(t, w, h, root, by, view(w, h, at(x, .5, 1), at(x, 0, 0)))
			save(t, "inside", img)
			return averageOf(img, img.Bounds())
		}
		for name, c := range map[string]struct {
			by    *Liquid
			other *Liquid
			x     float32
			green bool
		}{
			"in the one that draws":        {clear, murky, -3, false},
			"in the other":                 {clear, murky, 3, true},
			"in the one that draws, murky": {murky, clear, 3, true},
			"in the other, clear":          {murky, clear, -3, false},
		} {
			c3 := shoot(c.by, c.x)
			if green := c3[1] > 2*c3[0] && c3[1] > 2*c3[2]; green != c.green {
				t.Errorf("%s: the colour is %.2f", name, c3)
			}
			if d := distanceOf(c3, shoot(c.other, c.x)); d > .01 {
				t.Errorf("%s: the two liquids' pictures differ by %.3f", name, d)
			}
		}
		seen := shoot(clear, 3)
		murky.SetVisible(false)
		c := shoot(clear, 3) // the hidden liquid lights the floor still
		t.Logf("in a liquid: %.2f, in a hidden one: %.2f", seen, c)
		if c[1] > 2*c[0] || c[1]/c[0] > .7*seen[1]/seen[0] {
			t.Errorf("in a liquid: %.2f, in a hidden one: %.2f", seen, c)
		}
		murky.SetVisible(true)
	})
}

// Caustics lie on the tiles of each of two liquids that are drawn at once.
func TestEachLiquidHasCaustics(t *testing.T) {
	onGL(t, func(l *lab) {
		root := core.NewNode()
		defer root.Dispose()
		a, b := NewLiquid(basin(-3, .04), LiquidOptions{}), NewLiquid(basin(3, .04), LiquidOptions{})
		defer a.Dispose()
		defer b.Dispose()
		root.Add(a)
		root.Add(b)
		a.SetVisible(false)
		b.SetVisible(false) // one looks at the floor
		tiledFloor(root, NewTiles(b, TileOptions{Size: 100, Joint: .01}), 3)
		l.shoot(t, 320, 180, root, a, view(320, 180, at(3, 5, .1), at(3, 0, 0)))
		if !b.shared.light.drawn {
			t.Error("the second liquid has no caustics")
		}
		lo, hi := math.Inf(1), 0.
		for _, p := range wetOverDry(t, l, 64, root, b, downOn(3, 0, 1.5)) {
			lo, hi = min(lo, p[1]), max(hi, p[1])
		}
		if hi < 1.1*lo {
			t.Errorf("the floor has %.3f to %.3f of a dry one's light", lo, hi)
		}
	})
}

// Beside the wall towards the sun still water sends no light to the floor, which is lit as a dry one. What waves throw there adds to that: it is no
// shadow.
func TestCausticsAddWhereStillWaterSendsNone(t *testing.T) {
	onGL(t, func(l *lab) {
		strip, middle := image.Rect(152, 10, 169, 170), image.Rect(20, 10, 100, 170) // 1.72 to 1.98 m, -.3 to .9 m
		for _, height := range []float64{.05, .1, .14} {
			for _, when := range []float64{0, .4, .9, 1.5} {
				root := core.NewNode()
				f := basin(0, height)
				f.Step(when)
				w := NewLiquid(f, LiquidOptions{Look: glass, NoAntialias: true, Bloom: -1})
				w.SetVisible(false) // one looks at the floor
				root.Add(w)
				tiledFloor(root, NewTiles(w, TileOptions{Size: 100, Joint: .01}), 0)
				shoot := func() *image.RGBA {
					return l.shoot(t, 320, 180, root, w, view(320, 180, at(1.85, 3, .03), at(1.85, 0, 0)))
				}
				wet := shoot()
				w.options.Caustics = -1
				plain := shoot()
				darker := func(r image.Rectangle) (n int) {
					for y := r.Min.Y; y < r.Max.Y; y++ {
						for x := r.Min.X; x < r.Max.X; x++ {
							if luma(wet.RGBAAt(x, y)) < luma(plain.RGBAAt(x, y))-.02 {
								n++
							}
						}
					}
					return n
				}
				if n := darker(strip); n > 0 {
					save(t, "strip", wet)
					t.Errorf("waves of %g m, %g s: %d places are darker than a dry floor", height, when, n)
				}
				if darker(middle) == 0 {
					t.Errorf("waves of %g m, %g s: no place under the waves is darker than a dry floor", height, when)
				}
				w.Dispose()
				root.Dispose()
			}
		}
	})
}

// Sky, tiles, dry ones too, and what all liquids mirror follow when one's daylight is changed.
func TestDaylightFollows(t *testing.T) {
	dusk := SkyOptions{Zenith: math32.Color{R: .25, G: .02, B: .02}, Horizon: math32.Color{R: .9, G: .2, B: .02},
		Ground: math32.Color{R: .2, G: .02, B: .02}, Sun: at(.9, .1, 0), SunLit: math32.Color{R: .5, G: .1}}
	noon := SkyOptions{Zenith: math32.Color{R: .1, G: .3, B: .7}} // given, and yet it follows what is set
	places := map[string]image.Rectangle{
		"sky": image.Rect(150, 5, 170, 25), "wet tiles": image.Rect(150, 168, 170, 178), "dry tiles": image.Rect(2, 160, 22, 175),
		"first liquid": image.Rect(60, 110, 110, 130), "second liquid": image.Rect(210, 110, 260, 130),
	}
	onGL(t, func(l *lab) {
		for name, c := range map[string]struct {
			sky, tiles, liquid SkyOptions
			change             func(s *Sky, d *Tiles, a, b *Liquid)
			plain              bool
		}{
			"the liquid's":            {change: func(_ *Sky, _ *Tiles, a, _ *Liquid) { a.SetSky(dusk) }},
			"the liquid's, all given": {noon, noon, noon, func(_ *Sky, _ *Tiles, a, _ *Liquid) { a.SetSky(dusk) }, false},
			"the other liquid's":      {change: func(_ *Sky, _ *Tiles, _, b *Liquid) { b.SetSky(dusk) }},
			"the sky's":               {change: func(s *Sky, _ *Tiles, _, _ *Liquid) { s.SetSky(dusk) }},
			"the tiles'":              {change: func(_ *Sky, d *Tiles, _, _ *Liquid) { d.SetSky(dusk) }},
			"the last one's": {change: func(s *Sky, _ *Tiles, a, b *Liquid) {
				s.SetSky(noon)
				b.SetSky(noon)
				a.SetSky(dusk)
			}},
			"the game's own Render": {change: func(_ *Sky, _ *Tiles, a, _ *Liquid) { a.SetSky(dusk) }, plain: true},
		} {
			root := core.NewNode()
			sky := NewSky(c.sky)
			root.Add(sky)
			a, b := NewLiquid(basin(-2.1, 0), LiquidOptions{Sky: c.liquid}), NewLiquid(basin(2.1, 0), LiquidOptions{Sky: c.liquid})
			root.Add(a)
			root.Add(b)
			dry := NewTiles(nil, TileOptions{Sky: c.tiles})
			tiledFloor(root, NewTiles(a, TileOptions{Sky: c.tiles}), 0).SetPosition(0, -.11, 5)
			tiledFloor(root, dry, 0).SetPosition(-6, -.11, 5)
			cam := view(320, 180, at(0, 1.9, 8), at(0, .9, 0))
			by := a
			if c.plain {
				by = nil
			}
			before := l.shoot(t, 320, 180, root, by, cam)
			c.change(sky, dry, a, b)
			after := l.shoot(t, 320, 180, root, by, cam)
			save(t, "daylight_before", before)
			save(t, "daylight_after", after)
			for place, r := range places {
				was, is := averageOf(before, r), averageOf(after, r)
				if was[0] > 1.15*was[2] {
					t.Errorf("%s: %s is red at noon: %.2f", name, place, was)
				}
				if is[0] < 1.5*is[2] {
					t.Errorf("%s: %s has %.2f at dusk, %.2f at noon", name, place, is, was)
				}
			}
			root.Dispose()
		}
	})
}

// What is made without a sky takes that of what has one.
func TestDaylightIsGivenOnce(t *testing.T) {
	onGL(t, func(l *lab) {
		evening := SkyOptions{Zenith: math32.Color{R: .5}}
		for name, c := range map[string]struct{ sky, liquid SkyOptions }{"sky": {sky: evening}, "liquid": {liquid: evening}} {
			root := core.NewNode()
			sky, water := NewSky(c.sky), NewLiquid(basin(0, 0), LiquidOptions{Sky: c.liquid})
			root.Add(sky)
			root.Add(water)
			l.shoot(t, 64, 36, root, water, view(64, 36, at(0, 2, 6), at(0, 1, 0)))
			if want := evening.withDefaults().values(); sky.sky.values != want || water.shared.sky.values != want {
				t.Errorf("given to the %s only, the other has noon", name)
			}
			root.Dispose()
		}
	})
}
