package fluid_test

import (
	"fmt"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// BenchmarkTetrahedra is a dam break over a ball on tetrahedra: each stage's least ns per unknown over rounds of the same steps, and blocks that changed per step. The scenes: about
// 4000 unknowns of one size; fewer than that in blocks that change as the liquid sloshes; about 80 000.
func BenchmarkTetrahedra(b *testing.B) {
	for _, c := range []struct {
		name        string
		cells       float64 // along the tank
		work        float64
		warm, steps int
	}{{"4k", 24, 0, 20, 40}, {"sloshing", 48, 3, 20, 40}, {"80k", 68, 0, 4, 8}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", c.name, workers), func(b *testing.B) {
				def := fluid.Def{
					Discretisation: fluid.Tetrahedra, Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: .5}}, CellSize: 1 / c.cells,
					Budget: fluid.Budget{Work: c.work}, Resources: fluid.Resources{Workers: workers},
				}
				var least [fluid.StageCount][]time.Duration
				for s := range least {
					least[s] = make([]time.Duration, c.steps)
				}
				unknowns, changed := 0, 0
				for round := range b.N {
					l := testrig.New(b, def)
					_, err := l.AddObstacle(fluid.Sphere(r3.Vec{X: .6, Y: .1, Z: .25}, .15))
					testrig.Must(b, err)
					testrig.Must(b, l.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .4, Y: .7, Z: .5}})))
					for range c.warm {
						l.Step(testrig.Frame)
					}
					unknowns, changed = 0, 0
					for n := range c.steps {
						r := l.Step(testrig.Frame)
						unknowns += r.UnknownCount()
						changed += r.Stages[fluid.StageSizing].Count
						for s := range least {
							if took := r.Stages[s].Duration; round == 0 || took < least[s][n] {
								least[s][n] = took
							}
						}
					}
				}
				b.ReportMetric(float64(unknowns)/float64(c.steps), "unknowns")
				b.ReportMetric(float64(changed)/float64(c.steps), "changed-blocks")
				for s := range least {
					sum := time.Duration(0)
					for _, took := range least[s] {
						sum += took
					}
					b.ReportMetric(float64(sum.Nanoseconds())/float64(unknowns), fluid.Stage(s).String()+"-ns/unknown")
				}
			})
		}
	}
}
