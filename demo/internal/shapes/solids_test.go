package shapes

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// euler is the number of vertices less that of edges plus that of triangles of a closed mesh: 2 less twice its handles.
func euler(m Mesh) int { return len(m.Positions) - len(m.Triangles)/2 }

func TestSolids(t *testing.T) {
	lying, upright := Bars()
	rabbit := Rabbit(1)
	bar := 8 * .25 * .25 * .13 * math.Pow(math.Gamma(1+1./5), 3) / math.Gamma(1+3./5) // of |x/.25|⁵ + |y/.25|⁵ + |z/.13|⁵ ≤ 1
	for name, c := range map[string]struct {
		mesh           Mesh
		euler          int
		volume, within float64 // m³; of the exact shape
	}{
		"icosahedron": {Sphere(1, 0), 2, 2.536150710, 1e-8}, // (5/12)(3+√5)·edge³
		"sphere":      {Sphere(.5, 4), 2, math.Pi / 6, .002},
		"torus":       {Torus(.5, .15, 64, 24), 0, 2 * math.Pi * math.Pi * .5 * .15 * .15, .003},
		"odd torus":   {Torus(.5, .15, 65, 25), 0, 2 * math.Pi * math.Pi * .5 * .15 * .15, .003},
		"angel":       {angel(), 2, sampledVolume(angelParts(), angelBox), .002},
		"rabbit":      {rabbit, 2, sampledVolume(rabbitParts(), rabbitBox), .002},
		"lying":       {lying, 2, bar, .0005},
		"upright":     {upright, 2, bar, .0005},
	} {
		if err := c.mesh.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e := euler(c.mesh); e != c.euler {
			t.Errorf("%s: Euler characteristic %d, want %d", name, e, c.euler)
		}
		if v := c.mesh.Volume(); math.Abs(v-c.volume) > c.within {
			t.Errorf("%s: %.4f m³, want %.4f ± %.4f", name, v, c.volume, c.within)
		}
		if n := crossings(c.mesh.Positions, c.mesh.Triangles); n != 0 {
			t.Errorf("%s: %d pairs of triangles cross", name, n)
		}
		slim := math.Pi
		for _, k := range c.mesh.Triangles {
			slim = min(slim, leastAngle(c.mesh.Positions[k[0]], c.mesh.Positions[k[1]], c.mesh.Positions[k[2]]))
		}
		t.Logf("%s: %d vertices, %.4f m³, least angle %.0f°", name, len(c.mesh.Positions), c.mesh.Volume(), slim/degree)
		if slim < 10*degree {
			t.Errorf("%s: least angle %.1f°", name, slim/degree)
		}
	}
	if box := rabbit.Bounds(); math.Abs(box.Min.Y) > 1e-12 || math.Abs(box.Max.Y-1) > 1e-12 {
		t.Errorf("the rabbit reaches from %g to %g m", box.Min.Y, box.Max.Y)
	}
}

// sampledVolume counts the points of a fine grid that are inside, m³.
func sampledVolume(parts []part, box r3.Box) float64 {
	const step = .015
	s := sampled(func(p r3.Vec) float64 { return distance(parts, p) }, box, step)
	n := 0
	for _, d := range s.value {
		if d < 0 {
			n++
		}
	}
	return float64(n) * step * step * step
}

// Straight lines between the two bars gain more than half their volume, and the shapes between do not cross themselves.
func TestBarsGainVolume(t *testing.T) {
	a, b := Bars()
	if va, vb := a.Volume(), b.Volume(); math.Abs(va-vb) > 1e-12 {
		t.Errorf("the bars have %g and %g m³", va, vb)
	}
	if &a.Triangles[0] != &b.Triangles[0] {
		t.Error("the bars have not the same triangles")
	}
	middle := make([]r3.Vec, len(a.Positions))
	for i := 0; i <= 4; i++ {
		u := float64(i) / 4
		for v := range middle {
			middle[v] = r3.Add(r3.Scale(1-u, a.Positions[v]), r3.Scale(u, b.Positions[v]))
		}
		if n := crossings(middle, a.Triangles); n != 0 {
			t.Errorf("%g of the way %d pairs of triangles cross", u, n)
		}
		gain := Volume(middle, a.Triangles)/a.Volume() - 1
		t.Logf("%g of the way the volume is %+.1f %%", u, 100*gain)
		if u == .5 && gain < .5 {
			t.Errorf("halfway the volume gains %.1f %%, want more than 50", 100*gain)
		}
	}
}

func TestDeformations(t *testing.T) {
	m := Rabbit(1)
	was := m.Volume()
	for name, c := range map[string]struct {
		by     []Deformation
		within float64 // of the volume
	}{
		"twist":   {[]Deformation{Twist(170*degree, 0, 1)}, .03},
		"stretch": {[]Deformation{Stretch(1.7)}, 1e-9},
		"squash":  {[]Deformation{Squash(1.7)}, 1e-9},
		"moved":   {[]Deformation{Turn(1), Translate(r3.Vec{X: 3, Y: -2, Z: 1})}, 1e-9},
		"all":     {[]Deformation{Twist(2, .2, .9), Stretch(1.3), Turn(-1), Translate(r3.Vec{Y: 1})}, .03},
	} {
		d := m.Deformed(c.by...)
		if err := d.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := crossings(d.Positions, d.Triangles); n != 0 {
			t.Errorf("%s: %d pairs of triangles cross", name, n)
		}
		if v := d.Volume(); math.Abs(v/was-1) > c.within {
			t.Errorf("%s: the volume goes from %g to %g m³", name, was, v)
		} else {
			t.Logf("%s: the volume changes by %.2e", name, v/was-1)
		}
	}
	if v := m.Volume(); v != was {
		t.Error("the mesh itself has changed")
	}
	near := func(name string, got, want r3.Vec) {
		if r3.Norm(r3.Sub(got, want)) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	near("turn", Turn(math.Pi/2)(r3.Vec{Z: 1}), r3.Vec{X: 1})
	near("twist at the top", Twist(math.Pi/2, 0, 1)(r3.Vec{Y: 2, Z: 1}), r3.Vec{X: 1, Y: 2})
	near("twist at the foot", Twist(math.Pi/2, 0, 1)(r3.Vec{Y: -1, Z: 1}), r3.Vec{Y: -1, Z: 1})
	near("stretch", Stretch(4)(r3.Vec{X: 1, Y: 1, Z: 1}), r3.Vec{X: .5, Y: 4, Z: .5})
	near("squash", Squash(4)(r3.Vec{X: 1, Y: 1, Z: 1}), r3.Vec{X: 2, Y: .25, Z: 2})
	near("bend", Bend(math.Pi, math.Pi)(r3.Vec{X: math.Pi / 2}), r3.Vec{X: 1, Y: 1})
	near("bend's middle", Bend(math.Pi, math.Pi)(r3.Vec{Y: .5}), r3.Vec{Y: .5})
}

func TestSolidsPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"Torus: 2":         func() { Torus(1, .1, 2, 9) },
		"Torus: 9":         func() { Torus(1, .1, 9, 2) },
		"Twist: top":       func() { Twist(1, 2, 2) },
		"Stretch: factor":  func() { Stretch(0) },
		"Stretch: factor:": func() { Stretch(math.NaN()) },
		"Bend: angle":      func() { Bend(0, 1) },
	} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.HasPrefix(said, "shapes: "+name) {
					t.Errorf("%s: says %q", name, said)
				}
			}()
			call()
		}()
	}
}

// What is not closed, connected, manifold or turned outwards is told.
func TestCheck(t *testing.T) {
	ball := Sphere(1, 1)
	join := func(a, b Mesh) Mesh {
		m := Mesh{append(append([]r3.Vec{}, a.Positions...), b.Positions...), append([][3]int32{}, a.Triangles...)}
		for _, t := range b.Triangles {
			n := int32(len(a.Positions))
			m.Triangles = append(m.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
		return m
	}
	two := join(ball, ball.Deformed(Translate(r3.Vec{X: 3})))
	touching := join(ball, ball.Deformed(Translate(r3.Vec{X: 3})))
	for i := range touching.Triangles {
		for c, v := range touching.Triangles[i] {
			if int(v) == len(ball.Positions) {
				touching.Triangles[i][c] = 0
			}
		}
	}
	touching = used(touching.Positions, touching.Triangles)
	inside := Mesh{ball.Positions, nil}
	for _, t := range ball.Triangles {
		inside.Triangles = append(inside.Triangles, [3]int32{t[0], t[2], t[1]})
	}
	turned := Mesh{ball.Positions, append([][3]int32{inside.Triangles[0]}, ball.Triangles[1:]...)}
	for want, m := range map[string]Mesh{
		"":                     ball,
		"none":                 {},
		"pieces":               two,
		"one fan":              touching,
		"encloses":             inside,
		"the same way":         turned,
		"edges have one":       {ball.Positions, ball.Triangles[1:]},
		"no triangle has it":   {append([]r3.Vec{{}}, two.Positions...)[:43], ball.Triangles},
		"must be below the 42": {ball.Positions, [][3]int32{{0, 1, 42}}},
		"twice":                {ball.Positions, [][3]int32{{0, 1, 1}}},
	} {
		err := m.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const tetrahedron = "v 9 9 9\nv 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 2 4 3\nf 2 3 5\nf 2 5 4\n"
	m, err := Load(write("closed.obj", tetrahedron+"f 3 4 5\n"), 2)
	if err != nil {
		t.Fatal(err)
	}
	if box := m.Bounds(); len(m.Positions) != 4 || box != (r3.Box{Min: r3.Vec{X: -1, Z: -1}, Max: r3.Vec{X: 1, Y: 2, Z: 1}}) {
		t.Errorf("%d vertices in %v", len(m.Positions), box)
	}
	for want, load := range map[string]func() (Mesh, error){
		"have one triangle": func() (Mesh, error) { return Load(write("open.obj", tetrahedron), 1) },
		"height: 0 m":       func() (Mesh, error) { return Load(write("flat.obj", tetrahedron), 0) },
		"height: NaN m":     func() (Mesh, error) { return Load(write("none.obj", tetrahedron), math.NaN()) },
		"gone.obj":          func() (Mesh, error) { return Load(filepath.Join(dir, "gone.obj"), 1) },
	} {
		if _, err := load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}

// Of the public models one is closed and manifold; the others are refused for what they are.
func TestLoadPublicModels(t *testing.T) {
	const folder = "../../../../shared/data"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no ../shared/data beside the module")
	}
	for name, want := range map[string]string{"spot": "", "cow": "must be manifold", "suzanne": "must be manifold", "teapot": "edges have one"} {
		m, err := Load(filepath.Join(folder, name+".obj"), 1)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
		if err == nil {
			t.Logf("%s: %d vertices, %d handles, %.1f l at 1 m, %d pairs of triangles cross", name, len(m.Positions), 1-euler(m)/2, 1000*m.Volume(), crossings(m.Positions, m.Triangles))
		}
	}
}
