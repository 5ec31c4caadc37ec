package boundary

import (
	"math"
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

// Steps of a drop of 320 faces on a plate.
func BenchmarkDropOnPlate(b *testing.B) {
	l := newLiquid(b, edgeOf(2))
	l.ContactAngle, l.Viscosity = math.Pi/2, 1
	addCap(b, l, 2, 1)
	plate := &solid{normal: r3.Vec{Z: 1}, body: -1}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Step(.02, still, plate); err != nil {
			b.Fatal(err)
		}
	}
}
