package fluid

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// pool is the pool demo's scene in small: water to half of the tank, crates, a column.
func pool(t testing.TB, def Def) (*Liquid, *physics.World) {
	def.Domain, def.CellSize = r3.Box{Max: r3.Vec{X: 6, Y: 2.4, Z: 4}}, .06
	l := mustNew(t, def)
	if _, err := l.AddObstacle(Cylinder(r3.Vec{X: 4.3, Z: 2.6}, r3.Vec{X: 4.3, Y: 2.4, Z: 2.6}, .35)); err != nil {
		t.Fatal(err)
	}
	if err := l.Fill(Below(1.1)); err != nil {
		t.Fatal(err)
	}
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, ratio := range []float64{.3, .7, 1.5} {
		b, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1 + float64(i), Y: 1.6, Z: 2}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(.4, .4, .4), Density: 1000 * ratio}); err != nil {
			t.Fatal(err)
		}
	}
	floor, err := w.CreateBody(physics.BodyDef{Kind: physics.Static})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := floor.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{Y: 1})}); err != nil {
		t.Fatal(err)
	}
	l.Couple(w)
	return l, w
}

// BenchmarkStep is a whole step of the pool scene; ms per stage and unknowns beside it.
func BenchmarkStep(b *testing.B) {
	l, _ := pool(b, Def{Budget: Budget{Work: 20}})
	for range 90 {
		l.Step(1. / 60)
	}
	b.ResetTimer()
	unknowns := 0
	var stages [StageCount]float64
	for range b.N {
		r := l.Step(1. / 60)
		unknowns += r.UnknownCount()
		for s := range stages {
			stages[s] += r.Stages[s].Duration.Seconds() * 1e3
		}
	}
	n := float64(b.N)
	b.ReportMetric(float64(unknowns)/n, "unknowns")
	for s, ms := range stages {
		b.ReportMetric(ms/n, Stage(s).String()+"-ms")
	}
}
