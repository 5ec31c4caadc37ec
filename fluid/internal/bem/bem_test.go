package bem

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// failer is a testing.T or a rapid.T.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// about fails the test unless got is want within a tolerance.
func about(t failer, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.9g, want %.9g ± %.1g", what, got, want, tolerance)
	}
}

// finely returns points on a triangle with weights that add up to its area: a quadrature on 4ⁿ parts.
func finely(a, b, c r3.Vec, n int) (x []r3.Vec, w []float64) {
	at, triangles := []r3.Vec{a, b, c}, [][3]int32{{0, 1, 2}}
	for range n {
		at, triangles = divide(at, triangles)
	}
	for _, t := range triangles {
		p := newPanel(at[t[0]], at[t[1]], at[t[2]])
		for k := range fifth {
			x, w = append(x, p.point(&fifth[k])), append(w, fifth[k].weight*p.area)
		}
	}
	return x, w
}

// Integrals over any triangle seen from any point that is not close to it are those of a fine quadrature.
func TestClosedForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vec := func(name string, most float64) r3.Vec {
			c := rapid.Float64Range(-most, most)
			return r3.Vec{X: c.Draw(t, name+".x"), Y: c.Draw(t, name+".y"), Z: c.Draw(t, name+".z")}
		}
		a, b, c, x := vec("a", 1), vec("b", 1), vec("c", 1), vec("x", 3)
		p := newPanel(a, b, c)
		points, weights := finely(a, b, c, 4)
		closest := math.Inf(1)
		for _, y := range points {
			closest = min(closest, r3.Norm(r3.Sub(y, x)))
		}
		if p.area < .01 || closest < .4 {
			t.Skip("a quadrature doesn't see it well")
		}
		var want seen
		for k, y := range points {
			e := r3.Sub(y, x)
			r := r3.Norm(e)
			want.single += weights[k] / r
			g := r3.Scale(weights[k]/(r*r*r), e)
			angle := r3.Dot(p.normal, g)
			want.angle += angle
			want.along = r3.Add(want.along, r3.Sub(g, r3.Scale(angle, p.normal)))
			for m := range want.double {
				want.double[m] += angle * (1./3 + r3.Dot(p.slope[m], r3.Sub(y, p.centre)))
			}
		}
		got := p.from(x)
		about(t, "∫ 1/r", got.single, want.single, 1e-8)
		about(t, "solid angle", got.angle, want.angle, 1e-8)
		about(t, "gradient", r3.Norm(r3.Sub(got.along, want.along)), 0, 1e-8)
		for m := range want.double {
			about(t, "double layer of a linear density", got.double[m], want.double[m], 1e-8)
		}
	})
}

func TestSelfIntegral(t *testing.T) {
	for _, c := range []r3.Vec{{X: .3, Y: .9}, {X: .5, Y: math.Sqrt(.75)}, {X: 1.5, Y: .2}} {
		p := newPanel(r3.Vec{}, r3.Vec{X: 1}, c)
		points, weights := finely(p.corner[0], p.corner[1], p.corner[2], 5)
		want := 0.
		for k, x := range points {
			want += weights[k] * p.from(x).single
		}
		about(t, "∫∫ 1/r", p.self(), want, 2e-4*want)
	}
}
