package boxes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

var unit = r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}

func TestGrown(t *testing.T) {
	if got, want := Grown(unit, .5), (r3.Box{Min: r3.Vec{X: -.5, Y: -.5, Z: -.5}, Max: r3.Vec{X: 1.5, Y: 1.5, Z: 1.5}}); got != want {
		t.Errorf("grown by .5: %v, want %v", got, want)
	}
	flat := unit
	flat.Max.Y = .25
	if got := Grown(flat, -.25); got.Min.Y != .125 || got.Max.Y != .125 || got.Min.X != .25 || got.Max.X != .75 {
		t.Errorf("shrunk past the middle: %v", got)
	}
	if got := Grown(Everywhere(), 1); got != Everywhere() {
		t.Errorf("everywhere grows to %v", got)
	}
}

func TestOverlapAndContains(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		b        r3.Box
		valid    bool
		overlaps bool
	}{
		{unit, true, true},
		{Everywhere(), true, true},
		{Nowhere(), true, false},
		{r3.Box{Min: r3.Vec{X: 1}, Max: r3.Vec{X: 2, Y: 1, Z: 1}}, true, true}, // a common face
		{r3.Box{Min: r3.Vec{X: 1.5}, Max: r3.Vec{X: 2, Y: 1, Z: 1}}, true, false},
		{r3.Box{Min: r3.Vec{X: nan}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}, false, false},
		{r3.Box{Min: r3.Vec{X: 1, Y: 1, Z: 1}}, false, true},
	} {
		if Valid(c.b) != c.valid || Overlap(c.b, unit) != c.overlaps {
			t.Errorf("%v: valid %v, overlaps %v", c.b, Valid(c.b), Overlap(c.b, unit))
		}
	}
	if x := (r3.Vec{X: 1, Y: .5}); !Contains(unit, x) || Contains(unit, r3.Vec{X: 1.1}) || Contains(unit, r3.Vec{X: nan}) || Contains(Nowhere(), x) {
		t.Error("a box contains the wrong points")
	}
}

// The corners of a box are the points that its box is around.
func TestCorners(t *testing.T) {
	b := r3.Box{Min: r3.Vec{X: -1, Y: 2, Z: 3}, Max: r3.Vec{X: 4, Y: 2.5, Z: 6}}
	var pts []r3.Vec
	for c := range 8 {
		pts = append(pts, Corner(&b, c))
	}
	one := r3.Box{Min: pts[0], Max: pts[0]}
	for i := range pts {
		Enclose(&one, &pts[i])
	}
	if one != b {
		t.Errorf("enclosing the corners %v: %v", pts, one)
	}
	if got := Around(pts); got != b || pts[5] != (r3.Vec{X: 4, Y: 2, Z: 6}) || LeastEdge(b) != .5 {
		t.Errorf("around the corners %v: %v, shortest edge %g", pts, got, LeastEdge(b))
	}
}

func TestUnion(t *testing.T) {
	a := r3.Box{Min: r3.Vec{X: .5, Y: -1, Z: .25}, Max: r3.Vec{X: 3, Y: .5, Z: .75}}
	if got, want := Union(a, unit), (r3.Box{Min: r3.Vec{Y: -1}, Max: r3.Vec{X: 3, Y: 1, Z: 1}}); got != want || Union(unit, a) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestIntersection(t *testing.T) {
	a := r3.Box{Min: r3.Vec{X: .5, Y: -1, Z: .25}, Max: r3.Vec{X: 3, Y: .5, Z: .75}}
	if got, want := Intersection(a, unit), (r3.Box{Min: r3.Vec{X: .5, Z: .25}, Max: r3.Vec{X: 1, Y: .5, Z: .75}}); got != want || Intersection(unit, a) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if Valid(Intersection(unit, Nowhere())) {
		t.Error("boxes far apart have something in common")
	}
}
