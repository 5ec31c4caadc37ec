package scene

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"gonum.org/v1/gonum/spatial/r3"
)

// bentBy is the way on of a ray at a face of a normal against it, by Snell's law; eta: the index that it comes from over the one that it goes into.
func bentBy(way, n r3.Vec, eta float64) r3.Vec {
	c := -r3.Dot(way, n)
	return r3.Add(r3.Scale(eta, way), r3.Scale(eta*c-math.Sqrt(1-eta*eta*(1-c*c)), n))
}

// A ball of water in the air turns the chequered floor behind it upside down as rays do: structural similarity .8.
func TestBallIsALens(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h, radius = 480, 270, .4
		o := evenSky(.6, 1e-6, at(0, 1, .01))
		look := Look{Ripples: -1}.withDefaults()
		middle := r3.Vec{Y: 1.4}
		water := NewLiquid(balls([4]float64{middle.X, middle.Y, middle.Z, radius}), LiquidOptions{Quality: DrawHigh, Caustics: -1, Look: look, Sky: o})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(o))
		for x := range 16 {
			for z := range 16 {
				root.Add(unlit(geometry.NewBox(field, .1, field), fields[(x+z)&1], field*(float32(x)-7.5), -.05, field*(float32(z)-7.5)))
			}
		}
		root.Add(water)
		defer root.Remove(water)
		cam := view(w, h, at(.3, 2.4, 3), at(0, 1.1, 0))
		save(t, "lens", l.shoot(t, w, h, root, water, cam))
		v, _, _ := pixels(water, "mix")
		s := &snell{body: func(_, _ r3.Vec) float64 { return math.Inf(1) }, medium: look.medium(), sky: &water.shared.sky}
		meets := func(from, way r3.Vec) r3.Vec {
			light, far := s.meets(from, way)
			if p := r3.Add(from, r3.Scale(far, way)); math.Abs(p.X) > 8*field || math.Abs(p.Z) > 8*field {
				return r3.Vec{X: .6, Y: .6, Z: .6}
			}
			return light
		}
		got, want := make([]float64, w*h), make([]float64, w*h)
		traced := image.NewRGBA(image.Rect(0, 0, w, h))
		box := image.Rectangle{}
		for i := range got {
			eye, way := throughPixel(cam, i%w, i/w, w, h)
			light := meets(eye, way)
			out := r3.Sub(middle, eye)
			along := r3.Dot(out, way)
			if off := r3.Norm2(out) - along*along; off < radius*radius {
				on := r3.Add(eye, r3.Scale(along-math.Sqrt(radius*radius-off), way))
				n := r3.Unit(r3.Sub(on, middle))
				in := bentBy(way, n, 1/1.333)
				chord := -2 * radius * r3.Dot(in, n)
				end := r3.Add(on, r3.Scale(chord, in))
				beyond := meets(end, bentBy(in, r3.Scale(-1/radius, r3.Sub(end, middle)), 1.333))
				f := schlick(.0204, -r3.Dot(way, n))
				above := meets(on, r3.Sub(way, r3.Scale(2*r3.Dot(way, n), n)))
				keep := func(i int, x float64) float64 { return x * math.Exp(-float64(s.medium[i]+s.medium[6])*chord) }
				beyond = r3.Vec{X: keep(0, beyond.X), Y: keep(1, beyond.Y), Z: keep(2, beyond.Z)}
				light = r3.Add(r3.Scale(f, above), r3.Scale(1-f, beyond))
				box = box.Union(image.Rect(i%w, i/w, i%w+1, i/w+1))
			}
			got[i] = luma3(float64(v[4*i]), float64(v[4*i+1]), float64(v[4*i+2]))
			want[i] = luma3(light.X, light.Y, light.Z)
			traced.SetRGBA(i%w, h-1-i/w, color.RGBA{uint8(shownAs(light.X)), uint8(shownAs(light.Y)), uint8(shownAs(light.Z)), 255})
		}
		save(t, "lens_traced", traced)
		like := similarity(got, want, w, box)
		t.Logf("structural similarity %.3f in %v", like, box)
		if like < .8 {
			t.Errorf("structural similarity %.3f, want .8", like)
		}
	})
}
