package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

func TestMovingIsChecked(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	for _, v := range []r3.Vec{{X: math.NaN()}, {Y: math.Inf(1)}, {Z: 2 * fluid.MaxMotion}} {
		if err := l.Fill(fluid.Moving(fluid.Below(.4), v)); err == nil || l.Ledger().FilledL != 0 {
			t.Errorf("%v m/s: %v", v, err)
		}
	}
	testrig.Must(t, l.Fill(fluid.Labelled(fluid.Moving(fluid.Below(.4), r3.Vec{X: 1}), 0)))
	if v := testrig.SpeedIn(l, r3.Vec{X: .4, Y: .2, Z: .4}, .05); math.Abs(v.X-1) > 1e-3 {
		t.Errorf("%v m/s with a label", v)
	}
}
