package bodies_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// BenchmarkCratesAfloat steps crates that bob in a pool, one per square metre.
func BenchmarkCratesAfloat(b *testing.B) {
	for _, n := range []int{0, 100, 250, 500, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			side := math.Ceil(math.Sqrt(float64(max(n, 100))))
			l := testrig.New(b, fluid.Def{Domain: testrig.Box(side, 1.2, side), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
			testrig.Must(b, l.Fill(fluid.Below(.7)))
			w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
			for i := range n {
				at := r3.Vec{X: math.Mod(float64(i), side) + .53, Y: .75, Z: math.Floor(float64(i)/side) + .47}
				testrig.Place(b, w, physics.Dynamic, at, physics.Box(physics.Centred(.4, .3, .45)), 500)
			}
			l.Couple(w.Coupling())
			for range 20 {
				l.Step(testrig.Frame)
			}
			unknowns, steps := 0, 0
			for b.Loop() {
				unknowns += l.Step(testrig.Frame).UnknownCount()
				steps++
			}
			b.ReportMetric(float64(unknowns)/float64(steps), "unknowns")
		})
	}
}
