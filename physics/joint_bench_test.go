package physics

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func BenchmarkChain20(b *testing.B) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	rope(w, 20, r3.Vec{X: 0.6, Y: -0.8})
	for b.Loop() {
		w.Step(tick)
	}
}

// BenchmarkLimbs100 has a hundred pairs as a ragdoll has them: an upper arm on a ball with a
// cone and a twist, and a lower arm on a hinge with limits.
func BenchmarkLimbs100(b *testing.B) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	for i := range 100 {
		at := r3.Vec{X: float64(i % 10), Z: float64(i / 10)}
		limb(w, at)
	}
	for b.Loop() {
		w.Step(tick)
	}
}

// BenchmarkRagdolls10 has ten figures of ten parts on a heap.
func BenchmarkRagdolls10(b *testing.B) {
	w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
	ground(w)
	for i := range 10 {
		ragdoll(w, r3.Vec{X: 0.3 * float64(i%3), Y: 0.3 + 1.9*float64(i/3), Z: 0.3 * float64(i%2)})
	}
	steps(w, 300)
	for b.Loop() {
		w.Step(tick)
	}
	b.ReportMetric(float64(w.Stats().Points), "points")
}

// limb hangs an upper and a lower arm from at.
func limb(w *World, at r3.Vec) (upper, lower Body, shoulder, elbow Joint) {
	below := func(y float64) r3.Vec { return r3.Sub(at, r3.Vec{Y: y}) }
	upper, lower = massive(w, below(0.15), rod(0.3)), massive(w, below(0.45), rod(0.3))
	shoulder = must(w.AddJoint(JointDef{Kind: BallJoint, B: upper, Anchor: at, Axis: r3.Vec{Y: -1}, Cone: 1, Limits: Limits{-0.5, 0.5}}))
	elbow = must(w.AddJoint(JointDef{Kind: HingeJoint, A: upper, B: lower, Anchor: below(0.3), Axis: r3.Vec{X: 1}, Limits: Limits{0, 2}, Motor: Motor{Max: 0.1}}))
	return upper, lower, shoulder, elbow
}
