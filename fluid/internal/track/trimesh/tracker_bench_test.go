package trimesh

import (
	"fmt"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// BenchmarkTracker is a step of the Enright test with about 12,000 vertices, all stages, from the time on when the sheet is thinnest, on one and two workers.
func BenchmarkTracker(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			k, _, _ := enrightTracker(15)
			const length, dt = .0117, 3. / 515
			k.Length = uniform(length)
			k.Mover.Near = 1e-3 * length
			pool := par.New(workers)
			defer pool.Close()
			k.Mover.Pool = pool
			time := 0.
			step := func() {
				k.Step(enright, time, dt)
				time += dt
			}
			for time < 1 {
				step()
			}
			b.ResetTimer()
			vertices := 0
			for b.Loop() {
				if time > 2 {
					b.Fatal("ended")
				}
				step()
				vertices += k.Mesh.Vertices()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(vertices), "µs/vertex")
			b.ReportMetric(float64(vertices)/float64(b.N), "vertices")
		})
	}
}
