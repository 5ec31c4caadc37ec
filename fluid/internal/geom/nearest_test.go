package geom

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// place is a point near the origin, often with the same coordinates as another, so that points coincide and lie in line or in one plane. No two are so near
// each other that rounding beside what is far from them says where they are.
func place(t *rapid.T, name string) r3.Vec {
	round := rapid.Bool().Draw(t, name+" is round")
	draw := func(axis string) float64 {
		if round {
			return float64(rapid.IntRange(-2, 2).Draw(t, name+axis)) / 2
		}
		return float64(rapid.IntRange(-100, 100).Draw(t, name+axis)) / 100
	}
	return r3.Vec{X: draw(".X"), Y: draw(".Y"), Z: draw(".Z")}
}

// share is from 0 to 1, often one of these.
func share(t *rapid.T, name string) float64 {
	return max(0, min(1, rapid.Float64Range(-.5, 1.5).Draw(t, name)))
}

func weigh(wa, wb, wc float64, a, b, c r3.Vec) r3.Vec {
	return r3.Add(r3.Add(r3.Scale(wa, a), r3.Scale(wb, b)), r3.Scale(wc, c))
}

// No point of a triangle is nearer than that which is told, which is one of the triangle, whether that has an area or not.
func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, a, b, c := place(t, "x"), place(t, "a"), place(t, "b"), place(t, "c")
		wa, wb, wc := Nearest(x, a, b, c)
		if !(wa >= 0 && wb >= 0 && wc >= 0 && math.Abs(wa+wb+wc-1) < 1e-14) {
			t.Fatalf("weights %g, %g and %g", wa, wb, wc)
		}
		d := r3.Norm(r3.Sub(x, weigh(wa, wb, wc, a, b, c)))
		f := NewTriangle(a, b, c)
		what, away := f.Nearest(&x)
		prepared := r3.Norm(away)
		if !(math.Abs(prepared-d) < 2e-4) { // what counts as no area may be so wide
			t.Fatalf("%g away, from a prepared triangle %g", d, prepared)
		}
		if at := r3.Sub(x, away); !isOn(what, at, [3]r3.Vec{a, b, c}) {
			t.Fatalf("%v is not on %d", at, what)
		}
		u := share(t, "u")
		v := share(t, "v") * (1 - u)
		if other := r3.Norm(r3.Sub(x, weigh(1-u-v, u, v, a, b, c))); other < prepared-1e-7 || other < d-2e-4 {
			t.Fatalf("%g away, from a prepared triangle %g, but %g at %g, %g", d, prepared, other, u, v)
		}
	})
}

// isOn tells whether a place is on a corner, an edge or the face of a triangle, but for what counts as no area.
func isOn(what int, x r3.Vec, v [3]r3.Vec) bool {
	var near r3.Vec
	switch {
	case what < AtEdge:
		near = v[what]
	case what < AtFace:
		a, b := v[what-AtEdge], v[(what-AtEdge+1)%3]
		_, s := NearestOnSegments(x, x, a, b)
		near = Lerp(s, &a, &b)
	default:
		wa, wb, wc := Nearest(x, v[0], v[1], v[2])
		near = weigh(wa, wb, wc, v[0], v[1], v[2])
	}
	return r3.Norm(r3.Sub(x, near)) < 1e-3
}

// No two points of two segments are nearer to each other than those that are told, whether these have a length or not.
func TestNearestOnSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q, a, b := place(t, "p"), place(t, "q"), place(t, "a"), place(t, "b")
		s, u := NearestOnSegments(p, q, a, b)
		if !(s >= 0 && s <= 1 && u >= 0 && u <= 1) {
			t.Fatalf("places %g and %g", s, u)
		}
		apart := func(s, u float64) float64 { return r3.Norm(r3.Sub(Lerp(s, &p, &q), Lerp(u, &a, &b))) }
		if d, other := apart(s, u), apart(share(t, "s"), share(t, "t")); other < d-1e-7 {
			t.Fatalf("%g apart, but %g elsewhere", d, other)
		}
	})
}

// A triangle without area is its edges: the way from each is right to rounding.
func TestNearestOfSliver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, x := place(t, "a"), place(t, "b"), place(t, "x")
		c := Lerp(rapid.Float64Range(.01, 1).Draw(t, "c"), &a, &b)
		if r3.Norm(r3.Sub(a, b)) < .01 {
			return
		}
		f := NewTriangle(a, b, c)
		_, away := f.Nearest(&x)
		_, s := NearestOnSegments(x, x, a, b)
		if want := r3.Norm(r3.Sub(x, Lerp(s, &a, &b))); !(math.Abs(r3.Norm(away)-want) < 1e-7) {
			t.Fatalf("%v away, want %g", away, want)
		}
	})
}
