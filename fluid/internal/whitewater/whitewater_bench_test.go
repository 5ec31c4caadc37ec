package whitewater_test

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// BenchmarkWhiteWater measures what a particle of white water takes in a tank that a dam break has stirred, and what part of the steps before its stage has
// taken for each 20,000 particles.
func BenchmarkWhiteWater(b *testing.B) {
	l := testrig.BrokenDam(b, .05, 1, 40_000)
	white, whole, sum := 0., 0., 0.
	for n := range 100 {
		r := *l.Step(testrig.Frame)
		if n >= 30 {
			white, whole, sum = white+r.Stages[fluid.StageWhiteWater].Duration.Seconds(), whole+r.Duration.Seconds(), sum+float64(r.Stages[fluid.StageWhiteWater].Count)/70
		}
	}
	w := testrig.WhiteWater(l)
	step := whitewater.Step{Dt: testrig.Frame, Delay: testrig.Blocks(l).OutputDelay(), Gravity: testrig.Around(l).Fields.Gravity, Most: w.Most, Still: true}
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
