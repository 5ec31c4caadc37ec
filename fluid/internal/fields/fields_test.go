package fields

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

var tiles = boxes.Tiles{Origin: [3]float64{-1, 0, 2}, Edge: .25, Dim: [3]int{8, 4, 6}}

// scattered returns fields of all kinds, in and around the tiles.
func scattered(t *testing.T, n int) (all []*Field) {
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		at := r3.Vec{X: 4*chance.Float64() - 2, Y: 2*chance.Float64() - .5, Z: 1 + 3*chance.Float64()}
		f := &Field{Kind: Kind(i % 4), Centre: at, Axis: r3.Vec{X: 1, Y: float64(i)}, Radius: .4 * chance.Float64(), Strength: 1 + chance.Float64()}
		if i%7 == 0 {
			f.Radius = 0
		}
		if f.Kind == Func {
			f.Func = func(dst, pts []r3.Vec) {
				for k, x := range pts {
					dst[k] = r3.Vec{X: x.Y, Y: 9, Z: -x.X} // too much
				}
			}
		}
		if err := f.Normalise(); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// The index returns the acceleration of all fields together at every place, without the uniform ones, and never more than its bound.
func TestIndexLeavesNothingOut(t *testing.T) {
	all := scattered(t, 60)
	var n Index
	n.Invalidate()
	if !n.Rebuild(all, tiles) || n.Rebuild(all, tiles) {
		t.Fatal("the index is not placed once")
	}
	chance := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		x := r3.Vec{X: 3*chance.Float64() - 1.5, Y: 2*chance.Float64() - .5, Z: 1.5 + 3*chance.Float64()}
		var got, want r3.Vec
		n.Each(x, func(a r3.Vec) { got = r3.Add(got, a) })
		for i, f := range all {
			if !f.IsUniform() {
				want = r3.Add(want, n.fieldAt(int32(i), x))
			}
		}
		if r3.Norm(r3.Sub(got, want)) > 1e-12 {
			t.Fatalf("%v m/s² at %v, want %v", got, x, want)
		}
		if inside := boxes.Contains(tiles.Whole(), x); inside && r3.Norm(got) > n.Strongest() {
			t.Fatalf("%g m/s² at %v, at most %g said", r3.Norm(got), x, n.Strongest())
		}
	}
}

// Fields far from the tiles are listed nowhere, and cost a tile nothing.
func TestIndexListsWhatReaches(t *testing.T) {
	var n Index
	n.Invalidate()
	near := &Field{Kind: Radial, Centre: tiles.Centre(5), Radius: .01, Strength: 2}
	n.Rebuild([]*Field{{Kind: Radial, Centre: r3.Vec{X: 50}, Radius: 1, Strength: 100}, near}, tiles)
	if n.Listed() != 1 || !n.Reaches(5) || n.Reaches(6) || n.Wide() || !n.Any() || n.Strongest() != 2 {
		t.Errorf("%d are listed, in tile 5: %v; at most %g m/s²", n.Listed(), n.Reaches(5), n.Strongest())
	}
}

// A function's value is limited to Strength and fades to the rim; a value that is not finite counts as none and is reported once.
func TestFunctionsAreHeldToTheirLimits(t *testing.T) {
	f := &Field{Kind: Func, Radius: 2, Strength: 4, Func: func(dst, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = r3.Vec{X: 100}
			if x.X < 0 {
				dst[i].Y = math.NaN()
			}
		}
	}}
	told := 0
	n := Index{all: []*Field{f}, Warn: func(field int32, given, at r3.Vec) {
		if told++; field != 0 || !math.IsNaN(given.Y) || at.X != -1 {
			t.Errorf("told of field %d: %v at %v", field, given, at)
		}
	}}
	dst := make([]r3.Vec, 4)
	for range 2 {
		n.evaluate(0, dst, []r3.Vec{{}, {X: 1}, {X: -1}, {X: -1.5}})
		if dst[0] != (r3.Vec{X: 4}) || dst[1] != (r3.Vec{X: 2}) || dst[2] != (r3.Vec{}) || dst[3] != (r3.Vec{}) {
			t.Errorf("it gives %v", dst)
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

func TestNormaliseNamesWhatIsWrong(t *testing.T) {
	up := r3.Vec{Y: 2}
	for want, f := range map[string]Field{
		"Kind 4; use":               {Kind: Func + 1},
		"Func must be there":        {Kind: Func, Strength: 1},
		"Centre":                    {Axis: up, Centre: r3.Vec{Z: math.Inf(1)}},
		"Radius -1 m":               {Axis: up, Radius: -1},
		"Strength 20000 m/s²":       {Axis: up, Strength: 2e4},
		"Strength 0 m/s²":           {Kind: Func, Func: func(_, _ []r3.Vec) {}},
		"Axis {0 0 0}; must be fin": {Kind: Vortex},
	} {
		if err := f.Normalise(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	f := Field{Axis: up}
	if err := f.Normalise(); err != nil || f.Axis != (r3.Vec{Y: 1}) {
		t.Errorf("axis %v: %v", f.Axis, err)
	}
}

// Gravity and uniform fields add up, fields with a rim act near them, and a changed field acts at its new place.
func TestSet(t *testing.T) {
	s := Set{Tiles: boxes.Tiles{Edge: 1, Dim: [3]int{4, 4, 4}}}
	s.All = []*Field{
		{Kind: Uniform, Axis: r3.Vec{X: 1}, Strength: 2},
		{Kind: Radial, Centre: r3.Vec{X: 1, Y: 1, Z: 1}, Radius: 1, Strength: 4},
	}
	if g := s.SetGravity(r3.Vec{Y: -10}); g != (r3.Vec{X: 2, Y: -10}) || g != s.Gravity {
		t.Errorf("gravity %v", g)
	}
	at := []r3.Vec{{X: 1.5, Y: 1, Z: 1}, {X: 3, Y: 3, Z: 3}}
	got := make([]r3.Vec, len(at))
	s.Sample(got, at)
	if want := []r3.Vec{{X: 4, Y: -10}, {X: 2, Y: -10}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if want := 4 + math.Hypot(2, 10); math.Abs(s.Strongest()-want) > 1e-12 {
		t.Errorf("at most %g, want %g", s.Strongest(), want)
	}
	v := []float32{0, 0, 0, 1, 1, 1}
	s.AccelerateParticles([]float32{1.5, 1, 1, 3, 3, 3}, v, .5)
	if want := []float32{1, 0, 0, 1, 1, 1}; !slices.Equal(v, want) {
		t.Errorf("velocities %v, want %v", v, want)
	}
	s.All[1].Centre = r3.Vec{X: 3, Y: 3, Z: 2.5}
	s.Invalidate()
	if a := s.At(at[1]); a != (r3.Vec{X: 2, Y: -10, Z: 2}) {
		t.Errorf("%v at a field that has come", a)
	}
}
