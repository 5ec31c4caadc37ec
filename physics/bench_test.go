package physics

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// BenchmarkResting1000 steps a thousand boxes asleep on the ground.
func BenchmarkResting1000(b *testing.B) {
	w := NewWorld(WorldDef{Gravity: down})
	add(w, BodyDef{Position: r3.Vec{Y: -0.5}}, ShapeDef{Geometry: Box(Centred(200, 1, 200))})
	for i := range 1000 {
		dynamic(w, Box(Centred(0.5, 0.5, 0.5)), float64(i%32)-16, 0.25, float64(i/32)-16)
	}
	steps(w, 120)
	if w.Stats().Awake != 0 {
		b.Fatal("awake")
	}
	for b.Loop() {
		w.Step(tick)
	}
}

// BenchmarkZoo100 steps a heap of a hundred bodies of all convex kinds on a field and a mesh.
func BenchmarkZoo100(b *testing.B) {
	w := zoo(WorldDef{Gravity: down, NoSleep: true}, 100)
	steps(w, 300)
	b.ReportAllocs()
	for b.Loop() {
		w.Step(tick)
	}
	b.ReportMetric(float64(w.Stats().Points), "points")
}

// BenchmarkHullPair finds the contact of two hulls of a hundred-odd faces each, and of less.
func BenchmarkHullPair(b *testing.B) {
	for _, n := range []int{8, 16, 64} {
		b.Run(fmt.Sprint(n, " vertices"), func(b *testing.B) {
			w := NewWorld(WorldDef{})
			g := Hull(cloud(3, n, true))
			x, y := placedAt(g, r3.Vec{}, rotationMatrix(identity)), placedAt(g, r3.Vec{X: 1.5, Y: 0.4, Z: 0.3}, rotationMatrix(about(r3.Vec{X: 1, Y: 1}, 1)))
			var m manifold
			for b.Loop() {
				m.n = 0
				w.collide(&x, &y, r3.Vec{}, &m)
			}
		})
	}
}
