package raytrace

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

var plain = &Material{Colour: Grey(.5)}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %.9g, want %.9g within %g", what, got, want, within)
	}
}

func nearVec(t *testing.T, what string, got, want r3.Vec, within float64) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= within) {
		t.Errorf("%s: got %v, want %v within %g", what, got, want, within)
	}
}

// A ray meets each shape where a formula says, from outside and from within, with the outward normal.
func TestShapes(t *testing.T) {
	slant := r3.Unit(r3.Vec{X: 1, Y: -1})
	half := math.Sqrt(.5)
	cases := []struct {
		name     string
		solid    Solid
		from, to r3.Vec
		far      float64
		normal   r3.Vec
	}{
		{"ball", NewBall(2, Place{}, plain), r3.Vec{X: -5, Y: 1}, r3.Vec{X: 1}, 5 - math.Sqrt(3), r3.Vec{X: -math.Sqrt(3) / 2, Y: .5}},
		{"within a ball", NewBall(2, Place{}, plain), r3.Vec{X: 1}, r3.Vec{Y: 1}, math.Sqrt(3), r3.Vec{X: .5, Y: math.Sqrt(3) / 2}},
		{"box", NewBox(r3.Vec{X: 2, Y: 4, Z: 6}, Place{}, plain), r3.Vec{X: -3, Y: 3}, slant, 2 * math.Sqrt2, r3.Vec{X: -1}},
		{"within a box", NewBox(r3.Vec{X: 2, Y: 4, Z: 6}, Place{}, plain), r3.Vec{}, r3.Vec{Z: -1}, 3, r3.Vec{Z: -1}},
		{"moved box", NewBox(r3.Vec{X: 2, Y: 2, Z: 2}, Place{Position: r3.Vec{X: 5}}, plain), r3.Vec{}, r3.Vec{X: 1}, 4, r3.Vec{X: -1}},
		{"cylinder's side", NewCylinder(1, 6, Place{}, plain), r3.Vec{X: half, Z: 5}, r3.Vec{Z: -1}, 5 - half, r3.Vec{X: half, Z: half}},
		{"cylinder's end", NewCylinder(1, 6, Place{}, plain), r3.Vec{X: .5, Y: -9}, r3.Vec{Y: 1}, 6, r3.Vec{Y: -1}},
	}
	// A box turned by 45° about z shows its edge.
	turned := Place{Rotation: quat.Number{Real: math.Cos(math.Pi / 8), Kmag: math.Sin(math.Pi / 8)}}
	cases = append(cases, cases[0])
	cases[len(cases)-1].name, cases[len(cases)-1].solid = "turned box", NewBox(r3.Vec{X: 2, Y: 2, Z: 2}, turned, plain)
	cases[len(cases)-1].from, cases[len(cases)-1].far, cases[len(cases)-1].normal = r3.Vec{X: -5, Y: .1}, 5-(math.Sqrt2-.1), r3.Vec{X: -half, Y: half}
	for _, c := range cases {
		w := newWorld(&Scene{Solids: []Solid{c.solid}})
		r := newRay(c.from, c.to)
		h := w.first(&r, 1e9, false)
		if h.item != 0 {
			t.Errorf("%s: not met", c.name)
			continue
		}
		near(t, c.name, h.far, c.far, 1e-12)
		nearVec(t, c.name+"'s normal", h.normal, c.normal, 1e-12)
		if back := newRay(r3.Sub(c.from, r3.Scale(20, c.to)), r3.Scale(-1, c.to)); w.blocked(&back, 1e9) {
			t.Errorf("%s: met by a ray that leaves", c.name)
		}
		if w.blocked(&r, c.far-1e-6) || !w.blocked(&r, c.far+1e-6) {
			t.Errorf("%s: not met just where it is", c.name)
		}
	}
}

// A triangle is met within its edges alone, and the weights of its corners are those of the place.
func TestTriangle(t *testing.T) {
	q := triangle{r3.Vec{X: 1, Y: 2, Z: 3}, r3.Vec{X: 2}, r3.Vec{Y: 3, Z: 1}}
	for _, c := range []struct {
		u, v float64
		hits bool
	}{{.2, .3, true}, {.99, .005, true}, {.6, .5, false}, {-.01, .5, false}, {.5, -.01, false}} {
		to := r3.Unit(r3.Vec{X: .3, Y: -.2, Z: -1})
		p := r3.Add(q.a, r3.Add(r3.Scale(c.u, q.ab), r3.Scale(c.v, q.ac)))
		r := newRay(r3.Sub(p, r3.Scale(4, to)), to)
		far, u, v, ok := q.hit(&r, nearest, 1e9)
		if ok != c.hits {
			t.Errorf("at %g, %g: met %v", c.u, c.v, ok)
		}
		if ok {
			near(t, "distance", far, 4, 1e-12)
			near(t, "u", u, c.u, 1e-12)
			near(t, "v", v, c.v, 1e-12)
		}
	}
}

// The tree finds what trying all items finds.
func TestTree(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	at := func(size float64) r3.Vec {
		return r3.Vec{X: size * (2*dice.Float64() - 1), Y: size * (2*dice.Float64() - 1), Z: size * (2*dice.Float64() - 1)}
	}
	var s Scene
	m := Mesh{Material: plain}
	for i := range int32(300) {
		p := at(5)
		m.Positions = append(m.Positions, p, r3.Add(p, at(1)), r3.Add(p, at(1)))
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
		s.Solids = append(s.Solids, NewBall(.4, Place{Position: at(5)}, plain))
	}
	s.Meshes = []Mesh{m}
	w := newWorld(&s)
	met := 0
	for range 2000 {
		r := newRay(at(6), r3.Unit(at(1)))
		got, want := w.first(&r, 1e9, false), hit{far: 1e9, item: -1}
		for i := range len(w.items) {
			w.test(int32(i), &r, &want, false)
		}
		if got.item != want.item || got.far != want.far || w.blocked(&r, 1e9) != (want.item >= 0) {
			t.Fatalf("the tree finds %d at %g, all items %d at %g", got.item, got.far, want.item, want.far)
		}
		if want.item >= 0 {
			met++
		}
	}
	if met < 500 || met > 1900 {
		t.Errorf("%d of 2000 rays meet something", met)
	}
}
