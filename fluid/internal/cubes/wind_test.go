package cubes_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Wind gives a still pool the momentum of its traction on the surface, wherever that passes between the cells, but for what walls leave out of the faces beside
// them and the surface of those at the air.
func TestWindGivesItsMomentum(t *testing.T) {
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		for _, level := range []float64{.8, .83, .85, .87} {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .1, Discretisation: of, Numerics: fluid.Numerics{Levels: 1}, Resources: fluid.Resources{Workers: 1}})
			testrig.Must(t, l.Fill(fluid.Below(level)))
			l.Step(testrig.Frame)
			const wind, drag = 8, .5 // m/s, Pa·s²/m²
			gr, m := &testrig.FV(l).Graph, testrig.Blocks(l)
			clear(gr.U)
			testrig.FV(l).Wind.DragSurface(r3.Vec{X: wind}, func(float64) float64 { return drag })
			got := 0.
			for f, u := range gr.U {
				got += m.Density * gr.Area[f] * gr.Open[f] * gr.Dist[f] * u * gr.Normal(f)[0]
			}
			want := drag * wind * wind * 1.6 * 1.6 * m.Dt
			t.Logf("level %g: %.4f of the momentum", level, got/want)
			if got > 1.05*want || got < .75*want {
				t.Errorf("level %g: %.4f of the momentum", level, got/want)
			}
		}
	})
}
