package trimesh

import "testing"

// BenchmarkTracker is a step of the Enright test with about 12,000 vertices, all stages, from the time on when the sheet is thinnest.
func BenchmarkTracker(b *testing.B) {
	k, _, _ := enrightTracker(15)
	const length, dt = .0117, 3. / 515
	k.Length = uniform(length)
	k.Mover.Near = 1e-3 * length
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
}
