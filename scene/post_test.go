package scene

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

// glareOf is what of a pixel's light is spread at most, as glare.glsl has it: with x above 1, x²/(x+1).
func glareOf(rgb []float32) (glare [3]float64) {
	most := float64(max(rgb[0], rgb[1], rgb[2]))
	if x := min(most-1, 50); x > 0 {
		for i := range glare {
			glare[i] = float64(rgb[i]) * x * x / ((x + 1) * most)
		}
	}
	return glare
}

// A glint in the dark spreads, and the sum of light stays.
func TestBloomKeepsLight(t *testing.T) {
	onGL(t, func(l *lab) {
		const share = .5
		for _, size := range [][2]int{{256, 144}, {253, 141}} {
			w, h := size[0], size[1]
			water := emptyLiquid(LiquidOptions{Bloom: share})
			root := core.NewNode()
			root.Add(aglow(geometry.NewSphere(.05, 16, 12), .1, .05, 0))
			dark := graphic.NewMesh(geometry.NewPlane(40, 40), NewPaint(math32.Color{}, 0))
			dark.SetPosition(0, 0, -5)
			root.Add(dark)
			save(t, "bloom_glint", l.shoot(t, w, h, root, water, view(w, h, at(0, 0, 3), at(0, 0, 0))))
			mix, _, _ := pixels(water, "mix")
			bloom, bw, bh := pixels(water, "bloom")
			shown, _, _ := pixels(water, "picture")
			var light, taken, spread float64
			reach := 0
			for i := range w * h {
				rgb := mix[4*i : 4*i+3]
				glare := glareOf(rgb)
				light += float64(rgb[0])
				taken += share * glare[0]
				if rgb[0] < 1e-3 && shown[4*i] > 1./255 {
					reach++
				}
			}
			for i := range bw * bh {
				spread += share * float64(bloom[4*i]) * float64(w*h) / float64(bw*bh)
			}
			t.Logf("%d×%d: of light %.1f bloom takes %.2f and gives %.2f; it is seen at %d pixels that were dark", w, h, light, taken, spread, reach)
			if taken < .2*light || math.Abs(spread-taken) > .01*light || reach < 1000 {
				t.Errorf("%d×%d: light is lost, or doesn't spread", w, h)
			}
			water.Dispose()
			root.Dispose()
		}
	})
}

// A picture without light above 1 has no bloom, nor has one that is to have none.
func TestNoBloomBelowTheKnee(t *testing.T) {
	onGL(t, func(l *lab) {
		shoot := func(bloom float32, glow float64) []uint8 {
			water := emptyLiquid(LiquidOptions{Bloom: bloom})
			defer water.Dispose()
			root := core.NewNode()
			defer root.Dispose()
			mat := material.NewStandard(&math32.Color{})
			mat.SetSpecularColor(&math32.Color{})
			c := float32(1.055*math.Pow(glow, 1/2.4) - .055)
			mat.SetEmissiveColor(&math32.Color{R: c, G: c, B: c})
			root.Add(graphic.NewMesh(geometry.NewSphere(.3, 24, 16), mat))
			return slices.Clone(l.shoot(t, 128, 72, root, water, view(128, 72, at(0, 0, 3), at(0, 0, 0))).Pix)
		}
		if !slices.Equal(shoot(1, .99), shoot(-1, .99)) {
			t.Error("light of .99 blooms")
		}
		if slices.Equal(shoot(1, 9), shoot(-1, 9)) {
			t.Error("light of 9 doesn't bloom")
		}
	})
}

// The picture of a straight edge is a straight line to a fraction of a pixel, whatever its slope.
func TestEdgesAreSmooth(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 256, 144
		for _, slope := range []float64{1. / 30, 1. / 12, 1. / 5, 1. / 2, 1} {
			for _, steep := range []bool{false, true} {
				for _, plain := range []bool{false, true} {
					step, off := l.edge(t, slope, steep, plain, w, h)
					t.Logf("slope %.3f, steep %v, without smoothing %v: steps of %.2f pixels, %.2f from a straight line", slope, steep, plain, step, off)
					if plain && slope < .3 && step < .7 {
						t.Errorf("slope %.3f: an edge that isn't smoothed has steps of %.2f pixels: the test sees none", slope, step)
					}
					if !plain && (step > .3 || off > .2) {
						t.Errorf("slope %.3f, steep %v: steps of %.2f pixels, %.2f from a straight line", slope, steep, step, off)
					}
				}
			}
		}
	})
}

// edge draws a white half of the picture whose edge has a slope. It returns the most by which the edge's place in a column departs from the one beside, and
// from a straight line, pixels. The place is the sum of the column's brightness.
func (l *lab) edge(t *testing.T, slope float64, steep, plain bool, w, h int) (step, off float64) {
	t.Helper()
	water := emptyLiquid(LiquidOptions{NoAntialias: plain})
	defer water.Dispose()
	root := core.NewNode()
	defer root.Dispose()
	mat := material.NewStandard(&math32.Color{R: 1, G: 1, B: 1})
	mat.SetUseLights(material.UseLightNone)
	half := graphic.NewMesh(geometry.NewPlane(20, 20), mat)
	turn := math.Atan(slope)
	if steep {
		turn = math.Pi/2 - turn
	}
	half.SetRotation(0, 0, float32(turn))
	half.SetPosition(float32(10*math.Sin(turn)), float32(-10*math.Cos(turn)), 0)
	dark := graphic.NewMesh(geometry.NewPlane(60, 60), NewPaint(math32.Color{}, 0))
	dark.SetPosition(0, 0, -1)
	root.Add(half)
	root.Add(dark)
	img := l.shoot(t, w, h, root, water, view(w, h, at(.01, .02, 3), at(.01, .02, 0)))
	n, across, at := w, h, func(i, j int) float64 { return float64(img.RGBAAt(i, j).G) / 255 }
	if steep {
		n, across, at = h, w, func(i, j int) float64 { return float64(img.RGBAAt(j, i).G) / 255 }
	}
	white := shownAs(1) / 255
	var place []float64
	for i := n / 4; i < 3*n/4; i++ {
		sum := 0.0
		for j := range across {
			sum += at(i, j) / white
		}
		place = append(place, sum)
	}
	rise := math.Copysign(slope, place[len(place)-1]-place[0])
	mean, middle := 0.0, float64(len(place)-1)/2
	for _, p := range place {
		mean += p / float64(len(place))
	}
	for i, p := range place {
		off = max(off, math.Abs(p-mean-rise*(float64(i)-middle)))
		if i > 0 {
			step = max(step, math.Abs(p-place[i-1]-rise))
		}
	}
	return step, off
}

// Smoothing makes no combs: along a joint of tiles that other joints cross, brightness doesn't go up and down from pixel to pixel where it did not before.
func TestSmoothingMakesNoCombs(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 320, 180
		var combs [2]int
		for i, plain := range []bool{false, true} {
			water := emptyLiquid(LiquidOptions{NoAntialias: plain})
			root := core.NewNode()
			root.Add(NewSky(SkyOptions{}))
			wall := graphic.NewMesh(geometry.NewBox(12, 8, .1), NewTiles(nil, TileOptions{}))
			root.Add(wall)
			for _, turn := range []float32{.012, .02, .03} {
				cam := view(w, h, at(.3, .2, 1.6), at(.25, .15, 0))
				cam.RotateZ(turn)
				img := l.shoot(t, w, h, root, water, cam)
				save(t, "combs", img)
				at := func(x, y int) float64 { return 255 * luma(img.RGBAAt(x, y)) }
				for y := range h - 4 {
					for x := range w - 4 {
						if zigzag(func(k int) float64 { return at(x, y+k) }) || zigzag(func(k int) float64 { return at(x+k, y) }) {
							combs[i]++
						}
					}
				}
			}
			root.Dispose()
			water.Dispose()
		}
		t.Logf("%d places of combs, %d without smoothing", combs[0], combs[1])
		if combs[0] > combs[1] {
			t.Errorf("%d places of combs, %d without smoothing", combs[0], combs[1])
		}
	})
}

// zigzag reports whether brightness goes up and down over five pixels, by four steps of a display or more each.
func zigzag(at func(k int) float64) bool {
	up := 1.
	if at(1) < at(0) {
		up = -1
	}
	for k := range 4 {
		if up*(at(k+1)-at(k)) < 4 {
			return false
		}
		up = -up
	}
	return true
}

// A night's sky has no bands: what is shown differs from the sky by less than a tenth of a display's step in the mean of 8 by 8 pixels.
// Without smoothed edges, for which stars would be some.
func TestNightSkyHasNoBands(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h, edge = 320, 184, 8
		night := SkyOptions{Zenith: math32.Color{R: .001, G: .0015, B: .004}, Horizon: math32.Color{R: .004, G: .006, B: .012}, Ground: math32.Color{R: .001, G: .001, B: .001},
			Sun: math32.Vector3{X: .3, Y: -.5, Z: -.8}, SunLit: math32.Color{R: .001, G: .001, B: .001}}
		water := emptyLiquid(LiquidOptions{Sky: night, NoAntialias: true})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(SkyOptions{}))
		img := l.shoot(t, w, h, root, water, view(w, h, at(0, 0, 0), at(0, .3, -1)))
		save(t, "night", img)
		sky, _, _ := pixels(water, "picture")
		worst, band, run := 0.0, 0, 0
		step := func(x, y, k int) int { return int(math.Round(255 * float64(sky[4*((h-1-y)*w+x)+k]))) }
		for k := range 3 {
			for y0 := 0; y0 < h; y0 += edge {
				for x0 := 0; x0 < w; x0 += edge {
					sum := 0.0
					for i := range edge * edge {
						x, y := x0+i%edge, y0+i/edge
						p := img.RGBAAt(x, y)
						sum += float64([]uint8{p.R, p.G, p.B}[k]) - 255*float64(sky[4*((h-1-y)*w+x)+k])
					}
					worst = max(worst, math.Abs(sum)/(edge*edge))
				}
			}
			for y := 1; y < h; y++ {
				if run++; step(w/2, y, k) != step(w/2, y-1, k) {
					run = 0
				}
				band = max(band, run)
			}
		}
		t.Logf("the mean is off %.3f of a step; without noise bands would be up to %d pixels wide", worst, band)
		if worst > .1 || band < 10 {
			t.Errorf("the mean of %d by %d pixels is off %.3f of a step; bands would be %d pixels wide", edge, edge, worst, band)
		}
	})
}

// calm is a liquid that doesn't flow.
type calm struct{ *fakeLiquid }

func (c calm) Step(dt float64) *fluid.Report {
	r := c.fakeLiquid.Step(dt)
	clear(c.surface.Velocities)
	return r
}

// While nothing moves all pictures are the same, bit by bit.
func TestRestIsStill(t *testing.T) {
	onGL(t, func(l *lab) {
		src := pool(0, 0, 0)
		src.cells = 40
		water := NewLiquid(calm{src}, LiquidOptions{Quality: DrawHigh})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		cam := view(160, 90, shots[1].eye, shots[1].aim)
		var first []uint8
		for i := range 3 {
			water.Update(time.Second / 60)
			img := l.shoot(t, 160, 90, root, water, cam)
			if i == 0 {
				first = slices.Clone(img.Pix)
			} else if !slices.Equal(first, img.Pix) {
				t.Errorf("picture %d at rest is another", i)
			}
		}
	})
}
