package raytrace

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// What can't be drawn is told, with the field.
func TestErrors(t *testing.T) {
	good := func() *Scene {
		s := &Scene{Sky: Afternoon(), Liquid: block(r3.Box{Min: r3.Vec{Y: .1}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}), Solids: []Solid{floor(), floor()}}
		s.Meshes = []Mesh{{Positions: []r3.Vec{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}}, Material: plain}}
		return s
	}
	nan := math.NaN()
	for want, spoil := range map[string]func(s *Scene, o *Options){
		"Options.Samples":     func(s *Scene, o *Options) { o.Samples = -1 },
		"Meshes[0].Material":  func(s *Scene, o *Options) { s.Meshes[0].Material = nil },
		"Meshes[0].Normals":   func(s *Scene, o *Options) { s.Meshes[0].Normals = make([]r3.Vec, 2) },
		"Meshes[0].UVs":       func(s *Scene, o *Options) { s.Meshes[0].UVs = make([][2]float64, 4) },
		"Meshes[0].Positions": func(s *Scene, o *Options) { s.Meshes[0].Positions[1].Y = nan },
		"Meshes[0].Triangles": func(s *Scene, o *Options) { s.Meshes[0].Triangles[0][1] = 3 },
		"Meshes[0].Place":     func(s *Scene, o *Options) { s.Meshes[0].Rotation.Imag = nan },
		"Solids[1].Material":  func(s *Scene, o *Options) { s.Solids[1].Material = nil },
		"Solids[0].size":      func(s *Scene, o *Options) { s.Solids[0] = NewBall(0, Place{}, plain) },
		"Liquid.Normals":      func(s *Scene, o *Options) { s.Liquid.Normals = nil },
		"Liquid.Foam":         func(s *Scene, o *Options) { s.Liquid.Foam = []float32{0} },
		"Liquid.Free":         func(s *Scene, o *Options) { s.Liquid.Free = 4 },
		"Liquid.Index":        func(s *Scene, o *Options) { s.Liquid.Index = .5 },
		"Liquid.Absorb":       func(s *Scene, o *Options) { s.Liquid.Absorb.X = -1 },
		"Liquid.FoamSize":     func(s *Scene, o *Options) { s.Liquid.FoamSize = -1 },
		"Liquid.Indices":      func(s *Scene, o *Options) { s.Liquid.Indices[5] = 1 << 30 },
		"Liquid.Positions":    func(s *Scene, o *Options) { s.Liquid.Positions[7] = float32(nan) },
		"Sky.Sun":             func(s *Scene, o *Options) { s.Sky.Sun = r3.Vec{} },
		"Sky.Strength":        func(s *Scene, o *Options) { s.Sky.Fill = nan },
		"Sky.Radius":          func(s *Scene, o *Options) { s.Sky.Radius = 1 },
	} {
		s, o := good(), Options{Photons: 100}
		if _, err := New(s, o); err != nil {
			t.Fatal(err)
		}
		spoil(s, &o)
		if _, err := New(s, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := NewCamera([16]float32{}, [16]float32{}); err == nil {
		t.Error("a camera of zeros")
	}
	if _, err := mustNew(t, good(), Options{Photons: -1}).Render(lookAt(r3.Vec{}, r3.Vec{X: 1}, 1), 0, 3); err == nil {
		t.Error("a picture without width")
	}
}

// The camera sees through what is cut away from behind, but light does not pass it.
func TestCutaway(t *testing.T) {
	s := &Scene{Sky: uniform(Colour{}), Solids: []Solid{NewBall(1, Place{Position: r3.Vec{Z: -5}}, &Material{Emission: Grey(1)})}}
	pane := Mesh{Positions: []r3.Vec{{X: -9, Y: -9}, {X: -9, Y: 9}, {X: 9, Y: 9}, {X: 9, Y: -9}}, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}}
	for cutaway, want := range map[bool]float64{false: .5, true: 1} {
		pane.Material = &Material{Emission: Grey(.5), Cutaway: cutaway}
		s.Meshes = []Mesh{pane}
		tr := mustNew(t, s, Options{Samples: 4})
		f, err := tr.Render(lookAt(r3.Vec{Z: 3}, r3.Vec{Z: -1}, .01), 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "from behind", f.Light[0].X, want, 1e-9)
		if r := newRay(r3.Vec{Z: 3}, r3.Vec{Z: -1}); !tr.blocked(&r, 4) {
			t.Error("light passes")
		}
	}
	front := mustRender(t, s, Options{Samples: 4}, lookAt(r3.Vec{Z: -2}, r3.Vec{Z: 1}, .01), 2, 2)
	near(t, "from the front", front.Light[0].X, .5, 1e-9)
}

// From within, a flat surface shows Snell's window, and around it what all light is mirrored of.
func TestUnderWater(t *testing.T) {
	s := &Scene{Sky: uniform(Grey(1)), Liquid: block(r3.Box{Min: r3.Vec{X: -50, Y: -5, Z: -50}, Max: r3.Vec{X: 50, Z: 50}})}
	s.Solids = []Solid{AxisBox(r3.Box{Min: r3.Vec{X: -60, Y: -6, Z: -60}, Max: r3.Vec{X: 60, Y: -2, Z: 60}}, &Material{})}
	tr := mustNew(t, s, Options{Samples: 64})
	if !tr.submerged(r3.Vec{Y: -1}) || tr.submerged(r3.Vec{Y: 1}) {
		t.Error("it is not known where the water is")
	}
	const size, view = 64, 2.2
	f, err := tr.Render(lookAt(r3.Vec{Y: -1}, r3.Vec{Y: 1}, view), size, size)
	if err != nil {
		t.Fatal(err)
	}
	bright := 0
	for _, c := range f.Light {
		if c.X > .3 {
			bright++
		}
	}
	radius := math.Tan(math.Asin(1/1.333)) / math.Tan(view/2) * size / 2
	near(t, "bright pixels", float64(bright), math.Pi*radius*radius, .05*math.Pi*radius*radius)
}

// A film of samples whose pixels are sure early is much like one with all of them, and takes fewer.
func TestError(t *testing.T) {
	s := tank(.3, func(x, z float64) float64 { return .02 * math.Sin(7*x+3*z) })
	c := lookAt(r3.Vec{Y: 1.2, Z: 1.2}, r3.Vec{Y: -1, Z: -1}, .9)
	all := mustRender(t, s, Options{Samples: 128, Photons: 20000}, c, 20, 15)
	some := mustRender(t, s, Options{Samples: 128, Photons: 20000, Error: .01}, c, 20, 15)
	same, off := 0, 0.
	for i := range all.Light {
		d := Encode(all.Light[i].X) - Encode(some.Light[i].X)
		off += d * d
		if d == 0 {
			same++
		}
	}
	if off = math.Sqrt(off / float64(len(all.Light))); off > .02 || same > len(all.Light)/2 {
		t.Errorf("off by %.3f, %d of %d pixels have all samples", off, same, len(all.Light))
	}
}

// A droplet is a lens: it shows what is behind it upside down. Foam is white, and droplets in the liquid are not seen.
func TestDropletsAndFoam(t *testing.T) {
	halves := func(p *Point) Colour { return Grey(smoothstep(-.01, .01, p.Position.Y)) }
	back := AxisBox(r3.Box{Min: r3.Vec{X: -5, Y: -5, Z: -4}, Max: r3.Vec{X: 5, Y: 5, Z: -3}}, &Material{Texture: halves})
	s := &Scene{Sky: uniform(Grey(1)), Liquid: &Liquid{Droplets: []float32{0, 0, 0, .1}}, Solids: []Solid{back}}
	f := mustRender(t, s, Options{Samples: 64}, lookAt(r3.Vec{Z: 1}, r3.Vec{Z: -1}, .12), 9, 9)
	if up, down := f.Light[2*9+4].X, f.Light[6*9+4].X; down < up+.2 {
		t.Errorf("above %.3f, below %.3f", up, down)
	}
	in := &Scene{Sky: uniform(Grey(1)), Liquid: block(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}), Solids: []Solid{back}}
	c := lookAt(r3.Vec{Z: 3}, r3.Vec{Z: -1}, .12)
	without := mustRender(t, in, Options{Samples: 64, Photons: -1}, c, 9, 9)
	in.Liquid.Droplets = []float32{0, 0, 0, .1}
	with := mustRender(t, in, Options{Samples: 64, Photons: -1}, c, 9, 9)
	for i := range with.Light {
		near(t, "with a droplet within", with.Light[i].X, without.Light[i].X, .05)
	}

	pool := tank(.3, func(x, z float64) float64 { return 0 })
	pool.Sky = uniform(Grey(1))
	pool.Solids[0].Material = &Material{}
	pool.Liquid.FoamColour = Grey(.9)
	top := lookAt(r3.Vec{Y: 2}, r3.Vec{Y: -1}, .6)
	mean := func() (sum float64) {
		for _, c := range mustRender(t, pool, Options{Samples: 16}, top, 16, 16).Light {
			sum += c.X / 256
		}
		return sum
	}
	clear := mean()
	pool.Liquid.Foam = make([]float32, len(pool.Liquid.Positions)/3)
	for i := range pool.Liquid.Foam {
		pool.Liquid.Foam[i] = 1
	}
	if white := mean(); clear > .1 || white < .6 || white > .9 {
		t.Errorf("clear %.3f, with foam %.3f", clear, white)
	}
}

// Pictures lie on things upright, and tiles as the scene's shader has them.
func TestTextures(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 2, 2))
	for i, c := range []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}} {
		img.SetRGBA(i%2, i/2, c)
	}
	paint := Painted(img, 1, 1)
	nearVec(t, "upper left", paint(&Point{U: .25, V: .75}), Colour{X: 1}, 1e-6)
	nearVec(t, "lower right", paint(&Point{U: .75, V: .25}), Grey(1), 1e-6)
	nearVec(t, "repeated", paint(&Point{U: 1.25, V: -.25}), Colour{X: 1}, 1e-6)
	tiles := PoolTiles()
	up := r3.Vec{Y: 1}
	nearVec(t, "joint", tiles.At(&Point{Normal: up, Position: r3.Vec{X: .005, Z: .1}}), tiles.Grout, 0)
	light, dark := tiles.At(&Point{Normal: up, Position: r3.Vec{X: .1, Z: .1}}), tiles.At(&Point{Normal: up, Position: r3.Vec{X: .35, Z: .1}})
	if light.X < .9*tiles.Colour.X || light.X > 1.1*tiles.Colour.X || dark.X < .9*tiles.Other.X || dark.X > 1.1*tiles.Other.X {
		t.Errorf("tiles %v and %v", light, dark)
	}
	ball := NewBall(2, Place{}, plain)
	if _, v := ball.unfold(r3.Vec{Y: 2}, up); v != 1 {
		t.Errorf("the ball's top is at %g", v)
	}
	box := NewBox(r3.Vec{X: 2, Y: 2, Z: 2}, Place{}, plain)
	for _, n := range []r3.Vec{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		if _, v := box.unfold(r3.Add(n, r3.Vec{Y: .5}), n); v != .75 {
			t.Errorf("on the side %v what is high is at %g", n, v)
		}
	}
}
