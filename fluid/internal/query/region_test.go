package query_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

func TestMeasuresARegion(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .05, Numerics: fluid.Numerics{Levels: 1}, Physics: fluid.Physics{Density: 900}})
	if _, err := l.AddObstacle(fluid.Box(r3.Box{Max: r3.Vec{X: .2, Y: .8, Z: .8}})); err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.Fill(fluid.Below(.4)))
	part := func(lo, hi float64) fluid.SDF {
		return fluid.Box(r3.Box{Min: r3.Vec{Y: lo, Z: -1}, Max: r3.Vec{X: .8, Y: hi, Z: 2}})
	}
	for _, c := range []struct {
		name            string
		lo, hi          float64
		litres, density float64
	}{
		{"deep", .1, .3, 1000 * .6 * .2 * .8, 900},
		{"half", .2, .6, 1000 * .6 * .2 * .8, 450},
		{"air", .5, .7, 0, 0},
	} {
		v, err := l.VolumeIn(part(c.lo, c.hi))
		if err != nil || math.Abs(v-c.litres) > .02*96 {
			t.Errorf("%s: %g litres, %v; want %g", c.name, v, err, c.litres)
		}
		d, err := l.DensityIn(part(c.lo, c.hi))
		if err != nil || math.Abs(d-c.density) > 9 {
			t.Errorf("%s: %g kg/m³, %v; want %g", c.name, d, err, c.density)
		}
	}
	if d, err := l.DensityIn(fluid.Sphere(r3.Vec{X: .1, Y: .1, Z: .4}, .05)); d != 0 || err != nil {
		t.Errorf("in a solid: %g, %v", d, err)
	}
	for _, measure := range []func(fluid.SDF) (float64, error){l.VolumeIn, l.DensityIn} {
		if _, err := measure(nil); err == nil {
			t.Error("a nil shape was measured")
		}
	}
}

// The height above a point is where Inside ends, also in liquid that has been stirred, whose φ is no exact distance.
func TestHeightIsWhereTheLiquidEnds(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 1, 1.2), CellSize: .1, Numerics: fluid.Numerics{Levels: 1}})
	testrig.Must(t, l.Fill(fluid.Union(fluid.Below(.4), fluid.Box(r3.Box{Min: r3.Vec{X: .1, Y: .5, Z: .1}, Max: r3.Vec{X: .6, Y: .8, Z: .7}}))))
	for range 60 {
		l.Step(1. / 60)
	}
	var s [1]fluid.Sample
	inside := func(x r3.Vec, up float64) bool {
		l.Sample(s[:], []r3.Vec{r3.Add(x, r3.Vec{Y: up})})
		return s[0].Inside
	}
	for i := range 100 {
		x := r3.Vec{X: .05 + .11*float64(i%10), Y: .2, Z: .05 + .11*float64(i/10)}
		l.Sample(s[:], []r3.Vec{x})
		height := s[0].Height
		if s[0].Inside && !(inside(x, height-1e-4) && !inside(x, height+1e-4)) {
			t.Errorf("the surface above %v isn't %g m higher", x, height)
		}
	}
}
