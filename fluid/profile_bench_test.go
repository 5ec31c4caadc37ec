package fluid

import (
	"context"
	"runtime/pprof"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// What a stage's marks cost, without a trace: with labels, and without.
func BenchmarkStageMarks(b *testing.B) {
	for _, c := range []struct {
		name   string
		labels context.Context
	}{{"plain", nil}, {"labels", context.Background()}} {
		b.Run(c.name, func(b *testing.B) {
			l, err := New(Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(l.Close)
			if err := l.Profile(Profiling{Labels: c.labels}); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				l.sim.record.times.Spans = l.sim.record.times.Spans[:0]
				l.sim.record.begin(StageSolve)
				l.sim.record.lap(1)
			}
			pprof.SetGoroutineLabels(context.Background())
		})
	}
}
