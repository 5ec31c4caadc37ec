package fluid_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// many is a pool with so many small fields and drains, spread over all of it or where no liquid is.
func many(t testing.TB, n int, far bool) *fluid.Liquid {
	t.Helper()
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 1.6, 3.2), CellSize: .1, Resources: fluid.Resources{Workers: 2}})
	testrig.Must(t, l.Fill(fluid.Below(.5)))
	for i := range n {
		seed := droplets.SplitMix64(uint64(i))
		part := func(bits uint64) float64 { return float64(bits&(1<<20-1)) / (1 << 20) }
		x := r3.Vec{X: 3.2 * part(seed), Y: .5 * part(seed>>20), Z: 3.2 * part(seed>>40)}
		if far {
			x.Y += 1.5
		}
		_, err := l.AddField(fluid.Field{Kind: fluid.RadialField, Centre: x, Radius: .1, Strength: 1})
		testrig.Must(t, err)
		_, err = l.AddSink(fluid.Sphere(x, .05), 1e-3)
		testrig.Must(t, err)
	}
	return l
}

// BenchmarkManyFieldsAndSinks is a step with so many fields and as many drains, in the liquid and far from it.
func BenchmarkManyFieldsAndSinks(b *testing.B) {
	for _, far := range []bool{true, false} {
		for _, n := range []int{0, 10, 100, 1000, 10_000} {
			b.Run(fmt.Sprintf("far=%v/%d", far, n), func(b *testing.B) {
				l := many(b, n, far)
				for range 5 {
					l.Step(testrig.Frame)
				}
				for b.Loop() {
					fluid.WakeAll(l)
					l.Step(testrig.Frame)
				}
				b.ReportMetric(float64(testrig.Report(l).Substeps), "substeps")
			})
		}
	}
}
