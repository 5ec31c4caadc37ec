package transport

import (
	"testing"
	"time"
)

// BenchmarkStages takes each stage of a substep on 2048 cells of one size, on one worker, per edge.
func BenchmarkStages(b *testing.B) {
	r := newRig(b, [3]int{2, 2, 1}, 1./16, 1, uniform(3))
	g := r.fill(nil)
	r.start(g, r.vortex)
	f, solids := r.tr.settled(), &Solids{}
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"mesh", func() { r.tr.meshes[1].build(r.l, r.grid, r.pool) }},
		{"tets/first", func() { f.has = neither; f.findTets(first) }},
		{"tets/second", func() { f.has = neither; f.findTets(second) }},
		{"advect/slow", func() { r.tr.Begin(r.l); r.tr.Advect(g, 1./1024, true) }},
		{"advect", func() { r.tr.Begin(r.l); r.tr.Advect(g, 1./16, true) }},
		{"advect/linear", func() { r.tr.LinearEnd = true; r.tr.Begin(r.l); r.tr.Advect(g, 1./16, true); r.tr.LinearEnd = false }},
		{"extrapolate", func() { r.tr.Begin(r.l); r.tr.Extrapolate(g, solids) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			least := time.Hour
			for range b.N {
				start := time.Now()
				c.run()
				least = min(least, time.Since(start))
			}
			b.ReportMetric(float64(least.Nanoseconds())/float64(r.l.Edges()), "min-ns/edge")
		})
	}
}
