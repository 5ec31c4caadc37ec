package scene

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"github.com/go-gl/gl/v3.3-core/gl"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// speck is a particle of white water.
type speck struct {
	at, v  r3.Vec
	radius float64
	kind   uint8
}

// whiten gives a liquid particles, in full life.
func whiten(f *fakeLiquid, specks ...speck) {
	w := fluid.WhiteWater{}
	for _, s := range specks {
		w.Spheres = append(w.Spheres, float32(s.at.X), float32(s.at.Y), float32(s.at.Z), float32(s.radius))
		w.Velocities = append(w.Velocities, float32(s.v.X), float32(s.v.Y), float32(s.v.Z))
		w.Life, w.Kind = append(w.Life, 1), append(w.Kind, s.kind)
	}
	f.Surface().WhiteWater = w
}

// whiteStage is a still pool in its set, to be drawn with different particles.
type whiteStage struct {
	lab   *lab
	src   *fakeLiquid
	water *Liquid
	root  *core.Node
}

func onWhiteStage(t *testing.T, o LiquidOptions, f func(s *whiteStage)) {
	onGL(t, func(l *lab) {
		o.NoAntialias, o.Look.Ripples = true, -1
		if o.Caustics == 0 {
			o.Caustics = -1
		}
		src := pool(0, 0, 0)
		water := NewLiquid(src, o)
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		f(&whiteStage{l, src, water, root})
	})
}

const whiteWide, whiteHigh = 480, 270

// shoot draws the pool with particles.
func (s *whiteStage) shoot(t *testing.T, eye, aim math32.Vector3, specks ...speck) *image.RGBA {
	whiten(s.src, specks...)
	s.water.Refresh(1, 0)
	return s.lab.shoot(t, whiteWide, whiteHigh, s.root, s.water, view(whiteWide, whiteHigh, eye, aim))
}

// brightened are the box of the pixels that differ by more than least, how many there are, and by how much they are brighter on the average.
func brightened(a, b *image.RGBA, least float64) (box image.Rectangle, n int, more float64) {
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			if d := luma(b.RGBAAt(x, y)) - luma(a.RGBAAt(x, y)); math.Abs(d) > least {
				box = box.Union(image.Rect(x, y, x+1, y+1))
				n, more = n+1, more+d
			}
		}
	}
	return box, n, more / max(float64(n), 1)
}

// cloud is spray within a metre's fraction of a place.
func cloud(n int, at r3.Vec, size float64) (all []speck) {
	for k := range n {
		off := r3.Vec{X: scatter(k, 1, 1) - .5, Y: scatter(k, 2, 1) - .5, Z: scatter(k, 3, 1) - .5}
		all = append(all, speck{at: r3.Add(at, r3.Scale(size, off)), radius: .006, kind: fluid.WhiteSpray})
	}
	return all
}

var lowView = [2]math32.Vector3{at(3.2, 2.2, 2.4), at(0, 1.4, -1)}

// 2,000 particles of spray are brighter than what lies behind them, and the rest of the picture stays as it is to the bit.
func TestSprayIsBright(t *testing.T) {
	onWhiteStage(t, LiquidOptions{}, func(s *whiteStage) {
		dry := s.shoot(t, lowView[0], lowView[1])
		wet := s.shoot(t, lowView[0], lowView[1], cloud(2000, r3.Vec{Y: 1.7, Z: -1}, .5)...)
		save(t, "spray_cloud", wet)
		box, n, more := brightened(dry, wet, .002)
		t.Logf("%d pixels in %v are brighter by %.3f", n, box, more)
		changed, _, _ := brightened(dry, wet, 0)
		if n < 800 || more < .05 || changed.Dx() > 64 || changed.Dy() > 64 { // the cloud is 58 pixels from corner to corner
			t.Errorf("%d pixels in %v are brighter by %.3f", n, box, more)
		}
		s.water.SetQuality(DrawLow)
		dry = s.shoot(t, lowView[0], lowView[1])
		wet = s.shoot(t, lowView[0], lowView[1], cloud(2000, r3.Vec{Y: 1.7, Z: -1}, .5)...)
		if _, n, more := brightened(dry, wet, .002); n < 800 || more < .05 {
			t.Errorf("with DrawLow %d pixels are brighter by %.3f", n, more)
		}
	})
}

// A particle's streak is longer along its velocity than across by the way that it goes while the shutter is open, and a droplet's is too.
func TestStreaks(t *testing.T) {
	onWhiteStage(t, LiquidOptions{}, func(s *whiteStage) {
		const speed, radius = 12., .05
		eye, aim := at(0, 1.9, 1), at(0, 1.9, -1)
		scale := whiteHigh / 2 / math.Tan(25*math.Pi/180) / 2 // pixels per metre where the particle is
		dry := s.shoot(t, eye, aim)
		for _, v := range []r3.Vec{{X: speed}, {Y: speed}, {X: speed * .6, Z: speed * .8}} {
			check := func(name string, img *image.RGBA) {
				box, _, _ := brightened(dry, img, .004)
				long, wide, want := float64(box.Dx()), float64(box.Dy()), math.Hypot(v.X, v.Y)*shutter*scale
				if v.Y > 0 {
					long, wide = wide, long
				}
				t.Logf("%s, %v m/s: %v by %v pixels; the way is %.1f", name, v, long, wide, want)
				if math.Abs(long-wide-want) > 2.5 || wide < .5*2*radius*scale {
					save(t, "streak", img)
					t.Errorf("%s, %v m/s: %v by %v pixels; the way is %.1f", name, v, long, wide, want)
				}
			}
			check("spray", s.shoot(t, eye, aim, speck{at: r3.Vec{Y: 1.9, Z: -1}, v: v, radius: radius, kind: fluid.WhiteSpray}))
			d := &s.src.surface
			d.Droplets, d.DropletVelocities = []float32{0, 1.9, -1, radius}, []float32{float32(v.X), float32(v.Y), float32(v.Z)}
			check("droplet", s.shoot(t, eye, aim))
			d.Droplets, d.DropletVelocities = nil, nil
		}
	})
}

// What is behind a wall, or behind the water, doesn't show.
func TestSprayBehindAWall(t *testing.T) {
	onWhiteStage(t, LiquidOptions{}, func(s *whiteStage) {
		wall := graphic.NewMesh(geometry.NewBox(3, 1.5, .1), NewPaint(math32.Color{R: .3, G: .3, B: .3}, 0))
		wall.SetPosition(0, 1.6, 0)
		s.root.Add(wall)
		eye, aim := at(0, 1.7, 2), at(0, 1.6, 0)
		all := cloud(300, r3.Vec{Y: 1.6, Z: -.5}, .4)
		for i, p := range cloud(300, r3.Vec{Y: 1.25, Z: -.5}, .4) {
			p.kind = []uint8{fluid.WhiteFoam, fluid.WhiteBubble}[i%2]
			all = append(all, p)
		}
		if dry, wet := s.shoot(t, eye, aim), s.shoot(t, eye, aim, all...); !slices.Equal(dry.Pix, wet.Pix) {
			box, n, _ := brightened(dry, wet, 0)
			save(t, "behind_wall", wet)
			t.Errorf("%d pixels in %v show what is behind a wall", n, box)
		}
	})
}

// Spray in a box's shadow is darker than in the sun.
func TestSprayInShadow(t *testing.T) {
	onGL(t, func(l *lab) {
		src := &fakeLiquid{}
		water := NewLiquid(src, LiquidOptions{NoAntialias: true})
		defer water.Dispose()
		root, _ := sunlitFloor(at(0, 1, 0), NewPaint(math32.Color{R: .1, G: .1, B: .1}, 0), 1.2, 1.6)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		s := &whiteStage{l, src, water, root}
		bright := func(x float64) float64 {
			eye, aim := at(float32(x), .6, 2), at(float32(x), .4, 0)
			dry := s.shoot(t, eye, aim)
			_, n, more := brightened(dry, s.shoot(t, eye, aim, cloud(1000, r3.Vec{X: x, Y: .4}, .3)...), .004)
			return more * float64(n)
		}
		sun, shadow := bright(1.8), bright(0)
		t.Logf("spray brightens by %.1f in the sun, %.1f in the shadow", sun, shadow)
		if shadow <= 0 || shadow > .8*sun {
			t.Errorf("spray brightens by %.1f in the sun, %.1f in the shadow", sun, shadow)
		}
	})
}

// patch is foam over a square of the pool's surface, so many particles on a square metre.
func patch(density float64, v r3.Vec) (all []speck) {
	const edge = 1.
	for k := range int(density * edge * edge) {
		all = append(all, speck{at: r3.Vec{X: edge * (scatter(k, 1, 1) - .5), Y: 1.2, Z: .5 + edge*(scatter(k, 2, 1)-.5)}, v: v, radius: .01, kind: fluid.WhiteFoam})
	}
	return all
}

// The surface is the whiter the more foam there is on it, and foam that moves streaks along its way.
func TestFoamWhitensAndStreaks(t *testing.T) {
	onWhiteStage(t, LiquidOptions{}, func(s *whiteStage) {
		eye, aim := at(0, 3.2, 1.2), at(0, 1.2, .4)
		middle := image.Rect(whiteWide/2-40, whiteHigh/2-30, whiteWide/2+40, whiteHigh/2+30)
		for _, q := range inShort(qualities[1:2], qualities[:]) {
			s.water.SetQuality(q)
			bare, _ := contrast(s.shoot(t, eye, aim), middle)
			var whiter [3]float64
			for i, n := range []float64{100, 300, 900} {
				img := s.shoot(t, eye, aim, patch(n, r3.Vec{})...)
				save(t, "foam_patch", img)
				whiter[i], _ = contrast(img, middle)
				whiter[i] -= bare
			}
			t.Logf("quality %d: foam of 100, 300 and 900/m² whitens by %.3f", q, whiter)
			if w := whiter[1] / whiter[0]; whiter[0] < .02 || w < 2 || w > 4 || whiter[2] < whiter[1]+.02 {
				t.Errorf("quality %d: foam of 100, 300 and 900/m² whitens by %.3f", q, whiter)
			}
		}
		s.water.SetQuality(DrawMedium)
		size := func(v r3.Vec) (x, y float64) {
			s.shoot(t, eye, aim, speck{at: r3.Vec{Y: 1.2, Z: .4}, v: v, radius: .02, kind: fluid.WhiteFoam})
			pix, w, h := pixels(s.water, "foam")
			sum, mx, my, xx, yy := 0., 0., 0., 0., 0.
			for j := range h {
				for i := range w {
					a, x, y := float64(pix[4*(j*w+i)]), float64(i), float64(j)
					sum, mx, my, xx, yy = sum+a, mx+a*x, my+a*y, xx+a*x*x, yy+a*y*y
				}
			}
			return math.Sqrt(xx/sum - mx*mx/sum/sum), math.Sqrt(yy/sum - my*my/sum/sum)
		}
		x0, y0 := size(r3.Vec{})
		x1, y1 := size(r3.Vec{X: 2})
		t.Logf("a patch has deviations of %.1f by %.1f pixels, one that moves %.1f by %.1f", x0, y0, x1, y1)
		if x1 < 1.3*x0 || math.Abs(y1/y0-1) > .1 {
			t.Errorf("a patch has deviations of %.1f by %.1f pixels, one that moves %.1f by %.1f", x0, y0, x1, y1)
		}
	})
}

// Bubbles are the dimmer the deeper they are, and don't show from outside of the liquid where there is none.
func TestDeepBubblesAreDimmer(t *testing.T) {
	onWhiteStage(t, LiquidOptions{Look: Look{Turbidity: .2}}, func(s *whiteStage) {
		eye, aim := at(0, 3, 1), at(0, 1, .5)
		dry := s.shoot(t, eye, aim)
		bright := func(depth float64) float64 {
			all := cloud(600, r3.Vec{Y: 1.2 - depth, Z: .5}, .2)
			for i := range all {
				all[i].kind, all[i].radius = fluid.WhiteBubble, .01
			}
			img := s.shoot(t, eye, aim, all...)
			save(t, "bubbles", img)
			_, n, more := brightened(dry, img, .002)
			return more * float64(n)
		}
		shallow, deep := bright(.15), bright(.9)
		t.Logf("bubbles brighten by %.1f in 0.15 m, %.1f in 0.9 m", shallow, deep)
		if shallow < 10 || deep < 0 || deep > .7*shallow {
			t.Errorf("bubbles brighten by %.1f in 0.15 m, %.1f in 0.9 m", shallow, deep)
		}
		if img := s.shoot(t, eye, aim, speck{at: r3.Vec{Y: 1.5, Z: .5}, radius: .05, kind: fluid.WhiteBubble}); !slices.Equal(dry.Pix, img.Pix) {
			t.Error("a bubble above the liquid shows")
		}
	})
}

// A liquid whose white water has no particles, or isn't to be drawn, looks as one without it to the bit, and costs nothing.
func TestNoWhiteWaterNoDifference(t *testing.T) {
	var without *image.RGBA
	eye, aim := shots[0].eye, shots[0].aim
	onWhiteStage(t, LiquidOptions{}, func(s *whiteStage) {
		s.src.Surface().WhiteWater = fluid.WhiteWater{}
		without = s.shoot(t, eye, aim)
		if target := s.water.stage.target("foam"); target.framebuffer != 0 {
			t.Error("there is a target for foam that there is not")
		}
		some := append(cloud(100, r3.Vec{Y: 1.5}, 1), patch(100, r3.Vec{})...)
		if with := s.shoot(t, eye, aim, some...); slices.Equal(with.Pix, without.Pix) {
			t.Error("white water doesn't show")
		}
		if after := s.shoot(t, eye, aim); !slices.Equal(after.Pix, without.Pix) {
			t.Error("white water that has gone leaves something")
		}
	})
	onWhiteStage(t, LiquidOptions{NoWhiteWater: true}, func(s *whiteStage) {
		some := append(cloud(100, r3.Vec{Y: 1.5}, 1), patch(100, r3.Vec{})...)
		if with := s.shoot(t, eye, aim, some...); !slices.Equal(with.Pix, without.Pix) {
			t.Error("white water shows against NoWhiteWater")
		}
	})
}

// Taking particles over allocates nothing once there have been as many, and there are no more of a kind than asked for.
func TestParticlesAllocateNothing(t *testing.T) {
	var f fakeLiquid
	f.min, f.max, f.cells, f.spray = r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1}, 4, 50
	f.build()
	whiten(&f, append(cloud(500, r3.Vec{}, 1), patch(700, r3.Vec{})...)...)
	p := newParticles()
	p.set(&f.surface, 1000)
	if n := p.count(sprayKind); n != 500 || p.count(foamKind) != 700 || p.count(bubbleKind) != 0 || p.count(dropletKind) != 50 {
		t.Errorf("%v", p.first)
	}
	s := newSprites(&spriteSpecs[2], p, nil)
	if n := testing.AllocsPerRun(10, func() { p.set(&f.surface, 1000); s.show(true) }); n > 0 || !s.Renderable() {
		t.Errorf("%v allocations", n)
	}
	p.set(&f.surface, 600)
	if p.count(sprayKind) != 500 || p.count(foamKind) != 600 || len(p.values) != particleFloats*(50+500+600) {
		t.Errorf("at most 600: %v", p.first)
	}
	f.surface.WhiteWater.Life = nil // a game's own source
	p.set(&f.surface, 600)
	if p.count(sprayKind) != 0 || len(p.values) != particleFloats*50 {
		t.Errorf("without life: %v", p.first)
	}
}

// A game's own Render shows droplets and spray. It leaves out foam and bubbles, to the bit, before a Draw and after one; nothing is black or an error.
func TestRenderWithoutDraw(t *testing.T) {
	onWhiteStage(t, LiquidOptions{}, func(s *whiteStage) {
		cam := view(whiteWide, whiteHigh, lowView[0], lowView[1])
		render := func(specks ...speck) *image.RGBA {
			whiten(s.src, specks...)
			s.water.Refresh(1, 0)
			return s.lab.shoot(t, whiteWide, whiteHigh, s.root, nil, cam)
		}
		foam := patch(300, r3.Vec{X: 1})
		bubbles := patch(300, r3.Vec{X: 1})
		for i := range bubbles {
			bubbles[i].kind, bubbles[i].at.Y = fluid.WhiteBubble, 1
		}
		if err := gl.Init(); err != nil {
			t.Fatal(err)
		}
		for gl.GetError() != gl.NO_ERROR {
		}
		dry := render()
		for _, when := range []string{"before", "after"} {
			if img := render(append(foam, bubbles...)...); !slices.Equal(dry.Pix, img.Pix) {
				t.Errorf("%s a Draw foam and bubbles change what the game's own Render shows", when)
			}
			if _, n, more := brightened(dry, render(cloud(2000, r3.Vec{Y: 1.7, Z: -1}, .5)...), .002); n < 800 || more < .05 {
				t.Errorf("%s a Draw spray changes %d pixels by %.3f", when, n, more)
			}
			if e := gl.GetError(); e != gl.NO_ERROR {
				t.Errorf("%s a Draw OpenGL has the error %#x", when, e)
			}
			s.shoot(t, lowView[0], lowView[1], foam...)
		}
		if n := share(dry, dry.Rect, func(c color.RGBA) bool { return c.R < 12 && c.G < 12 && c.B < 12 }); n > 0 {
			t.Errorf("%g of the picture is black", n)
		}
	})
}
