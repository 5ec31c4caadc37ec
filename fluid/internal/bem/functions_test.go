package bem

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The logarithm and the angle are those of package math, to what they promise.
func TestFunctions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 100000 {
		x := math.Exp(80 * (rng.Float64() - .5))
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 1e-14*(1+math.Abs(want)) {
			t.Fatalf("logarithm of %g: %g, want %g", x, got, want)
		}
		a, b := rng.NormFloat64(), rng.NormFloat64()*math.Exp(10*rng.NormFloat64())
		if got, want := angleOf(a, b), math.Atan2(a, b); math.Abs(got-want) > 1e-13 {
			t.Fatalf("angle of %g, %g: %g, want %g", a, b, got, want)
		}
	}
	for _, x := range []float64{1, 2, .5, math.Sqrt2, math.Sqrt2 / 2} {
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 1.4e-14 {
			t.Errorf("logarithm of %g: %g, want %g", x, got, want)
		}
	}
	for _, c := range [][2]float64{{0, 0}, {0, 1}, {1, 0}, {-1, 0}, {0, -1}, {1, 1}, {-1, -1}} {
		if got, want := angleOf(c[0], c[1]), math.Atan2(c[0], c[1]); math.Abs(got-want) > 1e-15 {
			t.Errorf("angle of %v: %g, want %g", c, got, want)
		}
	}
}
