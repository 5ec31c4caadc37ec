package scene

import (
	"image"
	"math"
	"testing"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

const stillLevel = 1.2 // of pool

// aglow is a mesh that gives red light alone, and throws no shadow.
func aglow(g *geometry.Geometry, x, y, z float32) *graphic.Mesh {
	mat := material.NewStandard(&math32.Color{})
	mat.SetAmbientColor(&math32.Color{})
	mat.SetSpecularColor(&math32.Color{})
	mat.SetEmissiveColor(&math32.Color{R: 4})
	m := graphic.NewMesh(g, mat)
	m.SetPosition(x, y, z)
	ShadowlessNode(m)
	return m
}

// overWater is what a thing that glows adds to a picture of still water.
type overWater struct {
	w, h int
	cam  *camera.Camera
	red  []float64 // of its light, pixels from the lower left
}

// glowOver draws still water with and without a thing that glows.
func (l *lab) glowOver(t *testing.T, name string, q DrawQuality, thing *graphic.Mesh, cam *camera.Camera, w, h int) *overWater {
	t.Helper()
	water := NewLiquid(pool(0, 0, 0), LiquidOptions{Quality: q, Caustics: -1, Look: Look{Ripples: -1}})
	defer water.Dispose()
	root := core.NewNode()
	defer root.Dispose()
	root.Add(NewSky(SkyOptions{}))
	floor := graphic.NewMesh(geometry.NewBox(12, .1, 10), NewPaint(math32.Color{R: .5, G: .5, B: .5}, 0))
	floor.SetPosition(0, -.05, 0)
	ShadowlessNode(floor)
	root.Add(floor)
	root.Add(water)
	defer root.Remove(water)
	l.shoot(t, w, h, root, water, cam)
	before, _, _ := pixels(water, "mix")
	root.Add(thing)
	save(t, name, l.shoot(t, w, h, root, water, cam))
	after, _, _ := pixels(water, "mix")
	light := math.Pow((4+.055)/1.055, 2.4) // of the emissive colour
	o := &overWater{w: w, h: h, cam: cam, red: make([]float64, w*h)}
	for i := range o.red {
		o.red[i] = float64(after[4*i]-before[4*i]) / light
	}
	return o
}

// each calls f for the pixels that see the water before the thing: with where, and the way there.
func (o *overWater) each(meets func(from, way r3.Vec) bool, f func(i int, on, way r3.Vec)) {
	for i := range o.red {
		eye, way := throughPixel(o.cam, i%o.w, i/o.w, o.w, o.h)
		if way.Y >= 0 {
			continue
		}
		on := r3.Add(eye, r3.Scale((stillLevel-eye.Y)/way.Y, way))
		above := func(from, way r3.Vec) bool { return meets(from, way) && !meets(on, way) }
		if math.Abs(on.X) < 4 && math.Abs(on.Z) < 3 && !above(eye, way) {
			f(i, on, way)
		}
	}
}

// mirrorImage is where a thing's mirror image is.
type mirrorImage struct{ want, got []bool }

// mirrored is, of the pixels that see the water and not the thing, want where the ray off it meets the thing, and got where the thing adds at least half
// of what a mirror of the water's Fresnel share would.
func (o *overWater) mirrored(meets func(from, way r3.Vec) bool) mirrorImage {
	m := mirrorImage{make([]bool, len(o.red)), make([]bool, len(o.red))}
	o.each(meets, func(i int, on, way r3.Vec) {
		if meets(on, way) {
			return
		}
		m.want[i] = meets(on, r3.Vec{X: way.X, Y: -way.Y, Z: way.Z})
		m.got[i] = o.red[i] > .5*(.0204+(1-.0204)*math.Pow(1+way.Y, 5))
	})
	return m
}

// centre is the middle of some of the pixels, and how many they are.
func centreOf(is []bool, w int) (x, y float64, n int) {
	for i, yes := range is {
		if yes {
			x, y, n = x+float64(i%w), y+float64(i/w), n+1
		}
	}
	return x / float64(n), y / float64(n), n
}

// A ball's mirror image lies where it should, to 3 pixels, is as large, to 10 %, and lacks no more than 4 % of what there should be: no notch. The lowest
// quality has none.
func TestMirroredBall(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h, radius = 640, 360, .3
		middle := r3.Vec{X: -.4, Y: 1.75, Z: -.5}
		meets := func(from, way r3.Vec) bool {
			to := r3.Sub(middle, from)
			along := r3.Dot(to, way)
			return along > 0 && r3.Norm2(to)-along*along < radius*radius
		}
		for _, c := range []struct {
			name    string
			quality DrawQuality
			eye     math32.Vector3
		}{
			{"mirrored_ball_high", DrawHigh, at(1, 2.2, 4)}, {"mirrored_ball_low", DrawLow, at(1, 2.2, 4)},
			{"mirrored_ball_medium", DrawMedium, at(1, 2.2, 4)}, {"mirrored_ball_steep", DrawHigh, at(1, 3.4, 2.4)},
		}[:inShort(2, 4)] {
			ball := aglow(geometry.NewSphere(radius, 48, 32), float32(middle.X), float32(middle.Y), float32(middle.Z))
			m := l.glowOver(t, c.name, c.quality, ball, view(w, h, c.eye, at(-.3, 1.2, -.2)), w, h).mirrored(meets)
			x, y, n := centreOf(m.want, w)
			gx, gy, got := centreOf(m.got, w)
			lacks := 0
			for i := range m.want {
				if m.want[i] && !m.got[i] {
					lacks++
				}
			}
			t.Logf("%s: the mirror image has %d pixels, want %d, of which it lacks %d; its centre is off %.2f, %.2f pixels", c.name, got, n, lacks, gx-x, gy-y)
			if n < 200 {
				t.Fatalf("%s: the mirror image is to have %d pixels only", c.name, n)
			}
			if c.quality == DrawLow {
				if got > 0 {
					t.Errorf("%s: there is a mirror image of %d pixels", c.name, got)
				}
				continue
			}
			if math.Hypot(gx-x, gy-y) > 3 || math.Abs(float64(got)/float64(n)-1) > .1 || lacks > n/25 {
				t.Errorf("%s: the mirror image is wrong", c.name)
			}
		}
	})
}

// A column of which the picture shows the foot alone, or nothing, has its mirror image.
func TestMirroredColumn(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 640, 360
		lo, hi := r3.Vec{X: -.2, Y: 1.3, Z: -1.2}, r3.Vec{X: .2, Y: 3.6, Z: -.8}
		meets := func(from, way r3.Vec) bool { return !math.IsInf(toBox(from, way, lo, hi), 1) }
		column := aglow(geometry.NewBox(.4, 2.3, .4), 0, 2.45, -1)
		cam := view(w, h, at(.4, 3.2, 2.6), at(.1, 1, .3))
		m := l.glowOver(t, "mirrored_column", DrawHigh, column, cam, w, h).mirrored(meets)
		want, there, beside := 0, 0, 0
		for i, yes := range m.want {
			switch {
			case yes && m.got[i]:
				there++
				fallthrough
			case yes:
				want++
			case m.got[i]:
				beside++
			}
		}
		t.Logf("of %d pixels of the mirror image %d are there, and %d beside it", want, there, beside)
		if top := cornerOf(cam, r3.Vec{Y: 3.6, Z: -1}, w, h); top.In(image.Rect(0, 0, w, h)) {
			t.Errorf("the column's top is in the picture, at %v", top)
		}
		if want < 1000 || float64(there) < .8*float64(want) || float64(beside) > .05*float64(want) {
			t.Errorf("of %d pixels of the mirror image %d are there, and %d beside it", want, there, beside)
		}
	})
}

// Where the picture ends, water mirrors what goes on past its left and right edges: of the mirror image of a wall there, wider than the picture, at least
// 90 % is there in DrawMedium too.
func TestMirroredAtTheEdge(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h, edge = 320, 180, 16
		lo, hi := r3.Vec{X: -9, Y: 1.25, Z: -3.6}, r3.Vec{X: 9, Y: 2.6, Z: -3.2}
		meets := func(from, way r3.Vec) bool { return !math.IsInf(toBox(from, way, lo, hi), 1) }
		wall := aglow(geometry.NewBox(18, 1.35, .4), 0, 1.925, -3.4)
		m := l.glowOver(t, "mirrored_edge", DrawMedium, wall, view(w, h, at(-.4, 2, 2.5), at(.5, 1.4, -2)), w, h).mirrored(meets)
		want, there := 0, 0
		for i, yes := range m.want {
			if x := i % w; yes && (x < edge || x >= w-edge) {
				want++
				if m.got[i] {
					there++
				}
			}
		}
		t.Logf("of %d pixels of the mirror image at the picture's edges %d are there", want, there)
		if want < 300 || float64(there) < .9*float64(want) {
			t.Errorf("of %d pixels of the mirror image at the picture's edges %d are there", want, there)
		}
	})
}

// cornerOf is the pixel that a point is seen at.
func cornerOf(cam *camera.Camera, p r3.Vec, w, h int) image.Point {
	var v, proj math32.Matrix4
	cam.ViewMatrix(&v)
	cam.ProjMatrix(&proj)
	proj.Multiply(&v)
	q := at(float32(p.X), float32(p.Y), float32(p.Z))
	q.ApplyProjection(&proj)
	return image.Pt(int((q.X+1)/2*float32(w)), int((q.Y+1)/2*float32(h)))
}

// A mirrored camera sees a point where the camera sees its mirror image, and has its near plane at the level: seen from above it has what is above, from
// below what is below.
func TestMirrorCamera(t *testing.T) {
	const level = 1.2
	for name, c := range map[string]struct {
		eye, aim, beyond math32.Vector3
		seen             []math32.Vector3
	}{
		"above": {at(1, 3, 4), at(0, 1, 0), at(0, level-2*trough, 0), []math32.Vector3{at(0, 1.3, 0), at(-1, 2, -6), at(2, 1.8, -50)}},
		"below": {at(1, .2, 4), at(0, 1.6, 0), at(0, level+2*trough, 0), []math32.Vector3{at(0, 1.1, 0), at(-1, .4, -6), at(2, .6, -50)}},
	} {
		cam := view(320, 180, c.eye, c.aim)
		var v, p, there math32.Matrix4
		cam.ViewMatrix(&v)
		cam.ProjMatrix(&p)
		there.MultiplyMatrices(&p, &v)
		m, ok := mirrorOf(&v, &p, level)
		if !ok {
			t.Fatalf("%s: there is no mirrored camera", name)
		}
		to := m.matrix()
		for _, q := range c.seen {
			got, want := q, at(q.X, 2*level-q.Y, q.Z)
			got.ApplyProjection(&to)
			want.ApplyProjection(&there)
			if math.Hypot(float64(got.X-want.X), float64(got.Y-want.Y)) > 1e-4 || got.Z < -1 || got.Z > 1 {
				t.Errorf("%s: %v is seen at %v, want %v", name, q, got, want)
			}
		}
		if c.beyond.ApplyProjection(&to); c.beyond.Z > -1 {
			t.Errorf("%s: what is beyond the level is seen, depth %v", name, c.beyond.Z)
		}
	}
	var v, p math32.Matrix4
	for name, cam := range map[string]*camera.Camera{"an eye at the level": view(320, 180, at(1, level, 4), at(0, 1, 0)),
		"an eye that looks up": view(320, 180, at(0, 3, 0), at(0, 30, 1)), "an eye that looks down": view(320, 180, at(0, .5, 0), at(0, -30, 1))} {
		cam.ViewMatrix(&v)
		cam.ProjMatrix(&p)
		if _, ok := mirrorOf(&v, &p, level); ok {
			t.Errorf("%s has a mirrored camera", name)
		}
	}
}
