package tets_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// Under its level the liquid in a tub that stands in the dry meets no air, however its walls, a cell thick or somewhat more, lie between the vertices: a vertex in a wall counts
// as what is on its side. So the liquid stays still.
func TestTubHasNoAirInItsWalls(t *testing.T) {
	const cell, level = .1, .6
	most := 0.
	for _, wall := range []float64{.1, .12, .145}[:testrig.InShort(2, 3)] {
		for _, off := range []float64{0, .026, .05, .074}[:testrig.InShort(2, 4)] {
			l := testrig.New(t, fluid.Def{Discretisation: fluid.Tetrahedra, Domain: testrig.Box(1.6, 1, 1.6), CellSize: cell, Resources: fluid.Resources{Workers: 1}})
			w := testrig.Earth()
			at := r3.Vec{X: .8 + off, Y: .5 + off, Z: .8 - off/2}
			testrig.Place(t, w, physics.Kinematic, at, physics.OpenBox(physics.Centred(.6+2*wall, .6+wall, .6+2*wall), wall), 0)
			l.Couple(w.Coupling())
			half := r3.Vec{X: .3 + wall/2, Y: .3, Z: .3 + wall/2}
			inside := r3.Box{Min: r3.Sub(at, half), Max: r3.Add(at, half)}
			inside.Max.Y = level
			testrig.Must(t, l.Fill(fluid.Box(inside)))
			fast := 0.
			for range 10 {
				r := l.Step(testrig.Frame)
				testrig.Must(t, r.Err)
				fast = max(fast, r.MaxSpeed)
			}
			gr := &testrig.FV(l).Graph
			for f, x := range gr.FaceCentres {
				if (gr.A[f] == graph.Air || gr.B[f] == graph.Air) && x[1] < level-cell {
					t.Fatalf("walls of %g m, off by %g: air at %.3f m", wall, off, x)
				}
			}
			t.Logf("walls of %g m, off by %g: up to %.3f m/s", wall, off, fast)
			most = max(most, fast)
		}
	}
	testrig.FallsShort(t, "m/s in still liquid beside thin walls", most, .02, .09)
}
