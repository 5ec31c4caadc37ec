package geom

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// tetrahedron draws the triangles of one, seen from outside, or of none that has a volume.
func tetrahedron(t *rapid.T) (faces [4][3]r3.Vec, volume float64) {
	a, b, c, d := place(t, "a"), place(t, "b"), place(t, "c"), place(t, "d")
	volume = r3.Dot(r3.Sub(b, a), r3.Cross(r3.Sub(c, a), r3.Sub(d, a))) / 6
	if volume < 0 {
		b, c, volume = c, b, -volume
	}
	return [4][3]r3.Vec{{a, c, b}, {a, b, d}, {b, c, d}, {c, a, d}}, volume
}

// A line along X leaves a tetrahedron as often as it enters it, also where it runs into edges and corners, and by the turns behind a place that is inside where
// the solid angles add up to that of a sphere.
func TestCrossX(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		faces, volume := tetrahedron(t)
		x := place(t, "x")
		turns, behind, angle := 0, 0, 0.
		for i := range faces {
			a, b, c := &faces[i][0], &faces[i][1], &faces[i][2]
			turn, at := CrossX(&x, a, b, c)
			turns += turn
			if at > x.X {
				behind += turn
			}
			f := NewTriangle(*a, *b, *c)
			angle += f.SolidAngle(x)
		}
		if turns != 0 {
			t.Fatalf("%d turns on a whole line", turns)
		}
		nearest := math.Inf(1)
		for i := range faces {
			f := NewTriangle(faces[i][0], faces[i][1], faces[i][2])
			_, away := f.Nearest(&x)
			nearest = min(nearest, r3.Norm(away))
		}
		if nearest < 1e-6 || volume < 1e-6 {
			return
		}
		if want := int(math.Round(angle / (4 * math.Pi))); behind != want || math.Abs(angle-4*math.Pi*float64(want)) > 1e-6 {
			t.Fatalf("%d turns behind %v, a solid angle of %g", behind, x, angle)
		}
	})
}

// A segment passes through a triangle where it does through one of the two that it is divided into, but for their common side.
func TestCrossed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := place(t, "a"), place(t, "b"), place(t, "c")
		o, end := place(t, "o"), place(t, "end")
		m := Lerp(.5, &b, &c)
		whole, one, two := NewTriangle(a, b, c), NewTriangle(a, b, m), NewTriangle(a, m, c)
		dir := r3.Sub(end, o)
		got, want := whole.Crossed(o, dir, 1), one.Crossed(o, dir, 1) || two.Crossed(o, dir, 1)
		if got == want {
			return
		}
		// Rounding decides along the plane, on sides and at the ends alone.
		n := r3.Cross(whole.AB, whole.AC)
		slope := r3.Dot(dir, n)
		if math.Abs(slope) < 1e-9 {
			return
		}
		s := r3.Dot(r3.Sub(a, o), n) / slope
		x := Lerp(s, &o, &end)
		for _, side := range [4][2]r3.Vec{{a, b}, {b, c}, {c, a}, {a, m}} {
			_, u := NearestOnSegments(x, x, side[0], side[1])
			if r3.Norm(r3.Sub(x, Lerp(u, &side[0], &side[1]))) < 1e-9 {
				return
			}
		}
		if math.Abs(s) < 1e-9 || math.Abs(s-1) < 1e-9 {
			return
		}
		t.Fatalf("crossed: %v, its halves: %v", got, want)
	})
}
