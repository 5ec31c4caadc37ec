package geom_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What is below a plane and what is above it make up the tetrahedron, with its centroid, and nothing of the parts is on the other side.
func TestBelowAndAboveMakeUpTheTetrahedron(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := geom.Tetrahedron{X: [4][3]float64{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
		for i := range whole.F {
			whole.F[i] = rapid.SampledFrom([]float64{-1, 1}).Draw(t, "side") * rapid.Float64Range(.001, 1).Draw(t, "F")
			whole.G[i] = -whole.F[i]
		}
		volume, moment := 0., [3]float64{}
		for range 2 {
			var parts [3]geom.Tetrahedron
			below := 0.
			for _, p := range parts[:whole.Below(&parts)] {
				below += p.Volume()
				for k := range p.X {
					geom.AddScaled(&moment, p.Volume()/4, &p.X[k])
					if p.G[k] < -1e-12 {
						t.Fatalf("%v: a corner of what is below is at %v, where it is %g", whole.F, p.X[k], -p.G[k])
					}
				}
			}
			if part := geom.PartBelow(&whole.F); math.Abs(part-6*below) > 1e-12 {
				t.Fatalf("%v: %g of the tetrahedron is below, want %g", whole.F, part, 6*below)
			}
			volume += below
			whole.SwapFields()
		}
		if centre := [3]float64{.25 / 6, .25 / 6, .25 / 6}; math.Abs(volume-1./6) > 1e-12 || geom.Distance(&moment, &centre) > 1e-12 {
			t.Fatalf("%v: the parts have the volume %g and the moment %v", whole.F, volume, moment)
		}
	})
}

// The part below, where one can tell it by hand.
func TestPartBelow(t *testing.T) {
	for _, c := range []struct {
		f    [4]float64
		want float64
	}{
		{[4]float64{1, 0, 2, 3}, 0},
		{[4]float64{-1, -2, -3, -4}, 1},
		{[4]float64{1, -1, 1, 3}, .5 * .5 * .25},
		{[4]float64{-1, 1, -1, -3}, 1 - .5*.5*.25},
		{[4]float64{-1, -1, 1, 1}, .5},
	} {
		if got := geom.PartBelow(&c.f); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: %g, want %g", c.f, got, c.want)
		}
	}
}

// The gradients are those of coordinates that are 1 at a corner and 0 at the others.
func TestBarycentricGradients(t *testing.T) {
	x := [4][3]float64{{.3, -.2, 1}, {1.1, .1, .9}, {.2, .8, 1.2}, {.4, .1, 2}}
	to, sixfold := geom.BarycentricGradients(&x[0], &x[1], &x[2], &x[3])
	for i := range x {
		for k := range x {
			y := geom.Sub(&x[k], &x[(i+1)%4]) // where coordinate i is 0
			want := 0.
			if k == i {
				want = 1
			}
			if got := geom.Dot(&to[i], &y); math.Abs(got-want) > 1e-14 {
				t.Errorf("coordinate %d is %g at corner %d", i, got, k)
			}
		}
	}
	p := [4]r3.Vec{reproducible.Vector(x[0]), reproducible.Vector(x[1]), reproducible.Vector(x[2]), reproducible.Vector(x[3])}
	if want := geom.Sixfold(p[0], p[1], p[2], p[3]); math.Abs(sixfold-want) > 1e-15 || want < 0 {
		t.Errorf("six times the volume is %g, want %g", sixfold, want)
	}
}
