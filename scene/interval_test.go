package scene

import (
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// balls is the surface of spheres, closed, its faces outwards: x, y, z and radius of each.
func balls(spheres ...[4]float64) *fakeLiquid {
	const rows, columns = 48, 96
	var s fluid.Surface
	for _, b := range spheres {
		base := uint32(len(s.Positions) / 3)
		add := func(n r3.Vec) {
			s.Positions = append(s.Positions, float32(b[0]+b[3]*n.X), float32(b[1]+b[3]*n.Y), float32(b[2]+b[3]*n.Z))
			s.Normals = append(s.Normals, float32(n.X), float32(n.Y), float32(n.Z))
			s.Velocities = append(s.Velocities, 0, 0, 0)
			s.Foam = append(s.Foam, 0)
		}
		add(r3.Vec{Y: 1})
		for i := 1; i < rows; i++ {
			for j := range columns {
				th, ph := math.Pi*float64(i)/rows, 2*math.Pi*float64(j)/columns
				add(r3.Vec{X: math.Sin(th) * math.Cos(ph), Y: math.Cos(th), Z: -math.Sin(th) * math.Sin(ph)})
			}
		}
		add(r3.Vec{Y: -1})
		at := func(i, j int) uint32 { return base + 1 + uint32((i-1)*columns+j%columns) }
		last := base + 1 + (rows-1)*columns
		for j := range columns {
			s.Indices = append(s.Indices, base, at(1, j), at(1, j+1), last, at(rows-1, j+1), at(rows-1, j))
			for i := 1; i < rows-1; i++ {
				s.Indices = append(s.Indices, at(i, j), at(i+1, j), at(i+1, j+1), at(i, j), at(i+1, j+1), at(i, j+1))
			}
		}
	}
	s.Free = len(s.Indices)
	return &fakeLiquid{surface: s}
}

// throughPixel is the ray from the eye through the middle of a pixel, from the lower left.
func throughPixel(cam interface {
	ViewMatrix(*math32.Matrix4)
	ProjMatrix(*math32.Matrix4)
}, x, y, w, h int) (eye, way r3.Vec) {
	var v, p, m math32.Matrix4
	cam.ViewMatrix(&v)
	cam.ProjMatrix(&p)
	m.MultiplyMatrices(&p, &v)
	if err := m.GetInverse(&m); err != nil {
		panic(err)
	}
	far := math32.Vector3{X: (float32(x)+.5)/float32(w)*2 - 1, Y: (float32(y)+.5)/float32(h)*2 - 1, Z: .9}
	far.ApplyProjection(&m)
	from := eyeOf(&v)
	eye = vecOf(&from)
	return eye, r3.Unit(r3.Sub(vecOf(&far), eye))
}

// waysThrough are where a ray meets a surface's triangles, m from its start, and +1 where it leaves, -1 where it enters.
// Source: Möller and Trumbore, Fast, minimum storage ray/triangle intersection (1997).
func waysThrough(s *fluid.Surface, eye, way r3.Vec) (at, sign []float64) {
	corner := func(i uint32) r3.Vec {
		p := s.Positions[3*i:]
		return r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
	}
	for k := 0; k < len(s.Indices); k += 3 {
		a, b, c := corner(s.Indices[k]), corner(s.Indices[k+1]), corner(s.Indices[k+2])
		e1, e2 := r3.Sub(b, a), r3.Sub(c, a)
		p := r3.Cross(way, e2)
		det := r3.Dot(e1, p)
		if det == 0 {
			continue
		}
		o := r3.Sub(eye, a)
		u := r3.Dot(o, p) / det
		q := r3.Cross(o, e1)
		v := r3.Dot(way, q) / det
		t := r3.Dot(e2, q) / det
		if u < 0 || v < 0 || u+v > 1 || t < 0 {
			continue
		}
		at = append(at, t)
		sign = append(sign, -math.Copysign(1, det)) // det > 0: the face looks at the eye
	}
	return at, sign
}

// toBox is how far a ray runs to a box, m; +Inf if it misses.
func toBox(eye, way, lo, hi r3.Vec) float64 {
	near, far := 0.0, math.Inf(1)
	for _, a := range [3][4]float64{{eye.X, way.X, lo.X, hi.X}, {eye.Y, way.Y, lo.Y, hi.Y}, {eye.Z, way.Z, lo.Z, hi.Z}} {
		t0, t1 := (a[2]-a[0])/a[1], (a[3]-a[0])/a[1]
		near, far = max(near, min(t0, t1)), min(far, max(t0, t1))
	}
	if near > far {
		return math.Inf(1)
	}
	return near
}

// The way through two balls of liquid behind one another, a box in the second one, is that of a ray cast at 1,000 pixels, within 1 %.
func TestIntervalAgainstRays(t *testing.T) {
	onGL(t, func(l *lab) {
		src := balls([4]float64{0, 1, 0, .5}, [4]float64{.2, 1.1, -1.4, .7})
		water := NewLiquid(src, LiquidOptions{Caustics: -1})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewDaylight(SkyOptions{}))
		box := graphic.NewMesh(geometry.NewBox(.5, .5, .5), NewPaint(math32.Color{R: .5}, 0))
		box.SetPosition(.3, 1, -1.6)
		root.Add(box)
		root.Add(water)
		defer root.Remove(water)
		const w, h = 320, 180
		for name, eye := range map[string]math32.Vector3{"before": at(0, 1, 2.5), "above": at(.4, 2.4, 1.2), "in the first": at(.1, 1.1, .2)} {
			cam := view(w, h, eye, at(.1, 1, -1))
			save(t, "interval", l.shoot(t, w, h, root, water, cam))
			v, _, _ := pixels(water, "interval")
			layers, worst, odd := 0, 0.0, 0
			for k := range 1000 {
				x, y := 50+int(220*scatter(k, 1, 7)), 10+int(160*scatter(k, 2, 8))
				from, way := throughPixel(cam, x, y, w, h)
				scene := toBox(from, way, r3.Vec{X: .05, Y: .75, Z: -1.85}, r3.Vec{X: .55, Y: 1.25, Z: -1.35})
				ways, signs := waysThrough(&src.surface, from, way)
				want, count := 0.0, 0.0
				for i := range ways {
					want += signs[i] * min(ways[i], scene)
					count += signs[i]
				}
				if len(ways) >= 4 {
					layers++
				}
				got := v[4*(y*w+x):]
				if math.Abs(float64(got[1])-count) > 1e-3 || got[1] != 0 && got[1] != 1 {
					odd++
				}
				if off := math.Abs(float64(got[0]) - want); off > max(.01*want, .001) {
					t.Errorf("%s, pixel %d, %d: %.4f m through the liquid, want %.4f", name, x, y, got[0], want)
				} else if want > .1 {
					worst = max(worst, off/want)
				}
			}
			t.Logf("%s: %d pixels see both balls; the way is off %.2g %% at most, the count at %d pixels", name, layers, 100*worst, odd)
			if odd > 0 || name == "before" && layers < 50 {
				t.Errorf("%s: the count is wrong at %d of 1000 pixels, %d see both balls", name, odd, layers)
			}
		}
	})
}

// With the camera half in the liquid each pixel tells on which side of the surface its piece of the near plane is.
func TestIntervalTellsTheWaterline(t *testing.T) {
	onGL(t, func(l *lab) {
		water := NewLiquid(pool(.05, 0, 0), LiquidOptions{Caustics: -1})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		const w, h = 320, 180
		cam := halfUnder(water, w, h, at(3, 0, 2), at(-1, -.1, 0))
		save(t, "waterline", l.shoot(t, w, h, root, water, cam))
		v, _, _ := pixels(water, "interval")
		_, ahead := throughPixel(cam, w/2, h/2, w, h)
		in, wrong := 0, 0
		for k := range 500 {
			x, y := int(w*scatter(k, 1, 7)), int(h*scatter(k, 2, 8))
			eye, way := throughPixel(cam, x, y, w, h)
			near := r3.Add(eye, r3.Scale(.1/r3.Dot(way, ahead), way))
			under := func(up float64) bool {
				return water.Submerged(at(float32(near.X), float32(near.Y+up), float32(near.Z)))
			}
			if under(.001) != under(-.001) {
				continue // at the line
			}
			is := v[4*(y*w+x)+1] > .5
			if is {
				in++
			}
			if is != under(0) {
				wrong++
			}
		}
		if wrong > 0 || in < 100 || in > 400 {
			t.Errorf("%d of 500 pixels are in the liquid, and %d are not where the surface says", in, wrong)
		}
	})
}
