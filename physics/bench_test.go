package physics

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// BenchmarkResting1000 steps a thousand boxes asleep on the ground.
func BenchmarkResting1000(b *testing.B) {
	w := NewWorld(WorldDef{Gravity: down})
	add(w, BodyDef{Position: r3.Vec{Y: -0.5}}, ShapeDef{Geometry: Box(200, 1, 200)})
	for i := range 1000 {
		dynamic(w, Box(0.5, 0.5, 0.5), float64(i%32)-16, 0.25, float64(i/32)-16)
	}
	steps(w, 120)
	if w.Stats().Awake != 0 {
		b.Fatal("awake")
	}
	for b.Loop() {
		w.Step(tick)
	}
}
