package raytrace

import (
	"hash/fnv"
	"image"
	"math"
	"regexp"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/assets"
)

// lookAt is a camera at eye that looks along a direction, with a vertical field of view, rad, and square pictures.
func lookAt(eye, along r3.Vec, view float64) Camera {
	back := r3.Scale(-1, r3.Unit(along))
	up := r3.Vec{Y: 1}
	if math.Abs(back.Y) > .99 {
		up = r3.Vec{Z: -1}
	}
	side := r3.Unit(r3.Cross(up, back))
	up = r3.Cross(back, side)
	s := 1 / math.Tan(view/2)
	const near, far = .01, 100
	f := func(v float64) float32 { return float32(v) }
	m := [16]float32{f(side.X), f(up.X), f(back.X), 0, f(side.Y), f(up.Y), f(back.Y), 0, f(side.Z), f(up.Z), f(back.Z), 0,
		f(-r3.Dot(side, eye)), f(-r3.Dot(up, eye)), f(-r3.Dot(back, eye)), 1}
	p := [16]float32{f(s), 0, 0, 0, 0, f(s), 0, 0, 0, 0, (near + far) / (near - far), -1, 0, 0, 2 * near * far / (near - far), 0}
	c, err := NewCamera(m, p)
	if err != nil {
		panic(err)
	}
	return c
}

func mustNew(t testing.TB, s *Scene, o Options) *Tracer {
	t.Helper()
	tr, err := New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func mustRender(t testing.TB, s *Scene, o Options, c Camera, width, height int) *Film {
	t.Helper()
	f, err := mustNew(t, s, o).Render(c, width, height)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Fresnel's equations at the angles that one knows by heart: straight on, at Brewster's angle, grazing, and beyond the critical angle.
func TestFresnel(t *testing.T) {
	const n = 1.333
	straight := math.Pow((n-1)/(n+1), 2)
	near(t, "straight on", Fresnel(1, 1/n), straight, 1e-12)
	near(t, "straight on from within", Fresnel(1, n), straight, 1e-12)
	near(t, "grazing", Fresnel(0, 1/n), 1, 1e-12)
	brewster := math.Atan(n)
	// What is polarised in the plane isn't mirrored; the other half is by sin²(in - out).
	out := math.Pi/2 - brewster
	near(t, "Brewster's angle", Fresnel(math.Cos(brewster), 1/n), math.Pow(math.Sin(brewster-out), 2)/2, 1e-12)
	critical := math.Asin(1 / n)
	near(t, "beyond the critical angle", Fresnel(math.Cos(critical+1e-6), n), 1, 0)
	if f := Fresnel(math.Cos(critical-.05), n); f > .5 {
		t.Errorf("%g before the critical angle", f)
	}
	// Either way the same share is mirrored.
	in := .7
	bent := math.Asin(math.Sin(in) / n)
	near(t, "there and back", Fresnel(math.Cos(in), 1/n), Fresnel(math.Cos(bent), n), 1e-12)
}

// Snell's law.
func TestRefract(t *testing.T) {
	in := .6
	d := r3.Vec{X: math.Sin(in), Y: -math.Cos(in)}
	bent, ok := refract(d, r3.Vec{Y: 1}, 1/1.333)
	out := math.Asin(math.Sin(in) / 1.333)
	if !ok {
		t.Fatal("all is mirrored")
	}
	nearVec(t, "bent", bent, r3.Vec{X: math.Sin(out), Y: -math.Cos(out)}, 1e-12)
	if _, ok := refract(r3.Vec{X: math.Sin(.9), Y: math.Cos(.9)}, r3.Vec{Y: -1}, 1.333); ok {
		t.Error("light at 0.9 rad leaves the water")
	}
}

// uniform is a sky that is the same all around, without a sun.
func uniform(c Colour) Sky { return Sky{Zenith: c, Horizon: c, Ground: c, Sun: r3.Vec{Y: 1}, Fill: 1} }

// White furnace: a white ball in a white sky can't be seen, nor can a clear one.
func TestFurnace(t *testing.T) {
	sky := uniform(Colour{X: .3, Y: .5, Z: .7})
	ball := Scene{Sky: sky, Solids: []Solid{NewBall(1, Place{}, &Material{Colour: Grey(1), Gloss: .7})}}
	clear := Scene{Sky: sky, Liquid: block(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 1, Y: 1, Z: 1}})}
	hollow := Scene{Sky: sky, Solids: []Solid{ball.Solids[0], NewBox(r3.Vec{X: 1, Y: 1, Z: 1}, Place{Position: r3.Vec{Y: -1.2}}, &Material{Colour: Grey(1)})}}
	for name, s := range map[string]*Scene{"white ball": &ball, "clear block": &clear, "ball on a box": &hollow} {
		f := mustRender(t, s, Options{Samples: 64, Bounces: 40, Depth: 200}, lookAt(r3.Vec{Z: 4, Y: .3}, r3.Vec{Z: -1}, .5), 16, 16)
		var mean Colour
		for _, c := range f.Light {
			mean = r3.Add(mean, r3.Scale(1./256, c))
		}
		nearVec(t, name, mean, sky.Zenith, .02*r3.Norm(sky.Zenith))
	}
}

// block is a box of liquid with flat sides.
func block(b r3.Box) *Liquid {
	l := &Liquid{}
	for i := range 8 {
		for k := range 3 {
			lo, hi := component(&b.Min, k), component(&b.Max, k)
			if i>>k&1 == 1 {
				lo = hi
			}
			l.Positions = append(l.Positions, float32(lo))
		}
		l.Normals = append(l.Normals, 0, 1, 0)
	}
	l.Indices = []uint32{
		0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, // -x, x
		0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, // -y, y
		0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, // -z, z
	}
	return l
}

// Light that goes straight through a slab loses what Fresnel's and Beer and Lambert's laws say.
func TestSlab(t *testing.T) {
	const thick = .8
	l := block(r3.Box{Min: r3.Vec{X: -3, Y: -3, Z: -thick / 2}, Max: r3.Vec{X: 3, Y: 3, Z: thick / 2}})
	l.Absorb = Colour{X: .35, Y: .06, Z: 2}
	s := Scene{Sky: uniform(Colour{}), Liquid: l, Solids: []Solid{NewBox(r3.Vec{X: 9, Y: 9, Z: 1}, Place{Position: r3.Vec{Z: -3}}, &Material{Emission: Grey(1)})}}
	f := mustRender(t, &s, Options{Samples: 256, Depth: 30}, lookAt(r3.Vec{Z: 3}, r3.Vec{Z: -1}, .01), 4, 4)
	var mean Colour
	for _, c := range f.Light {
		mean = r3.Add(mean, r3.Scale(1./16, c))
	}
	m := Fresnel(1, 1/1.333)
	want := func(absorb float64) float64 {
		// What is mirrored to and fro within adds up as a geometric series.
		lost := math.Exp(-absorb * thick)
		return (1 - m) * (1 - m) * lost / (1 - m*m*lost*lost)
	}
	near(t, "red", mean.X, want(.35), 2e-3)
	near(t, "green", mean.Y, want(.06), 2e-3)
	near(t, "blue", mean.Z, want(2), 2e-3)
}

// A rod under water is seen where Snell's law puts it.
func TestPencil(t *testing.T) {
	const depth, eye, reach = .5, 1., .6 // m: of the rod, of the eye over the water, of the rod beside it
	l := block(r3.Box{Min: r3.Vec{X: -5, Y: -2, Z: -5}, Max: r3.Vec{X: 5, Z: 5}})
	rod := NewCylinder(.02, 2, Place{Position: r3.Vec{X: reach, Y: -depth}, Rotation: turnX(math.Pi / 2)}, &Material{Emission: Grey(1)})
	s := Scene{Sky: uniform(Colour{}), Liquid: l, Solids: []Solid{rod}}
	const size = 201
	const view = 1.6
	f := mustRender(t, &s, Options{Samples: 8}, lookAt(r3.Vec{Y: eye}, r3.Vec{Y: -1}, view), size, size)
	sum, at := 0., 0.
	for x := range size {
		light := f.Light[size/2*size+x].X
		sum += light
		at += light * (float64(x) + .5)
	}
	if sum == 0 {
		t.Fatal("the rod is not seen")
	}
	got := (2*at/sum/size - 1) * math.Tan(view/2) // tangent of the angle under which it is seen
	// x1 on the water, with sin in = 1.333 sin out.
	lo, hi := 0., reach
	for range 60 {
		mid := (lo + hi) / 2
		in, out := mid/math.Hypot(mid, eye), (reach-mid)/math.Hypot(reach-mid, depth)
		if in > 1.333*out {
			hi = mid
		} else {
			lo = mid
		}
	}
	near(t, "tangent", got, lo/eye, .004)
	if straight := reach / (eye + depth); math.Abs(got-straight) < .02 {
		t.Errorf("it is seen at %g, as through air", got)
	}
}

// Any number of workers draws the same picture.
func TestWorkers(t *testing.T) {
	s := tank(.3, func(x, z float64) float64 { return .02 * math.Sin(7*x+3*z) })
	var first uint64
	for _, workers := range []int{1, 2, 5} {
		f := mustRender(t, s, Options{Samples: 3, Photons: 20000, Workers: workers}, lookAt(r3.Vec{Y: 1.2, Z: 1.2}, r3.Vec{Y: -1, Z: -1}, .9), 40, 30)
		h := fnv.New64a()
		h.Write(f.Image(1).Pix)
		for _, c := range f.Light {
			if !finite(c) {
				t.Fatal("not a number")
			}
		}
		if sum := h.Sum64(); first == 0 {
			first = sum
		} else if sum != first {
			t.Errorf("%d workers draw another picture than one", workers)
		}
	}
}

// The tone map's and the sky's numbers stand in the scene's shaders.
func TestShadersNumbers(t *testing.T) {
	text, err := assets.Shaders.ReadFile("shaders/tone.glsl")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`const float Knee = ([0-9.]+);`).FindSubmatch(text)
	if found == nil {
		t.Fatal("tone.glsl has no Knee")
	}
	if v, _ := strconv.ParseFloat(string(found[1]), 64); v != knee {
		t.Errorf("the shaders' knee is %g, want %g", v, knee)
	}
	near(t, "dark", Encode(.002), 12.92*.002, 1e-9)
	near(t, "18 %", Encode(.18), .46135, 1e-4)
	near(t, "white", Encode(1), 1.055*math.Pow(.8+.2*(1-math.Exp(-1)), 1/2.4)-.055, 1e-9)
	film := Film{Width: 2, Height: 1, Light: []Colour{{X: .18}, {Y: 100}}}
	if got := film.Image(1).Pix; got[0] != 118 || got[5] != 255 || got[3] != 255 {
		t.Errorf("pixels %v", got)
	}
	if film.Image(1).Rect != image.Rect(0, 0, 2, 1) {
		t.Error("the image has another size")
	}
}
