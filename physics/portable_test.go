package physics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

func TestHypot(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		x, y := math.Exp2(60*rng.Float64()-30), -math.Exp2(60*rng.Float64()-30)
		if got, want := hypot(x, y), math.Hypot(x, y); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("|(%v, %v)| = %v, want %v", x, y, got, want)
		}
	}
}

// Unit vectors have reproducible.Unit's bits, but where squares are too small to be numbers.
func TestUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		if v := (r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}); unit(v) != reproducible.Unit(v) {
			t.Fatalf("unit(%v) = %v, want %v", v, unit(v), reproducible.Unit(v))
		}
	}
	if u := unit(r3.Vec{}); !math.IsNaN(u.X) || !math.IsNaN(u.Y) || !math.IsNaN(u.Z) {
		t.Errorf("unit of zero: %v", u)
	}
	if u := unit(r3.Vec{X: 1e-200}); !math.IsInf(u.X, 1) || !math.IsNaN(u.Y) {
		t.Errorf("unit of what has no square: %v", u)
	}
}
