package pool

import (
	"fmt"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// BenchmarkTracker is a step of the film with each tracker, from the second toy on, on one and two workers: ms of each stage beside it.
func BenchmarkTracker(b *testing.B) {
	for i, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.ExplicitMesh} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", [2]string{"levelset", "mesh"}[i], workers), func(b *testing.B) {
				p, err := New(fluid.Def{CellSize: Cell, Tracker: tracker, Resources: fluid.Resources{Workers: workers}}, 1)
				if err != nil {
					b.Fatal(err)
				}
				defer p.Close()
				benchmark(b, p)
			})
		}
	}
}

func benchmark(b *testing.B, p *Pool) {
	const work, before = 8, 60 // some 8,000 unknowns
	var took [fluid.StageCount]time.Duration
	unknowns, vertices, substeps := 0, 0, 0
	film(b, p, work, before+b.N, func(n int, r *fluid.Report) {
		if n < before {
			b.ResetTimer()
			return
		}
		unknowns += r.UnknownCount()
		vertices += r.Surface.Vertices
		substeps += r.Substeps
		for s := range took {
			took[s] += r.Stages[s].Duration
		}
	})
	per := func(total float64, unit string) { b.ReportMetric(total/float64(b.N), unit) }
	per(float64(unknowns), "unknowns")
	per(float64(vertices), "vertices")
	per(float64(substeps), "substeps")
	for s, t := range took {
		if t > 0 {
			per(t.Seconds()*1e3, fluid.Stage(s).String()+"-ms")
		}
	}
}
