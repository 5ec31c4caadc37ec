package boundary

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Steps of 20 drops of 320 faces in the air.
func BenchmarkTwentyDrops(b *testing.B) {
	l := newLiquid(b, edgeOf(2))
	for k := range int32(20) {
		addBall(b, l, 2, 1, r3.Vec{X: 3 * float64(k)}, k, func(x r3.Vec) r3.Vec { return r3.Vec{Y: .1 * x.Z, Z: .1 * x.Y} })
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Step(.02, still, nil); err != nil {
			b.Fatal(err)
		}
	}
}
