package bem

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// With values given above a plane and derivatives below the solution is the harmonic function that both are of: for a linear one on any shape, and on a ball for one of second degree.
func TestMixedConditions(t *testing.T) {
	for _, c := range []struct {
		what      string
		f         func(r3.Vec) float64
		slope     func(r3.Vec) r3.Vec
		smooth    bool
		tolerance float64
	}{
		{"constant", func(r3.Vec) float64 { return 2 }, func(r3.Vec) r3.Vec { return r3.Vec{} }, false, 1e-10},
		{"linear", func(p r3.Vec) float64 { return 1 + p.X - 2*p.Y }, func(r3.Vec) r3.Vec { return r3.Vec{X: 1, Y: -2} }, false, .02},
		{"second degree", func(p r3.Vec) float64 { return p.X*p.X - p.Y*p.Y }, func(p r3.Vec) r3.Vec { return r3.Vec{X: 2 * p.X, Y: -2 * p.Y} }, true, .08},
	} {
		at, triangles := lumpy(2, 6)
		if c.smooth {
			at, triangles = geom.Icosphere(2)
		}
		fixed, q, phi := make([]bool, len(triangles)), make([]float64, len(triangles)), make([]float64, len(at))
		want, known := make([]float64, len(triangles)), make([]bool, len(at))
		for i, face := range triangles {
			p := newPanel(at[face[0]], at[face[1]], at[face[2]])
			fixed[i] = p.centre.Y < -.2
			want[i] = r3.Dot(p.normal, c.slope(p.centre))
			if fixed[i] {
				q[i] = want[i]
				continue
			}
			for _, v := range face {
				known[v], phi[v] = true, c.f(at[v])
			}
		}
		var m Mixed
		if err := m.Set(at, triangles, fixed); err != nil {
			t.Fatal(err)
		}
		if err := m.Solve(phi, q); err != nil {
			t.Fatal(err)
		}
		var valueError, slopeError, n, k float64
		for v := range at {
			if !known[v] {
				valueError += math.Pow(phi[v]-c.f(at[v]), 2)
				n++
			}
		}
		for i := range want {
			if !fixed[i] {
				slopeError += math.Pow(q[i]-want[i], 2)
				k++
			}
		}
		valueError, slopeError = math.Sqrt(valueError/n), math.Sqrt(slopeError/k)
		t.Logf("%s: values %.2g, derivatives %.2g of %g and %g", c.what, valueError, slopeError, n, k)
		about(t, c.what+": values", valueError, 0, c.tolerance)
		about(t, c.what+": derivatives", slopeError, 0, c.tolerance)
	}
}

// With derivatives alone the function is known up to a constant.
func TestDerivativesAlone(t *testing.T) {
	at, triangles := geom.Icosphere(1)
	fixed := make([]bool, len(triangles))
	for i := range fixed {
		fixed[i] = true
	}
	var m Mixed
	if err := m.Set(at, triangles, fixed); !errors.Is(err, ErrSingular) {
		t.Errorf("%v, want %v", err, ErrSingular)
	}
}

// The gradient of a harmonic function is what its sources on the boundary make; a constant exactly.
func TestHarmonicField(t *testing.T) {
	at, triangles := lumpy(2, 8)
	s := newSolver(t, at, triangles)
	for _, c := range []struct {
		what      string
		u         func(r3.Vec) r3.Vec
		tolerance float64
	}{
		{"constant", func(r3.Vec) r3.Vec { return r3.Vec{X: 1, Y: 2, Z: -3} }, 1e-14},
		{"linear", func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X, Y: -p.Y} }, .03},
		{"second degree", func(p r3.Vec) r3.Vec { return r3.Vec{X: p.Y * p.Z, Y: p.X * p.Z, Z: p.X * p.Y} }, .08},
	} {
		u := velocities(at, triangles, c.u)
		got := make([]r3.Vec, len(u))
		if err := s.Harmonic(got, u); err != nil {
			t.Fatal(err)
		}
		off, size := 0., 0.
		for i := range u {
			off += r3.Norm2(r3.Sub(got[i], u[i]))
			size += r3.Norm2(u[i])
		}
		t.Logf("%s: %.2g", c.what, math.Sqrt(off/size))
		about(t, c.what, math.Sqrt(off/size), 0, c.tolerance)
	}
}
