package fluid

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// BenchmarkWhiteWater measures what a particle of white water takes in a tank that a dam break has stirred, and what part of the steps before its stage has
// taken for each 20,000 particles.
func BenchmarkWhiteWater(b *testing.B) {
	l := brokenDam(b, .05, 1, 40_000)
	white, whole, sum := 0., 0., 0.
	for n := range 100 {
		r := l.Step(frame)
		if n >= 30 {
			white, whole, sum = white+r.Stages[StageWhiteWater].Duration.Seconds(), whole+r.Duration.Seconds(), sum+float64(r.Stages[StageWhiteWater].Count)/70
		}
	}
	w := l.sim.whiteWater
	step := whitewater.Step{Dt: frame, Delay: blocksOf(l).OutputDelay(), Gravity: l.sim.around.Fields.Gravity, Most: w.Most, Still: true}
	if w.Now.Len() < 10_000 {
		b.Fatalf("%d particles", w.Now.Len())
	}
	particles := 0
	for b.Loop() {
		particles += w.Now.Len()
		for i := range w.Now.Life {
			w.Now.Life[i] = 1 // so that none die
		}
		w.Advance(step)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(particles), "ns/particle")
	b.ReportMetric(100*white/whole*20_000/sum, "%/20k")
}
