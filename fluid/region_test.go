package fluid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestMeasuresARegion(t *testing.T) {
	l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .05, Levels: 1, Density: 900})
	if _, err := l.AddObstacle(Box(r3.Box{Max: r3.Vec{X: .2, Y: .8, Z: .8}})); err != nil {
		t.Fatal(err)
	}
	if err := l.Fill(Below(.4)); err != nil {
		t.Fatal(err)
	}
	part := func(lo, hi float64) SDF {
		return Box(r3.Box{Min: r3.Vec{Y: lo, Z: -1}, Max: r3.Vec{X: .8, Y: hi, Z: 2}})
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
	if d, err := l.DensityIn(Sphere(r3.Vec{X: .1, Y: .1, Z: .4}, .05)); d != 0 || err != nil {
		t.Errorf("in a solid: %g, %v", d, err)
	}
	for _, measure := range []func(SDF) (float64, error){l.VolumeIn, l.DensityIn} {
		if _, err := measure(nil); err == nil {
			t.Error("a nil shape was measured")
		}
	}
}
