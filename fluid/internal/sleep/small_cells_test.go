package sleep_test

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Calm liquid stays calm with cells so small that waves between them are faster than a step of the game can follow, on the grid and off it.
func TestCalmWithSmallCells(t *testing.T) {
	for name, tracker := range testrig.AnyTracker {
		for _, cell := range []float64{1e-3, 2.2e-3, 5e-3} {
			for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120, 1. / 240} {
				if most := 1 * math.Sqrt(cell/9.81) * 4; dt > most || testing.Short() && (cell != 1e-3 || dt < 1./100) && (cell != 5e-3 || dt < 1./40) {
					continue // more than the four substeps can follow, which the report says
				}
				for _, depth := range []float64{2.5, 2.7} {
					l := testrig.New(t, fluid.Def{Domain: testrig.Box(5.5*cell, 5*cell, 6*cell), CellSize: cell, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
					testrig.Must(t, l.Fill(fluid.Below(depth*cell)))
					top := 0.
					for n := range testrig.InShort(40, 90) {
						if r := *l.Step(dt); n > 30 {
							top = max(top, r.MaxSpeed)
						}
					}
					if most := .02 * math.Sqrt(9.81*cell); top > most {
						t.Errorf("%s, cells of %g m, depth of %g, steps of %g s: %.3g m/s, at most %.3g", name, cell, depth, dt, top, most)
					}
					if g := l.Ledger(); math.Abs(g.DriftL) > .005*g.FilledL {
						t.Errorf("%s, cells of %g m, depth of %g, steps of %g s: off by %.2g of %.2g litres", name, cell, depth, dt, g.DriftL, g.FilledL)
					}
					l.Close()
				}
			}
		}
	}
}

// Where the substeps can't follow waves between cells, the report says so.
func TestStiffWavesAreNamed(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.006, .006, .006), CellSize: 1e-3, Resources: fluid.Resources{Workers: 1}})
	testrig.Must(t, l.Fill(fluid.Below(.003)))
	if r := *l.Step(.1); !testrig.Named(r, "waves as short as the cells") {
		t.Errorf("%v", r.Warnings)
	}
	if r := *l.Step(1. / 30); testrig.Named(r, "waves as short as the cells") {
		t.Errorf("%v", r.Warnings)
	}
}
