package fv_test

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// The report's unknowns are the graph's, each counted at the level of its block: at every level that cells in the liquid have there are as many at least, on a lattice with corners besides.
func TestUnknownsByLevel(t *testing.T) {
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		work := map[fluid.Discretisation]float64{fluid.Cubes: 1, fluid.Tetrahedra: .5}[of] // has cells of two sizes
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(2.4, 1.6, 1.6), CellSize: .1, Discretisation: of, Budget: fluid.Budget{Work: work}, Resources: fluid.Resources{Workers: 1}})
		testrig.Must(t, l.Fill(fluid.Below(.8)))
		var r fluid.Report
		for range 3 {
			r = *l.Step(testrig.Frame)
		}
		testrig.MixedLevels(t, r)
		m := testrig.Blocks(l)
		wet := make([]int, len(r.Unknowns))
		for b, level := range m.Grid.Cur.Level {
			first := m.Grid.Cur.First[b]
			for _, phi := range m.Set.Phi[first:][:1<<(3*level)] {
				if phi < 0 {
					wet[len(wet)-1-int(level)]++
				}
			}
		}
		sum := 0
		for i, n := range r.Unknowns {
			if sum += n; n < wet[i] || n > 8*wet[i] {
				t.Errorf("level %d: %d unknowns, %d cells in the liquid", i, n, wet[i])
			}
		}
		if t.Logf("unknowns %v, cells in the liquid %v", r.Unknowns, wet); sum != testrig.FV(l).Graph.Rows {
			t.Errorf("%d unknowns, %d rows", sum, testrig.FV(l).Graph.Rows)
		}
	})
}
