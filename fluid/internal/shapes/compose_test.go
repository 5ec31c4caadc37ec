package shapes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// A union with shapes added one by one has the distances of Union, with few shapes and with many, and again after Clear.
func TestGroupIsUnion(t *testing.T) {
	var g Group
	pts := make([]r3.Vec, 3*chunk/2)
	for i := range pts {
		pts[i] = r3.Vec{X: .1 * float64(i), Y: .3, Z: .2}
	}
	for _, n := range []int{1, 2, fewParts, 3 * fewParts} {
		g.Clear()
		var all []SDF
		for i := range n {
			s := Sphere(r3.Vec{X: float64(i)}, .3)
			all = append(all, s)
			g.Add(s, CullBoxOf(s))
		}
		union := Union(all...)
		got, want := make([]float32, len(pts)), make([]float32, len(pts))
		g.Eval(got, pts)
		union.Eval(want, pts)
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%d shapes: %g m at %v, want %g", n, got[i], pts[i], want[i])
			}
		}
		if g.Bounds() != union.Bounds() || len(g.Shapes()) != n {
			t.Errorf("%d shapes: %d in %v, want %v", n, len(g.Shapes()), g.Bounds(), union.Bounds())
		}
	}
	g.Add(Box(r3.Box{Min: r3.Vec{X: -5}, Max: r3.Vec{X: -4, Y: .1, Z: 1}}), CullBox{})
	for x, want := range map[float64]float64{-4.5: .1, 0: .6, -2: math.Inf(1)} {
		at := r3.Vec{X: x, Y: .05, Z: .05}
		if got := g.ThicknessIn(r3.Box{Min: at, Max: at}); got != want {
			t.Errorf("at %g m: walls of %g m, want %g", x, got, want)
		}
	}
}

// Place has the pose of Transform.
func TestPlaceIsTransform(t *testing.T) {
	s, p := Box(r3.Box{Max: r3.Vec{X: 1, Y: 2, Z: 3}}), r3.Vec{X: .4, Y: -.3, Z: 2}
	turn, by := quat.Number{Real: math.Sqrt2 / 2, Jmag: math.Sqrt2 / 2}, r3.Vec{X: 5, Y: 6, Z: 7}
	placed, moved := Place(s, turn, by), Transform(s, turn, by)
	a, b := make([]float32, 1), make([]float32, 1)
	placed.Eval(a, []r3.Vec{p})
	moved.Eval(b, []r3.Vec{p})
	if a[0] != b[0] || placed.Bounds() != moved.Bounds() {
		t.Errorf("%g m in %v, want %g in %v", a[0], placed.Bounds(), b[0], moved.Bounds())
	}
	if back := placed.Local(placed.Outer(p)); r3.Norm(r3.Sub(back, p)) > 1e-12 {
		t.Errorf("%v there and back is %v", p, back)
	}
}

// A shape that ends at a closed side is extended behind it; at an open side, or if it ends before the side, it is not.
func TestThroughWalls(t *testing.T) {
	domain := r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	half := Box(r3.Box{Max: r3.Vec{X: 1, Y: .5, Z: 1}})
	at := []r3.Vec{{X: .5, Y: .01, Z: .5}, {X: .01, Y: .4, Z: .5}, {X: .5, Y: .6, Z: .99}}
	for name, c := range map[string]struct {
		open [6]bool
		want [3]float32
	}{
		"closed":        {[6]bool{}, [3]float32{-.2, -.1, .1}},
		"open below":    {[6]bool{2: true}, [3]float32{-.01, -.1, .1}},
		"open to all X": {[6]bool{0: true, 1: true}, [3]float32{-.2, -.01, .1}},
	} {
		var dst [3]float32
		ThroughWalls(half, domain, c.open, .1).Eval(dst[:], at)
		for i, want := range c.want {
			if math.Abs(float64(dst[i]-want)) > 1e-6 {
				t.Errorf("%s: %g m at %v, want %g", name, dst[i], at[i], want)
			}
		}
	}
}

// A surface that passes through a wall, which it meets under the point, ends there nowhere: distances stay.
func TestThroughWallsKeepsWhatPassesThrough(t *testing.T) {
	domain := r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	slope := HalfSpace(r3.Vec{X: .5, Y: .4, Z: 1}, r3.Unit(r3.Vec{X: 6, Y: 7, Z: 2}))
	at := []r3.Vec{{X: .5, Y: .4, Z: .95}, {X: .5, Y: .4, Z: .85}}
	var dst, want [2]float32
	slope.Eval(want[:], at)
	if ThroughWalls(slope, domain, [6]bool{}, .1).Eval(dst[:], at); dst != want {
		t.Errorf("%g m, want %g", dst, want)
	}
}
