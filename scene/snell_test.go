package scene

import (
	"image"
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

// snell casts rays into still water over a chequered floor, in which one body floats. Everything shows its own light.
type snell struct {
	body   func(from, way r3.Vec) float64 // how far a ray runs to it, m; +Inf if it misses
	medium [9]float32
	sky    *daylight
}

// The display colours of the body and of the floor's fields, whose edge is in m.
var (
	bodyColour = math32.Color{R: .8, G: .35, B: .2}
	fields     = [2]math32.Color{{R: .75, G: .75, B: .7}, {R: .25, G: .35, B: .45}}
)

const field = .8

func lightOf(c math32.Color) r3.Vec {
	linear := func(x float32) float64 { return math.Pow((float64(x)+.055)/1.055, 2.4) }
	return r3.Vec{X: linear(c.R), Y: linear(c.G), Z: linear(c.B)}
}

// meets is the light of what a ray meets, and how far away that is, m.
func (s *snell) meets(from, way r3.Vec) (light r3.Vec, far float64) {
	far, floor := s.body(from, way), -from.Y/way.Y
	if way.Y < 0 && floor < far {
		p := r3.Add(from, r3.Scale(floor, way))
		return lightOf(fields[int(math.Floor(p.X/field)+math.Floor(p.Z/field))&1]), floor
	}
	if math.IsInf(far, 1) {
		return r3.Vec{X: float64(s.sky.values[0]), Y: float64(s.sky.values[1]), Z: float64(s.sky.values[2])}, far
	}
	return lightOf(bodyColour), far
}

// hides reports whether the body hides from an eye in the air the floor that bent rays show, when one looks at it straight.
func (s *snell) hides(eye, way r3.Vec) bool {
	down := (stillLevel - eye.Y) / way.Y
	if way.Y >= 0 || s.body(eye, way) < down {
		return false
	}
	on, bent := r3.Add(eye, r3.Scale(down, way)), bentDown(way)
	floor := -on.Y / bent.Y
	to := r3.Sub(r3.Add(on, r3.Scale(floor, bent)), eye)
	return s.body(on, bent) > floor && s.body(eye, r3.Unit(to)) < r3.Norm(to)
}

// seen is the light that comes to an eye in the air.
func (s *snell) seen(eye, way r3.Vec) r3.Vec {
	down := (stillLevel - eye.Y) / way.Y
	direct, far := s.meets(eye, way)
	if way.Y >= 0 || far < down {
		return direct
	}
	on := r3.Add(eye, r3.Scale(down, way))
	above, _ := s.meets(on, r3.Vec{X: way.X, Y: -way.Y, Z: way.Z})
	under, path := s.meets(on, bentDown(way))
	f := .0204 + (1-.0204)*math.Pow(1+way.Y, 5)
	m := func(i int) float64 { return float64(s.medium[i]) }
	keep := func(i int, x float64) float64 { return x * math.Exp(-(m(i)+m(6))*path) }
	return r3.Add(r3.Scale(f, above), r3.Scale(1-f, r3.Vec{X: keep(0, under.X), Y: keep(1, under.Y), Z: keep(2, under.Z)}))
}

// unlit is a mesh that shows its colour whatever the light.
func unlit(g *geometry.Geometry, c math32.Color, x, y, z float32) *graphic.Mesh {
	mat := material.NewStandard(&c)
	mat.SetUseLights(material.UseLightNone)
	m := graphic.NewMesh(g, mat)
	m.SetPosition(x, y, z)
	ShadowlessNode(m)
	return m
}

// similarity is the mean structural similarity of two fields of numbers from 0 to 1 over windows of 8 by 8 that lie in a rectangle.
// Source: Wang et al., Image quality assessment: from error visibility to structural similarity (2004).
func similarity(a, b []float64, w int, r image.Rectangle) float64 {
	const edge, c1, c2 = 8, .01 * .01, .03 * .03
	sum, windows := 0.0, 0
	for y := r.Min.Y; y+edge <= r.Max.Y; y += 2 {
		for x := r.Min.X; x+edge <= r.Max.X; x += 2 {
			var ma, mb, aa, bb, ab float64
			for k := range edge * edge {
				i := (y+k/edge)*w + x + k%edge
				ma, mb, aa, bb, ab = ma+a[i], mb+b[i], aa+a[i]*a[i], bb+b[i]*b[i], ab+a[i]*b[i]
			}
			const n = edge * edge
			ma, mb, aa, bb, ab = ma/n, mb/n, aa/n, bb/n, ab/n
			sum += (2*ma*mb + c1) * (2*(ab-ma*mb) + c2) / ((ma*ma + mb*mb + c1) * (aa - ma*ma + bb - mb*mb + c2))
			windows++
		}
	}
	return sum / float64(windows)
}

// Around a ball and a hull that float in still water the picture is like that of rays cast by Snell's law and Fresnel's share: structural similarity .9.
// Where the body hides from the eye the floor that bent rays lead to nine pixels of ten are as bright to .05; the fields differ by more. Seen from low down the
// fields are small, and their edges' steps count: .8.
func TestStillWaterAgainstRays(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 640, 360
		look := Look{Ripples: -1}.withDefaults()
		o := SkyOptions{Zenith: math32.Color{R: .5, G: .6, B: .7}, SunLit: math32.Color{R: 1e-6, G: 1e-6, B: 1e-6}, Sun: at(0, 1, .01)}
		o.Horizon, o.Ground = o.Zenith, o.Zenith
		middle, radius := r3.Vec{X: .2, Y: 1.15, Z: .2}, .35
		for i, c := range []struct {
			name     string
			body     func(from, way r3.Vec) float64
			mesh     func() *graphic.Mesh
			eye, aim math32.Vector3
			about    image.Rectangle // from the lower left
			least    float64
		}{
			{"still_ball", func(from, way r3.Vec) float64 {
				to := r3.Sub(middle, from)
				along := r3.Dot(to, way)
				if off := r3.Norm2(to) - along*along; along > 0 && off < radius*radius {
					return along - math.Sqrt(radius*radius-off)
				}
				return math.Inf(1)
			}, func() *graphic.Mesh { return unlit(geometry.NewSphere(radius, 64, 48), bodyColour, .2, 1.15, .2) },
				at(.6, 3, 2.2), at(.1, 1.1, 0), image.Rect(220, 70, 440, 270), .9},
			{"still_hull", func(from, way r3.Vec) float64 {
				return toBox(from, way, r3.Vec{X: -.8, Y: .9, Z: -.3}, r3.Vec{X: .8, Y: 1.55, Z: .3})
			}, func() *graphic.Mesh { return unlit(geometry.NewBox(1.6, .65, .6), bodyColour, 0, 1.225, 0) },
				at(1.4, 2.7, 2.4), at(.1, 1.1, 0), image.Rect(160, 60, 470, 300), .9},
			{"still_low", func(from, way r3.Vec) float64 {
				return toBox(from, way, r3.Vec{X: -.8, Y: .75, Z: -.3}, r3.Vec{X: .8, Y: 1.25, Z: .3})
			}, func() *graphic.Mesh { return unlit(geometry.NewBox(1.6, .5, .6), bodyColour, 0, 1, 0) },
				at(1.4, 2.2, 2.8), at(.1, 1.1, 0), image.Rect(160, 60, 470, 300), .8},
		} {
			for k, q := range []DrawQuality{DrawMedium, DrawHigh} {
				if testing.Short() && i%2 != k {
					continue
				}
				still := pool(0, 0, 0)
				still.min, still.max = r3.Vec{X: -8 * field, Z: -8 * field}, r3.Vec{X: 8 * field, Y: stillLevel, Z: 8 * field}
				water := NewLiquid(still, LiquidOptions{Quality: q, Caustics: -1, Look: look, Sky: o})
				root := core.NewNode()
				root.Add(NewSky(o))
				for x := range 16 {
					for z := range 16 {
						root.Add(unlit(geometry.NewBox(field, .1, field), fields[(x+z)&1], field*(float32(x)-7.5), -.05, field*(float32(z)-7.5)))
					}
				}
				root.Add(c.mesh())
				root.Add(water)
				cam := view(w, h, c.eye, c.aim)
				save(t, c.name, l.shoot(t, w, h, root, water, cam))
				v, _, _ := pixels(water, "mix")
				s := &snell{body: c.body, medium: look.medium(), sky: &water.shared.sky}
				got, want := make([]float64, w*h), make([]float64, w*h)
				hidden, right := 0, 0
				traced := image.NewRGBA(image.Rect(0, 0, w, h))
				for i := range got {
					eye, way := throughPixel(cam, i%w, i/w, w, h)
					p := s.seen(eye, way)
					got[i] = luma3(float64(v[4*i]), float64(v[4*i+1]), float64(v[4*i+2]))
					want[i] = luma3(p.X, p.Y, p.Z)
					if s.hides(eye, way) {
						hidden++
						if math.Abs(got[i]-want[i]) < .05 {
							right++
						}
					}
					k := traced.PixOffset(i%w, h-1-i/w)
					copy(traced.Pix[k:], []uint8{uint8(shownAs(p.X)), uint8(shownAs(p.Y)), uint8(shownAs(p.Z)), 255})
				}
				save(t, c.name+"_traced", traced)
				like := similarity(got, want, w, c.about)
				t.Logf("%s, quality %d: structural similarity %.3f; of %d pixels that see the floor behind it %d are right", c.name, q, like, hidden, right)
				if like < c.least || hidden < 200 || float64(right) < .9*float64(hidden) {
					t.Errorf("%s, quality %d: structural similarity %.3f, want %g; of %d pixels that see the floor behind it %d are right", c.name, q, like, c.least, hidden, right)
				}
				root.Remove(water)
				root.Dispose()
				water.Dispose()
			}
		}
	})
}

// luma3 is how bright a light is for an eye, 0 to 1.
func luma3(r, g, b float64) float64 {
	return (.299*shownAs(max(r, 0)) + .587*shownAs(max(g, 0)) + .114*shownAs(max(b, 0))) / 255
}
