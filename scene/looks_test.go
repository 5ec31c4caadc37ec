package scene

import (
	"fmt"
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

// evenSky is a sky of one brightness, and a sun.
func evenSky(sky, sun float32, to math32.Vector3) SkyOptions {
	grey := func(v float32) math32.Color { return math32.Color{R: v, G: v, B: v} }
	return SkyOptions{Zenith: grey(sky), Horizon: grey(sky), Ground: grey(sky), Sun: to, SunLit: grey(sun)}
}

// moonlit is a clear night.
var moonlit = SkyOptions{Zenith: math32.Color{R: .004, G: .007, B: .018}, Horizon: math32.Color{R: .012, G: .016, B: .028},
	Ground: math32.Color{R: .004, G: .004, B: .005}, SunLit: math32.Color{R: .05, G: .06, B: .08}}

// lightOver is the light of a picture of a liquid and other things: four numbers for each pixel, from the lower left.
func (l *lab) lightOver(t *testing.T, name string, src *fakeLiquid, o LiquidOptions, cam *camera.Camera, w, h int, things ...core.INode) []float32 {
	t.Helper()
	o.Caustics = -1
	water := NewLiquid(src, o)
	defer water.Dispose()
	root := core.NewNode()
	root.Add(NewSky(o.Sky))
	for _, n := range things {
		root.Add(n)
		defer root.Remove(n)
	}
	root.Add(water)
	defer root.Remove(water)
	water.Refresh(1, 0)
	save(t, name, l.shoot(t, w, h, root, water, cam))
	v, _, _ := pixels(water, "mix")
	return v
}

// white has a thing glow white in place of red, and returns how bright that is.
func white(m *graphic.Mesh) (*graphic.Mesh, float64) {
	m.Materials()[0].IMaterial().(interface{ SetEmissiveColor(*math32.Color) }).SetEmissiveColor(&math32.Color{R: 2, G: 2, B: 2})
	return m, math.Pow((2+.055)/1.055, 2.4)
}

// schlick is the share of light that a face mirrors.
func schlick(f0, cosine float64) float64 { return f0 + (1-f0)*math.Pow(1-cosine, 5) }

// Metals mirror a ball where it should be, to 3 pixels, in their own colour, to 3 %.
func TestMetalMirrorsTheBall(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h, radius = 320, 180, .3
		middle := r3.Vec{X: -.4, Y: 1.75, Z: -.5}
		cam := view(w, h, at(1, 2.4, 4), at(-.3, 1.2, -.2))
		for name, look := range map[string]Look{"mercury": MercuryLook, "gold": GoldLook} {
			look.Ripples, look.Emission = -1, math32.Color{}
			o := LiquidOptions{Look: look, Quality: DrawHigh, Sky: evenSky(1e-4, 1e-6, at(0, 1, 0))}
			ball, bright := white(aglow(geometry.NewSphere(radius, 48, 32), float32(middle.X), float32(middle.Y), float32(middle.Z)))
			light := l.lightOver(t, "mirrored_by_"+name, pool(0, 0, 0), o, cam, w, h, ball)
			want, got, worst := make([]bool, w*h), make([]bool, w*h), 0.
			for i := range want {
				eye, way := throughPixel(cam, i%w, i/w, w, h)
				on := r3.Add(eye, r3.Scale((stillLevel-eye.Y)/way.Y, way))
				if way.Y >= 0 || math.Abs(on.X) > 4 || math.Abs(on.Z) > 3 {
					continue
				}
				to := r3.Sub(middle, eye)
				if along := r3.Dot(to, way); along > 0 && r3.Norm2(to)-along*along < radius*radius {
					continue // before the ball
				}
				to = r3.Sub(middle, on)
				up := r3.Vec{X: way.X, Y: -way.Y, Z: way.Z}
				along := r3.Dot(to, up)
				off := math.Sqrt(r3.Norm2(to)-along*along) / radius
				want[i] = off < 1
				got[i] = float64(light[4*i]) > .5*bright*float64(look.Metal.R)
				if off < .8 {
					for k, f0 := range []float32{look.Metal.R, look.Metal.G, look.Metal.B} {
						worst = max(worst, math.Abs(float64(light[4*i+k])/(bright*schlick(float64(f0), -way.Y))-1))
					}
				}
			}
			x, y, n := centreOf(want, w)
			gx, gy, m := centreOf(got, w)
			t.Logf("%s: the mirror image has %d pixels, want %d; its centre is off %.2f, %.2f pixels, its colour %.1f %%", name, m, n, gx-x, gy-y, 100*worst)
			if n < 200 || math.Hypot(gx-x, gy-y) > 3 || math.Abs(float64(m)/float64(n)-1) > .1 || worst > .03 {
				t.Errorf("%s: the mirror image has %d pixels, want %d; its centre is off %.2f, %.2f pixels, its colour %.1f %%", name, m, n, gx-x, gy-y, 100*worst)
			}
		}
	})
}

// A side of liquid mirrors the floor before it, by at least half of its share, not the sky, from 6 cm up, where rays are some pixels long, wherever the picture shows that piece of floor.
func TestSideMirrorsTheFloor(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 160, 90
		look := MercuryLook
		look.Ripples = -1
		src := &fakeLiquid{min: r3.Vec{X: -1, Z: -.8}, max: r3.Vec{X: 1, Y: 1, Z: .8}, cells: 20}
		floor, bright := white(aglow(geometry.NewBox(12, .1, 12), 0, -.05, 0))
		cam := view(w, h, at(.8, 1.1, 3.4), at(0, .1, .9))
		light := l.lightOver(t, "side", src, LiquidOptions{Look: look, Sky: evenSky(.1, 1e-6, at(0, 1, 0))}, cam, w, h, floor)
		want, got := 0, 0
		for i := range w * h {
			eye, way := throughPixel(cam, i%w, i/w, w, h)
			on := r3.Add(eye, r3.Scale((src.max.Z-eye.Z)/way.Z, way))
			way.Z = -way.Z
			met := r3.Add(on, r3.Scale(-on.Y/way.Y, way))
			beside := math.Abs(on.X) > .98 || on.Y < .06 || on.Y > .98
			shown := way.Y < 0 && met.Z < 3 && cornerOf(cam, met, w, h).In(image.Rect(w/10, h/10, w-w/10, h-h/10))
			if beside || !shown {
				continue
			}
			want++
			if float64(light[4*i]) > .5*bright*schlick(.78, way.Z) {
				got++
			}
		}
		t.Logf("of %d pixels %d mirror the floor", want, got)
		if want < 300 || float64(got) < .95*float64(want) {
			t.Errorf("of %d pixels %d mirror the floor", want, got)
		}
	})
}

// Lava that flows is at night at least 20 times as bright as what is around it. Where it rests it is darker, has cracks, and does not flicker.
func TestLavaAtNight(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 160, 90
		src := pool(0, 0, 0)
		water := NewLiquid(src, LiquidOptions{Look: LavaLook, Caustics: -1, Sky: moonlit})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewDaylight(moonlit))
		wall := graphic.NewMesh(geometry.NewBox(8, 2, .2), NewPaint(math32.Color{R: 1, G: 1, B: 1}, 0))
		wall.SetPosition(0, 1.5, -3.1)
		root.Add(wall)
		root.Add(water)
		defer root.Remove(water)
		cam := view(w, h, at(0, 3, 3), at(0, 1.2, -1.5))
		shoot := func(name string) (lava, around, brightest float64) {
			water.Refresh(1, 100*time.Millisecond)
			save(t, name, l.shoot(t, w, h, root, water, cam))
			v, _, _ := pixels(water, "mix")
			hot, cold := 0, 0
			for i := range w * h {
				eye, way := throughPixel(cam, i%w, i/w, w, h)
				on := r3.Add(eye, r3.Scale((stillLevel-eye.Y)/way.Y, way))
				y := .2126*float64(v[4*i]) + .7152*float64(v[4*i+1]) + .0722*float64(v[4*i+2])
				if way.Y < 0 && math.Abs(on.X) < 3.9 && math.Abs(on.Z) < 2.8 {
					lava, brightest, hot = lava+y, max(brightest, y), hot+1
				} else if way.Y >= 0 || on.Z < -3.2 {
					around, cold = around+y, cold+1
				}
			}
			return lava / float64(hot), around / float64(cold), brightest
		}
		lava, around, _ := shoot("lava_flows")
		t.Logf("flowing lava gives %.3f, what is around it %.4f", lava, around)
		if lava < 20*around || around <= 0 {
			t.Errorf("flowing lava gives %.3f, what is around it %.4f", lava, around)
		}
		clear(src.surface.Velocities)
		still, _, cracks := shoot("lava_rests")
		before, _, _ := pixels(water, "mix")
		t.Logf("lava at rest gives %.4f, its cracks %.3f", still, cracks)
		if still > .2*lava || cracks < 20*around {
			t.Errorf("lava at rest gives %.4f, its cracks %.3f", still, cracks)
		}
		shoot("lava_rests")
		if after, _, _ := pixels(water, "mix"); !slices.Equal(before, after) {
			t.Error("lava at rest flickers")
		}
	})
}

// Honey dims what lies in it by Beer's law, to .5 % of the whole, for each colour and at each depth from which on there is no rim.
func TestHoneyRamp(t *testing.T) {
	onGL(t, func(l *lab) {
		const n = 9
		honey := HoneyLook.medium()
		cam := view(n, n, at(0, 3.2, .01), at(0, 0, 0))
		for _, depth := range []float32{.03, .05, .1, .2, .4} {
			light := func(bright float32) ([]float32, float64) {
				floor := aglow(geometry.NewBox(12, .1, 10), 0, stillLevel-depth-.05, 0)
				floor, full := white(floor)
				if bright == 0 {
					floor.Materials()[0].IMaterial().(interface{ SetEmissiveColor(*math32.Color) }).SetEmissiveColor(&math32.Color{})
				}
				v := l.lightOver(t, fmt.Sprintf("honey_%g", depth), pool(0, 0, 0), LiquidOptions{Look: HoneyLook, Sky: evenSky(.1, 1e-6, at(0, 1, 0))}, cam, n, n, floor)
				return v[4*(n/2*n+n/2):], full
			}
			dark, _ := light(0)
			lit, full := light(1)
			for k := range 3 {
				got := float64(lit[k]-dark[k]) / full
				want := (1 - .0204) * math.Exp(-float64(honey[k]+honey[6])*float64(depth))
				t.Logf("%g m deep, colour %d: %.4f is left, want %.4f", depth, k, got, want)
				if math.Abs(got-want) > .005 {
					t.Errorf("%g m deep, colour %d: %.4f is left, want %.4f", depth, k, got, want)
				}
			}
		}
	})
}

// A ball of milk is lit by the cosine of the sun's angle, to 3 %; in a box's shadow the sky's light is left.
func TestMilkHasForm(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h, sky = 160, 90, .1
		centre, radius := r3.Vec{Y: 1}, .8
		to := at(.5, .8, .6)
		o := LiquidOptions{Look: MilkLook, Sky: evenSky(sky, 1, to)}
		sun, cam := r3.Unit(r3.Vec{X: .5, Y: .8, Z: .6}), view(w, h, at(.3, 1.3, 2.6), at(0, 1, 0))
		box := graphic.NewMesh(geometry.NewBox(.9, .2, .9), NewPaint(math32.Color{}, 0))
		box.SetPosition(float32(2*sun.X), float32(1+2*sun.Y), float32(2*sun.Z))
		lit := l.lightOver(t, "milk_in_the_sun", balls([4]float64{0, 1, 0, radius}), o, cam, w, h)
		shaded := l.lightOver(t, "milk_in_shadow", balls([4]float64{0, 1, 0, radius}), o, cam, w, h, box)
		seen, worst, sunny, dim := 0, 0., 0., 0.
		for i := range w * h {
			eye, way := throughPixel(cam, i%w, i/w, w, h)
			out := r3.Sub(centre, eye)
			along := r3.Dot(out, way)
			off := r3.Norm2(out) - along*along
			if off > radius*radius {
				continue
			}
			n := r3.Unit(r3.Sub(r3.Scale(along-math.Sqrt(radius*radius-off), way), out))
			facing, towards := -r3.Dot(n, way), r3.Dot(n, sun)
			if r3.Dot(n, r3.Unit(r3.Sub(sun, way))) > .95 || facing < .3 || math.Abs(towards) < .1 {
				continue // the glint, the rim, and the terminator, where the mesh's own faces count
			}
			f := schlick(.0204, facing)
			want := f*sky + (1-f)*float64(MilkLook.Scatter.R)*(.55*sky+.85*max(towards, 0))
			seen, worst = seen+1, max(worst, math.Abs(float64(lit[4*i])/want-1))
			if towards > .95 {
				sunny, dim = sunny+float64(lit[4*i]), dim+float64(shaded[4*i])
			}
		}
		want := .55 * sky / (.55*sky + .85)
		t.Logf("at %d pixels the light is off %.1f %% at most; in shadow %.3f of it is left, want about %.3f", seen, 100*worst, dim/sunny, want)
		if seen < 500 || worst > .03 || dim/sunny > 1.3*want || dim/sunny < .9*want {
			t.Errorf("at %d pixels the light is off %.1f %% at most; in shadow %.3f of it is left, want about %.3f", seen, 100*worst, dim/sunny, want)
		}
	})
}

// In even light nothing returns more than it gets but what has its own.
func TestNoLookReturnsMoreThanItGets(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 96, 54
		sky := evenSky(1, 1e-6, at(0, 1, 0))
		water := NewLiquid(pool(.05, 1, 0), LiquidOptions{Sky: sky, Caustics: -1})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(sky))
		root.Add(water)
		defer root.Remove(water)
		water.Refresh(1, 0)
		looks := map[string]Look{
			"milk": MilkLook, "mercury": MercuryLook, "lava": LavaLook, "thin milk": {Turbidity: 20, Tint: left(0, 0, 0), Scatter: math32.Color{R: 1, G: 1, B: 1}},
		}
		if !testing.Short() {
			looks["water"], looks["sea"], looks["oil"], looks["honey"], looks["mud"], looks["gold"] = WaterLook, SeaLook, OilLook, HoneyLook, MudLook, GoldLook
			looks["windy"] = Look{Wind: math32.Vector2{X: 3}}
		}
		for name, look := range looks {
			look.Emission = math32.Color{}
			water.SetLook(look)
			for side, eye := range map[string]math32.Vector3{"above": at(1, 2.2, 4), "below": at(.4, .4, 1)} {
				save(t, "even_"+side+"_"+name, l.shoot(t, w, h, root, water, view(w, h, eye, at(0, 1.1, 0))))
				v, _, _ := pixels(water, "mix")
				most, least := float32(0), float32(1)
				for i := range w * h {
					for _, c := range v[4*i : 4*i+3] {
						most, least = max(most, c), min(least, c)
					}
				}
				t.Logf("%s from %s: %.3f to %.4f", name, side, least, most)
				if most > 1.001 || !(least >= 0) {
					t.Errorf("%s from %s: of even light %.3f to %.4f comes back", name, side, least, most)
				}
			}
		}
	})
}
