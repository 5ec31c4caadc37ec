package reproducible

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps returns how far got is from want, in units in the last place of want.
func ulps(got, want float64) float64 {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return 0
	}
	return math.Abs(got-want) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
}

// same compares the bits of special cases, with any NaN equal to any other.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// logUniform returns a number of either sign, from 2^lo to 2^hi.
func logUniform(rng *rand.Rand, lo, hi float64) float64 {
	x := math.Exp2(lo + rng.Float64()*(hi-lo))
	if rng.IntN(2) == 0 {
		return -x
	}
	return x
}

// quarterTurns returns the quarter turns in x, rounded, modulo four, and what is left of x.
func quarterTurns(x float64) (k int, rest float64) {
	half, _, _ := big.ParseFloat("1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931401741267105853399107404326", 10, 400, big.ToNearestEven)
	b := new(big.Float).SetPrec(400).SetFloat64(x)
	q := new(big.Float).SetPrec(400).Quo(b, half)
	n, _ := q.Add(q, big.NewFloat(math.Copysign(0.5, x))).Int(nil)
	rest, _ = b.Sub(b, half.Mul(half, new(big.Float).SetPrec(400).SetInt(n))).Float64()
	return int(n.Int64() & 3), rest
}

// The references of these tests are off by up to a unit in the last place themselves.

func TestPreciseSincos(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	worst := [2]float64{}
	for i := range 50000 {
		x := logUniform(rng, -40, 20)
		if i%2 == 0 { // near a multiple of π/4
			x = float64(rng.IntN(2000000)-1000000)*math.Pi/4 + logUniform(rng, -60, 0)
		}
		k, r := quarterTurns(x)
		sin, cos := math.Sincos(r)
		for range k {
			sin, cos = cos, -sin
		}
		gotSin, gotCos := PreciseSincos(x)
		for j, e := range [2]float64{ulps(gotSin, sin), ulps(gotCos, cos)} {
			if worst[j] = max(worst[j], e); e > 2 && math.Abs([2]float64{gotSin - sin, gotCos - cos}[j]) > 1e-28 {
				t.Fatalf("PreciseSincos(%v) = %v, %v, want %v, %v: off by %.2f ulp", x, gotSin, gotCos, sin, cos, e)
			}
		}
	}
	t.Logf("off by %.2f and %.2f ulp at worst", worst[0], worst[1])
	for range 10000 { // a point of the circle, whichever
		x := logUniform(rng, 20, 1023)
		if sin, cos := PreciseSincos(x); math.Abs(math.Hypot(sin, cos)-1) > 1e-15 {
			t.Fatalf("PreciseSincos(%v) = %v, %v", x, sin, cos)
		}
		x = math.Trunc(logUniform(rng, 20, 30))
		sin, cos := PreciseSincos(x)
		if wantSin, wantCos := math.Sincos(x); math.Abs(sin-wantSin) > 1e-16*math.Abs(x) || math.Abs(cos-wantCos) > 1e-16*math.Abs(x) {
			t.Fatalf("PreciseSincos(%v) = %v, %v, want %v, %v", x, sin, cos, wantSin, wantCos)
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 5e-324, -1e-310, math.Inf(1), math.Inf(-1), math.NaN()} {
		sin, cos := PreciseSincos(x)
		if wantSin, wantCos := math.Sincos(x); !same(sin, wantSin) || !same(cos, wantCos) {
			t.Errorf("PreciseSincos(%v) = %v, %v, want %v, %v", x, sin, cos, wantSin, wantCos)
		}
	}
}

func TestPreciseAtan2(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for i := range 500000 {
		y, x := logUniform(rng, -4, 4), logUniform(rng, -4, 4)
		switch i % 3 {
		case 1:
			y, x = logUniform(rng, -500, 500), logUniform(rng, -500, 500)
		case 2: // next to where the nearest eighth changes
			y = x * (float64(rng.IntN(9)) + 0.5 + logUniform(rng, -50, -3)) / 8
		}
		got, want := PreciseAtan2(y, x), math.Atan2(y, x)
		if worst = max(worst, ulps(got, want)); worst > 2 {
			t.Fatalf("PreciseAtan2(%v, %v) = %v, want %v: off by %.2f ulp", y, x, got, want, worst)
		}
	}
	t.Logf("off by %.2f ulp at worst from math's", worst)
	special := []float64{0, math.Copysign(0, -1), 1, -1, 5e-324, -5e-324, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, y := range special {
		for _, x := range special {
			want := math.Copysign(math.Atan2(y, x), y) // math's forgets the sign where y/x is below the least number
			if got := PreciseAtan2(y, x); !same(got, want) {
				t.Errorf("PreciseAtan2(%v, %v) = %v, want %v", y, x, got, want)
			}
		}
	}
}

func TestDecay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 500000 {
		x := math.Abs(logUniform(rng, -60, 8))
		if worst = max(worst, ulps(Decay(x), -math.Expm1(-x))); worst > 2 {
			t.Fatalf("Decay(%v) = %v, want %v: off by %.2f ulp", x, Decay(x), -math.Expm1(-x), worst)
		}
	}
	t.Logf("off by %.2f ulp at worst from math's", worst)
	for x, want := range map[float64]float64{0: 0, math.Copysign(0, -1): 0, 5e-324: 5e-324, math.MaxFloat64: 1, math.Inf(1): 1, -1: math.NaN(), math.NaN(): math.NaN()} {
		if got := Decay(x); !same(got, want) {
			t.Errorf("Decay(%v) = %v, want %v", x, got, want)
		}
	}
}

func BenchmarkPreciseSincos(b *testing.B) {
	benchmarkAgainst(b, func(x float64) float64 { s, c := PreciseSincos(x); return s + c }, func(x float64) float64 { s, c := math.Sincos(x); return s + c })
}

func BenchmarkPreciseAtan2(b *testing.B) {
	benchmarkAgainst(b, func(x float64) float64 { return PreciseAtan2(x, 1) }, func(x float64) float64 { return math.Atan2(x, 1) })
}

func BenchmarkDecay(b *testing.B) {
	benchmarkAgainst(b, Decay, func(x float64) float64 { return -math.Expm1(-x) })
}

func benchmarkAgainst(b *testing.B, f, standard func(float64) float64) {
	var xs [1024]float64
	for i := range xs {
		xs[i] = 5 * float64(i) / float64(len(xs))
	}
	for name, f := range map[string]func(float64) float64{"here": f, "math": standard} {
		b.Run(name, func(b *testing.B) {
			sum, i := 0.0, 0
			for b.Loop() {
				sum += f(xs[i&1023])
				i++
			}
		})
	}
}
