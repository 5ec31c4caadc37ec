package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A function that says what another kind of field does moves the liquid alike, with a rim and without, with its droplets and beside others.
func TestFuncFieldIsAsOthers(t *testing.T) {
	tilt := r3.Vec{X: 2, Y: 1}
	twin := func(f fluid.Field) fluid.Field {
		g := fluid.Field{Kind: fluid.FuncField, Centre: f.Centre, Radius: f.Radius, Strength: 50}
		f.Radius = 0
		field, err := f.Validated()
		testrig.Must(t, err)
		g.Func = func(dst, pts []r3.Vec) {
			for i, x := range pts {
				dst[i] = field.At(x)
			}
		}
		return g
	}
	for name, f := range map[string]fluid.Field{
		"uniform": {Axis: tilt, Strength: 3},
		"rim":     {Axis: tilt, Strength: 3, Centre: r3.Vec{X: .5, Y: .3, Z: .4}, Radius: .5},
		"radial":  {Kind: fluid.RadialField, Strength: -3, Centre: r3.Vec{X: .5, Y: .6, Z: .4}, Radius: .6},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := testrig.Tub(t), testrig.Tub(t)
			_, err := a.AddField(f)
			testrig.Must(t, err)
			_, err = b.AddField(twin(f))
			testrig.Must(t, err)
			for _, l := range []*fluid.Liquid{a, b} {
				testrig.GoesOn(t, l, 30)
			}
			pts := []r3.Vec{{X: .2, Y: .3, Z: .4}, {X: .6, Y: .2, Z: .2}, {X: 1.4, Y: .1, Z: .4}}
			var sa, sb [3]fluid.Sample
			a.Sample(sa[:], pts)
			b.Sample(sb[:], pts)
			for i := range sa {
				if r3.Norm(r3.Sub(sa[i].Velocity, sb[i].Velocity)) > .03 || math.Abs(sa[i].Height-sb[i].Height) > .01 {
					t.Errorf("at %v: %.4v, and as a function %.4v", pts[i], sa[i], sb[i])
				}
			}
		})
	}
}
