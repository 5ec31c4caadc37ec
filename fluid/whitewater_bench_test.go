package fluid

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// BenchmarkWhiteWater measures what a particle of white water takes in a pool that a dam break has stirred, where there are as many as there may be.
func BenchmarkWhiteWater(b *testing.B) {
	l := brokenDam(b, .05, 1, 20_000)
	for range 100 {
		l.Step(frame)
	}
	w := l.sim.whiteWater
	step := whitewater.Step{Dt: frame, Delay: l.sim.disc.OutputDelay(), Gravity: l.sim.world.fields.Gravity, Most: w.Most, Still: true}
	for w.Now.Len() < w.Most/2 {
		b.Fatalf("%d particles", w.Now.Len())
	}
	particles := 0
	for b.Loop() {
		clear(w.Now.Kind[:0])
		particles += w.Now.Len()
		for i := range w.Now.Life {
			w.Now.Life[i] = 1 // so that none die
		}
		w.Advance(step)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(particles), "ns/particle")
}
