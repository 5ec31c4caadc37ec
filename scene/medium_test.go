package scene

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

// leftOut has Draw leave out passes until restore is called.
func leftOut(names ...string) (restore func()) {
	kept := slices.Clone(passes)
	for i := range passes {
		if slices.Contains(names, passes[i].name) {
			passes[i].without = []DrawQuality{DrawLow, DrawMedium, DrawHigh}
		}
	}
	return func() { copy(passes, kept) }
}

// halfUnder is a tilted camera at a place in the surface of a pool, which looks at another place as much lower as that's y says.
func halfUnder(water *Liquid, w, h int, eye, aim math32.Vector3) *camera.Camera {
	for eye.Y = 1; water.Submerged(eye); {
		eye.Y += .005
	}
	aim.Y += eye.Y
	cam := view(w, h, eye, aim)
	cam.RotateZ(.2)
	return cam
}

// crossings are where the surface's triangles cross the near plane: in each column of the picture the rows, from below.
func crossings(water *Liquid, cam *camera.Camera, w, h int) [][]float64 {
	var v, p math32.Matrix4
	cam.ViewMatrix(&v)
	cam.ProjMatrix(&p)
	p.Multiply(&v)
	s, lines := water.surface.picture, make([][]float64, w)
	corner := func(i uint32) math32.Vector4 {
		q := math32.Vector4{X: s.Positions[3*i], Y: s.Positions[3*i+1], Z: s.Positions[3*i+2], W: 1}
		return *q.ApplyMatrix4(&p)
	}
	for k := 0; k < len(s.Indices); k += 3 {
		var ends [][2]float64
		for e := range 3 {
			a, b := corner(s.Indices[k+e]), corner(s.Indices[k+(e+1)%3])
			da, db := float64(a.Z+a.W), float64(b.Z+b.W)
			if (da < 0) == (db < 0) {
				continue
			}
			u := float32(da / (da - db))
			clip := a.MultiplyScalar(1 - u).Add(b.MultiplyScalar(u))
			ends = append(ends, [2]float64{float64(clip.X/clip.W+1) / 2 * float64(w), float64(clip.Y/clip.W+1) / 2 * float64(h)})
		}
		if len(ends) < 2 || ends[0][0] == ends[1][0] {
			continue
		}
		for x := range w {
			if u := (float64(x) + .5 - ends[0][0]) / (ends[1][0] - ends[0][0]); u >= 0 && u < 1 {
				if y := ends[0][1] + u*(ends[1][1]-ends[0][1]); y >= 0 && y < float64(h) {
					lines[x] = append(lines[x], y)
				}
			}
		}
	}
	return lines
}

// With the camera half in the liquid, and tilted, the line in the picture is within 2 pixels of where the mesh crosses the near plane, nothing above it
// changes, and the meniscus is some 4 pixels wide everywhere.
func TestWaterline(t *testing.T) {
	onGL(t, func(l *lab) {
		water := NewLiquid(pool(.05, 0, 0), LiquidOptions{})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		const w, h = 320, 180
		cam := halfUnder(water, w, h, at(3, 0, 2), at(-1, -.1, 0))
		without := func(names ...string) []float32 {
			defer leftOut(names...)()
			l.shoot(t, w, h, root, water, cam)
			v, _, _ := pixels(water, "mix")
			return v
		}
		before, bare := without("shafts", "inside", "lens"), without("lens")
		save(t, "half_under", l.shoot(t, w, h, root, water, cam))
		after, _, _ := pixels(water, "mix")
		columns, worst, above, least, most := 0, 0.0, 0, h, 0
		for x, line := range crossings(water, cam, w, h) {
			if len(line) != 1 || line[0] < 4 || line[0] > h-4 {
				continue
			}
			columns++
			top, wide := 0, 0
			for y := range h {
				i := 4 * (y*w + x)
				if !slices.Equal(bare[i:i+3], after[i:i+3]) {
					wide++
				}
				if !slices.Equal(before[i:i+3], after[i:i+3]) {
					top = y + 1
					if float64(y) > line[0]+2 {
						above++
					}
				}
			}
			worst, least, most = max(worst, math.Abs(float64(top)-line[0])), min(least, wide), max(most, wide)
		}
		t.Logf("in %d columns the line is off %.2f pixels at most, %d pixels above it changed, and the meniscus is %d to %d pixels wide",
			columns, worst, above, least, most)
		if columns < w/2 || worst > 2 || above > 0 || least < 3 || most > 6 {
			t.Error("the line is not where the surface crosses the near plane")
		}
	})
}

// stillUnder draws, from within still liquid, a card in front of a black wall, with light or without, and returns the picture's light.
func (l *lab) stillUnder(t *testing.T, o LiquidOptions, shade float32, far float64, w, h int) []float32 {
	t.Helper()
	o.Caustics = -1
	still := pool(0, 0, 0)
	still.cells = 8
	water := NewLiquid(still, o)
	defer water.Dispose()
	root := core.NewNode()
	defer root.Dispose()
	root.Add(NewSky(SkyOptions{}))
	root.Add(unlit(geometry.NewPlane(20, 20), math32.Color{R: shade, G: shade, B: shade}, 0, 0, float32(2-far)))
	root.Add(water)
	defer root.Remove(water)
	l.shoot(t, w, h, root, water, view(w, h, at(0, .6, 2), at(0, .6, 0)))
	v, _, _ := pixels(water, "mix")
	return v
}

// What the liquid leaves of the light of a card is what Beer-Lambert's law says, to 1 % on average, at every quality.
func TestTransmittance(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 64, 36
		for name, card := range map[string]struct {
			look Look
			far  float64 // m
		}{"water": {Look{Ripples: -1}, 2}, "sea": {SeaLook, .7}, "oil": {OilLook, .3}} {
			m, worst := card.look.withDefaults().medium(), 0.0
			for _, q := range inShort(qualities[1:2], qualities[:]) {
				o := LiquidOptions{Look: card.look, Quality: q}
				bright, dark := l.stillUnder(t, o, 1, card.far, w, h), l.stillUnder(t, o, 0, card.far, w, h)
				for c := range 3 {
					got, want := 0.0, 0.0
					cam := view(w, h, at(0, .6, 2), at(0, .6, 0))
					for y := 12; y < 24; y++ {
						for x := range w {
							_, way := throughPixel(cam, x, y, w, h)
							i := 4*(y*w+x) + c
							got += float64(bright[i] - dark[i])
							want += math.Exp(-float64(m[c]+m[6]) * card.far / -way.Z)
						}
					}
					worst = max(worst, math.Abs(got/want-1))
					if math.Abs(got/want-1) > .01 {
						t.Errorf("%s, quality %d, colour %d: %.4f is left, want %.4f", name, q, c, got, want)
					}
				}
			}
			t.Logf("%s: what is left is off %.2f %% at most", name, 100*worst)
		}
	})
}

// In the shadow of a box that floats less light is scattered to an eye in the liquid than beside it, as much less as the sun's share is.
func TestShaftsBesideAShadow(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 320, 180
		sky := SkyOptions{Sun: at(0, 1, .001)}
		water := NewLiquid(pool(0, 0, 0), LiquidOptions{Quality: DrawHigh, Sky: sky, Look: Look{Ripples: -1}})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(sky))
		wall := unlit(geometry.NewPlane(20, 20), math32.Color{}, 0, 0, -2.9)
		root.Add(wall)
		paint := NewPaint(math32.Color{R: .5}, 0)
		box := aglow(geometry.NewBox(1.2, .4, 6), -.6, 1.2, 0) // from x = -1.2 to 0
		box.SetMaterial(paint)
		delete(box.ShaderDefines, shadowlessDefine)
		root.Add(box)
		root.Add(water)
		defer root.Remove(water)
		save(t, "shafts", l.shoot(t, w, h, root, water, view(w, h, at(0, .5, 2.5), at(0, .5, 0)))) // along the shadow's side
		// seen is the mean about the middle of a picture from x: the sun's part, and the light.
		seen := func(x float32) (part float64, light [3]float64) {
			l.shoot(t, w, h, root, water, view(w, h, at(x, .5, 2.5), at(x, .5, 0)))
			p, pw, ph := pixels(water, "shafts")
			v, _, _ := pixels(water, "mix")
			const r = 5
			for y := -r; y < r; y++ {
				for x := -r; x < r; x++ {
					part += float64(p[4*((ph/2+y)*pw+pw/2+x)]) / (4 * r * r)
					for c := range 3 {
						light[c] += float64(v[4*((h/2+y)*w+w/2+x)+c]) / (4 * r * r)
					}
				}
			}
			return part, light
		}
		shade, dark := seen(-.6)
		lit, bright := seen(1.5)
		t.Logf("the sun's part is %.3f in the light and %.3f in the shadow", lit, shade)
		if math.Abs(lit-1) > .1 || shade > .05 { // sideways the phase function is 1
			t.Errorf("the sun's part is %.3f in the light and %.3f in the shadow, want 1 and 0", lit, shade)
		}
		for c := range 3 {
			s := &water.shared.sky.values
			sun := .55 * float64(s[12+c])
			even := .5 * (.45*float64(s[c]) + .25*float64(s[3+c]))
			want := (even + (even+sun)*lit) / (even + (even+sun)*shade)
			got := bright[c] / dark[c]
			if math.Abs(got/want-1) > .05 {
				t.Errorf("colour %d: the lit column is %.3f times as bright as the shadow, want %.3f", c, got, want)
			}
		}
	})
}

// At rest one frame is as the next, from below and half under.
func TestNoFlickerUnderWater(t *testing.T) {
	onGL(t, func(l *lab) {
		water := NewLiquid(pool(.04, 0, 0), LiquidOptions{Quality: DrawHigh, Look: Look{Ripples: -1}})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		const w, h = 160, 90
		for name, cam := range map[string]*camera.Camera{"below": view(w, h, at(2, .4, 2), at(-1, .8, -.5)), "half under": halfUnder(water, w, h, at(3, 0, 2), at(-1, -.1, 0))} {
			var before []float32
			for range 3 {
				water.Refresh(1, time.Second/60)
				l.shoot(t, w, h, root, water, cam)
				v, _, _ := pixels(water, "mix")
				if before != nil && !slices.Equal(v, before) {
					t.Errorf("%s: a frame at rest differs from the one before", name)
				}
				before = v
			}
		}
	})
}

// fromBelow compares where a ball that glows is seen from below with where it should be. out is the way that a ray takes from the level, if it does.
func (l *lab) fromBelow(t *testing.T, name string, q DrawQuality, middle r3.Vec, cam *camera.Camera,
	out func(way r3.Vec) (r3.Vec, bool)) {
	t.Helper()
	const w, h, radius = 320, 180, .2
	meets := func(from, way r3.Vec) bool {
		to := r3.Sub(middle, from)
		along := r3.Dot(to, way)
		return along > 0 && r3.Norm2(to)-along*along < radius*radius
	}
	ball := aglow(geometry.NewSphere(radius, 48, 32), float32(middle.X), float32(middle.Y), float32(middle.Z))
	o := l.glowOver(t, name, q, ball, cam, w, h)
	m := mirrorImage{make([]bool, w*h), make([]bool, w*h)}
	there := 0
	for i := range o.red {
		eye, way := throughPixel(cam, i%w, i/w, w, h)
		on := r3.Add(eye, r3.Scale((stillLevel-eye.Y)/way.Y, way))
		after, goes := out(way)
		if way.Y <= 0 || !goes || math.Abs(on.X) > 4 || math.Abs(on.Z) > 3 {
			continue
		}
		m.want[i], m.got[i] = meets(on, after), o.red[i] > .2
		if m.want[i] && m.got[i] {
			there++
		}
	}
	x, y, n := centreOf(m.want, w)
	gx, gy, _ := centreOf(m.got, w)
	t.Logf("%s, quality %d: of %d pixels that see the ball %d do; its centre is off %.2f, %.2f pixels", name, q, n, there, gx-x, gy-y)
	if n < 200 || float64(there) < .8*float64(n) || math.Hypot(gx-x, gy-y) > 3 {
		t.Errorf("%s, quality %d: the ball is in the wrong place", name, q)
	}
}

// From below a ball in the liquid that the picture doesn't show is seen by total reflection, and one above it through Snell's window: where it should be, to
// 3 pixels, and 80 % of it.
func TestSeenFromBelow(t *testing.T) {
	onGL(t, func(l *lab) {
		side := func(way r3.Vec) float64 { return 1.333 * math.Sqrt(1-way.Y*way.Y) }
		for _, q := range []DrawQuality{DrawMedium, DrawHigh} {
			l.fromBelow(t, "total_reflection", q, r3.Vec{X: .1, Y: .3, Z: -.4}, view(320, 180, at(0, .7, 1.6), at(0, 1.35, .4)),
				func(way r3.Vec) (r3.Vec, bool) { return r3.Vec{X: way.X, Y: -way.Y, Z: way.Z}, side(way) > 1 })
			l.fromBelow(t, "snells_window", q, r3.Vec{X: .1, Y: 1.9, Z: -.4}, view(320, 180, at(0, .5, .6), at(0, 1.3, .2)),
				func(way r3.Vec) (r3.Vec, bool) {
					k := side(way)
					return r3.Vec{X: 1.333 * way.X, Y: math.Sqrt(max(1-k*k, 0)), Z: 1.333 * way.Z}, k < 1
				})
		}
	})
}
