package fluid_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

func faithfulDam(t *testing.T, faithful bool, d fluid.Def) *fluid.Liquid {
	t.Helper()
	d.Domain, d.CellSize, d.Discretisation, d.Faithful = testrig.Box(1.6, .8, .4), .05, fluid.Tetrahedra, faithful
	l := testrig.New(t, d)
	testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .5, Y: .5, Z: .4}})))
	return l
}

func TestFaithfulSmoke(t *testing.T) {
	for _, faithful := range []bool{false, true} {
		l := faithfulDam(t, faithful, fluid.Def{Numerics: fluid.Numerics{MaxIterations: 200}})
		for i := range 40 {
			r := *l.Step(testrig.Frame)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if i%4 == 0 {
				t.Log(i, r.MaxSpeed, r.Iterations, r.Residual, r.UnknownCount(), r.Ledger, r.Warnings)
			}
		}
	}
}
