package dense

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Factors of random matrices solve random systems, and a singular matrix is told.
func TestLU(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for n := 1; n < 24; n++ {
		a, x, b := make([]float64, n*n), make([]float64, n), make([]float64, n)
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		for i := range b {
			b[i] = Dot(x, a[i*n:])
		}
		pivot := make([]int32, n)
		if k := FactorLU(a, pivot, 1e-12); k != n {
			t.Fatalf("%d rows: singular at %d", n, k)
		}
		SolveLU(a, pivot, b)
		for i := range x {
			if math.Abs(b[i]-x[i]) > 1e-9*float64(n) {
				t.Errorf("%d rows: %g, want %g", n, b[i], x[i])
			}
		}
	}
	if k := FactorLU([]float64{1, 2, 2, 4}, make([]int32, 2), 1e-12); k != 1 {
		t.Errorf("a singular matrix: %d", k)
	}
}

// Two products at once have the bits of each.
func TestDotTwo(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	a, b, c := make([]float64, 40), make([]float64, 40), make([]float64, 40)
	for i := range a {
		a[i], b[i], c[i] = rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
	}
	for n := range a {
		if x, y := dotTwo(a[:n], b, c); x != Dot(a[:n], b) || y != Dot(a[:n], c) {
			t.Errorf("%d entries: %g and %g", n, x, y)
		}
	}
}
