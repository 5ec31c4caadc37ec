package scene

import (
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

// Of liquids that a plane parts the one on the eye's side comes last, even where the other one is nearer.
func TestLiquidsBackToFront(t *testing.T) {
	at3 := func(x, y, z float32) math32.Vector3 { return math32.Vector3{X: x, Y: y, Z: z} }
	for name, c := range map[string]struct {
		a, b  [6]float32 // a is to come last
		eye   math32.Vector3
		equal bool
	}{
		"beside":       {a: [6]float32{0, 0, 0, 1, 1, 1}, b: [6]float32{2, 0, 0, 3, 1, 1}, eye: at3(-1, .5, .5)},
		"low and high": {a: [6]float32{1, 0, 0, 2, 1, 1}, b: [6]float32{2, 0, 0, 3, 4.9, 1}, eye: at3(0, 5, .5)},
		"on another":   {a: [6]float32{0, 1, 0, 3, 2, 3}, b: [6]float32{0, 0, 0, 3, 1, 3}, eye: at3(9, 8, 9)},
		"in another":   {a: [6]float32{0, 0, 0, 3, 3, 3}, b: [6]float32{1, 1, 1, 2, 2, 2}, eye: at3(-3, 1, 1)},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := &Liquid{shared: &shared{box: c.a}}, &Liquid{shared: &shared{box: c.b}}
			found := []*Liquid{b, a}
			if swapped {
				found = []*Liquid{a, b}
			}
			if backToFront(found, c.eye); found[1] != a {
				t.Errorf("%s, swapped %v: the wrong one comes last", name, swapped)
			}
		}
	}
}

// sunless is a sky that throws no shadows.
var sunless = SkyOptions{Sun: math32.Vector3{Y: -1}}

// blockOf is a fake liquid that doesn't flow, in a box.
func blockOf(lo, hi r3.Vec) calm { return calm{&fakeLiquid{min: lo, max: hi, cells: 24}} }

// difference is how much redder a picture's light is than another's, pixel by pixel.
func difference(a, b []float32) []float64 {
	d := make([]float64, len(a)/4)
	for i := range d {
		d[i] = float64(a[4*i] - b[4*i])
	}
	return d
}

// Oil that stands before water shows the water, as much as Fresnel's law and Beer's let through: whichever was made first and whichever draws.
func TestOilBeforeWater(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 320, 180
		cam := view(w, h, at(0, .6, 4), at(0, .5, 0))
		for _, q := range []DrawQuality{DrawLow, DrawHigh} {
			var first []uint8
			shoot := func(oil, water, oilFirst, oilDraws bool) []float32 {
				a := NewLiquid(blockOf(r3.Vec{X: -1, Z: .8}, r3.Vec{X: 1, Y: 1.2, Z: 1}), LiquidOptions{Quality: q, Caustics: -1, Sky: sunless})
				b := NewLiquid(blockOf(r3.Vec{X: -1.5, Z: -2}, r3.Vec{X: 1.5, Y: 1.2, Z: -1}), LiquidOptions{Quality: q, Caustics: -1, Sky: sunless})
				defer a.Dispose()
				defer b.Dispose()
				b.SetLook(Look{Tint: math32.Color{R: .95, G: .02, B: .02}, Turbidity: 30})
				a.SetVisible(oil)
				b.SetVisible(water)
				root := core.NewNode()
				defer root.Dispose()
				root.Add(NewSky(SkyOptions{}))
				nodes := []*Liquid{a, b}
				if !oilFirst {
					slices.Reverse(nodes)
				}
				for _, n := range nodes {
					n.Update(0)
					root.Add(n)
					defer root.Remove(n)
				}
				by := b
				if oilDraws {
					by = a
				}
				img := l.shoot(t, w, h, root, by, cam)
				if oil && water {
					save(t, "oil_before_water", img)
					if first == nil {
						first = slices.Clone(img.Pix)
					} else if !slices.Equal(first, img.Pix) {
						t.Errorf("quality %d: the picture depends on which liquid is first or draws", q)
					}
				}
				v, _, _ := pixels(by, "mix")
				return v
			}
			both := shoot(true, true, true, true)
			shoot(true, true, false, true)
			shoot(true, true, false, false)
			none := shoot(false, false, true, true)
			direct := difference(shoot(false, true, true, true), none)
			through := difference(both, shoot(true, false, true, true))
			var sum, want float64
			n := 0
			for y := 60; y < 100; y++ {
				for x := 130; x < 190; x++ {
					eye, way := throughPixel(cam, x, y, w, h)
					i := y*w + x
					if _, is := hitsSlab(eye, way); !is || math.Abs(direct[i]) < .05 {
						continue
					}
					f := .0204 + (1-.0204)*math.Pow(1+way.Z, 5)
					sum += through[i]
					want += direct[i] * (1 - f) * math.Exp(-absorbed()*.2)
					n++
				}
			}
			t.Logf("quality %d: at %d pixels the water's light through the oil is %.3f of what is due", q, n, sum/want)
			if n < 1000 || math.Abs(sum/want-1) > .05 {
				t.Errorf("quality %d: the water is not seen through the oil", q)
			}
		}
	})
}

// hitsSlab is a ray's way to the near one of TestOilBeforeWater, through its front.
func hitsSlab(eye, way r3.Vec) (float64, bool) {
	d := toBox(eye, way, r3.Vec{X: -.95, Y: .05, Z: .8}, r3.Vec{X: .95, Y: 1.15, Z: 1})
	return d, !math.IsInf(d, 1)
}

// absorbed is what of red a metre of the default look takes, 1/m.
func absorbed() float64 {
	m := Look{}.withDefaults().medium()
	return float64(m[0] + m[6])
}

// A pane of half transparent glass adds half of what an opaque one adds: before two waters, in the near one, between them, in the far one and behind both,
// in the water with the eye too, and whether it was made before them or after. Behind it is nothing that gives light.
func TestGlassBeforeInAndBehindWater(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 160, 90
		upright, level := [3]float32{.6, .6, .02}, [3]float32{.6, .02, .6}
		outside := view(w, h, at(.1, .7, 5), at(0, .5, 0))
		var waters [2]*Liquid
		for i, box := range [][2]r3.Vec{{{X: -1, Z: .6}, {X: 1, Y: 1.2, Z: 2.6}}, {{X: -1.5, Z: -2}, {X: 1.5, Y: 1.2, Z: -1}}} {
			waters[i] = NewLiquid(blockOf(box[0], box[1]), LiquidOptions{Caustics: -1, Sky: sunless})
			waters[i].Update(0)
			defer waters[i].Dispose()
		}
		shoot := func(cam *camera.Camera, pane *graphic.Mesh, last bool) (img *image.RGBA, light []float32) {
			root := core.NewNode()
			defer root.Dispose()
			back := graphic.NewMesh(geometry.NewPlane(60, 60), NewPaint(math32.Color{}, 0))
			back.SetPosition(0, 0, -6)
			root.Add(back)
			if pane != nil && !last {
				root.Add(pane)
			}
			for _, n := range waters {
				root.Add(n)
				defer root.Remove(n)
			}
			if pane != nil && last {
				root.Add(pane)
			}
			img = l.shoot(t, w, h, root, waters[0], cam)
			light, _, _ = pixels(waters[0], "mix")
			return img, light
		}
		for i, c := range []struct {
			name  string
			cam   *camera.Camera
			size  [3]float32
			place math32.Vector3
		}{
			{"before", outside, upright, at(0, .7, 3)},
			{"in the near one", outside, upright, at(0, .6, 1.2)},
			{"between", outside, upright, at(0, .6, 0)},
			{"in the far one", outside, upright, at(0, .6, -1.5)},
			{"behind", outside, [3]float32{1.2, .8, .02}, at(0, .6, -2.6)},
			{"under the surface", view(w, h, at(.1, 2.4, 3), at(0, .6, 1.4)), level, at(0, .6, 1.4)},
			{"in the water with the eye", view(w, h, at(.1, .6, 2.2), at(0, .5, 0)), upright, at(0, .6, 1.2)},
			{"under the surface with the eye", view(w, h, at(.1, .4, 2.3), at(0, 1.2, 1)), upright, at(0, .9, 1.4)},
			{"out of the water with the eye in it", view(w, h, at(.1, .6, 2.2), at(0, .5, 0)), upright, at(0, .6, -.3)},
		} {
			for k, q := range []DrawQuality{DrawLow, DrawMedium} {
				if testing.Short() && i%2 != k {
					continue
				}
				waters[0].SetQuality(q)
				_, none := shoot(c.cam, nil, false)
				_, opaque := shoot(c.cam, pane(c.size, c.place, false), false)
				img, clear := shoot(c.cam, pane(c.size, c.place, true), i%2 == 0)
				save(t, "glass_"+strings.ReplaceAll(c.name, " ", "_"), img)
				whole, half := difference(opaque, none), difference(clear, none)
				seen := make([]bool, len(whole))
				for k, d := range whole {
					seen[k] = d > .3*slices.Max(whole)
				}
				n, wrong := 0, 0
				for k := range seen {
					if alone(seen, k, w, h) {
						n++
						if math.Abs(half[k]/whole[k]-.5) > .03 {
							wrong++
						}
					}
				}
				t.Logf("%s, quality %d: of %d pixels that see the pane %d don't see half of it", c.name, q, n, wrong)
				if n < 30 || wrong > n/50 {
					t.Errorf("%s, quality %d: of %d pixels that see the pane %d don't see half of it", c.name, q, n, wrong)
				}
			}
		}
	})
}

// pane is a box at a place that gives red light, half transparent or not.
func pane(size [3]float32, place math32.Vector3, clear bool) *graphic.Mesh {
	m := aglow(geometry.NewBox(size[0], size[1], size[2]), place.X, place.Y, place.Z)
	if clear {
		mat := m.Materials()[0].IMaterial().(*material.Standard)
		mat.SetTransparent(true)
		mat.SetOpacity(.5)
	}
	return m
}
