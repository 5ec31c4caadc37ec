package fluid
import ("testing";"time")
func BenchmarkSmall(b *testing.B) {
	l, _ := pool(b, Def{Budget: Budget{Step: time.Millisecond}})
	for range 150 { l.Step(1./60) }
	b.ResetTimer()
	var stages [StageCount]float64
	for range b.N { r := l.Step(1./60); for s := range stages { stages[s] += r.Stages[s].Duration.Seconds()*1e3 } }
	r := l.Step(1./60)
	b.Log(r.Unknowns, r.Cells, r.Iterations, r.Plan, r.Substeps, len(l.out.surface.Indices)/3)
	for s, ms := range stages { b.ReportMetric(ms/float64(b.N), Stage(s).String()+"-ms") }
}
