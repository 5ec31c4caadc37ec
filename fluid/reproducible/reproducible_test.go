package reproducible

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

var special = []float64{0, math.Copysign(0, -1), 1, -1, .5, 2, 10, 1000, 1e-4, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 1e-310, 1e300, 1e-300, math.Pi, math.Sqrt2, math.Sqrt2 / 2, 1023, 1024, -1074,
	-1075, 1023.9999999999999, 308, 309, -323, -324}

// near reports whether got equals want, including NaN and signs of zero, or differs by some units in its last place.
func near(got, want, units float64) bool {
	switch {
	case math.IsNaN(want):
		return math.IsNaN(got)
	case math.IsInf(want, 0) || want == 0:
		return got == want && math.Signbit(got) == math.Signbit(want)
	}
	return math.Abs(got-want) <= units*ulp(want)
}

func ulp(x float64) float64 { return math.Nextafter(math.Abs(x), math.Inf(1)) - math.Abs(x) }

// spread returns a number of any sign and of a size from 2^-most to 2^most.
func spread(rng *rand.Rand, most float64) float64 {
	return math.Copysign(math.Exp2(most*(2*rng.Float64()-1)), rng.Float64()-.5)
}

// exp2 is math.Exp2, but with the nearest number where that underflows to 0.
func exp2(x float64) float64 {
	if x < -1074 {
		return math.Ldexp(math.Exp2(x+64), -64)
	}
	return math.Exp2(x)
}

// log returns the logarithm of x in a base in which the logarithm of e is ofE. The standard library's Log2 is inexact near 1, and
// its other logarithms are wrong for the smallest numbers.
func log(x, ofE float64) float64 {
	if math.Abs(x-1) < .5 {
		return math.Log1p(x-1) * ofE
	}
	return math.Log2(x) * math.Ln2 * ofE
}

// The bounds are those stated and the standard library's own, which is off by some more in great powers of 10.
func TestFunctionsAgreeWithMath(t *testing.T) {
	cases := []struct {
		name      string
		got, want func(float64) float64
		units     float64
		most      float64 // of arguments' sizes, a power of two
	}{
		{"Exp2", Exp2, exp2, 2, 11},
		{"Exp10", Exp10, func(x float64) float64 { return math.Pow(10, x) }, 20, 9},
		{"Log2", Log2, func(x float64) float64 { return log(x, math.Log2E) }, 4, 1074},
		{"Log10", Log10, func(x float64) float64 { return log(x, math.Log10E) }, 4, 1074},
		{"Cbrt", Cbrt, math.Cbrt, 2, 1074},
	}
	for _, c := range cases {
		rng := rand.New(rand.NewPCG(1, 2))
		check := func(x float64) {
			if got, want := c.got(x), c.want(x); !near(got, want, c.units) {
				t.Errorf("%s(%v) = %v, want %v", c.name, x, got, want)
			}
		}
		for _, x := range special {
			check(x)
		}
		for range 200_000 {
			check(spread(rng, c.most))
			check(2 * c.most * (rng.Float64() - .5))
			if c.name[0] == 'L' {
				check(1 + rng.NormFloat64()/100)
			}
			if t.Failed() {
				return
			}
		}
	}
}

func TestExactValues(t *testing.T) {
	for e := -1074; e < 1024; e++ {
		x := math.Ldexp(1, e)
		if Log2(x) != float64(e) || Exp2(float64(e)) != x {
			t.Errorf("2^%d: %v, %v", e, Log2(x), Exp2(float64(e)))
		}
	}
	for k := range 23 {
		x := 1.
		for range k {
			x *= 10
		}
		if Log10(x) != float64(k) || Exp10(float64(k)) != x {
			t.Errorf("10^%d: %v, %v", k, Log10(x), Exp10(float64(k)))
		}
		if n := float64(k); Cbrt(n*n*n) != n || Cbrt(-n*n*n) != -n {
			t.Errorf("the cube root of %v³ is %v", n, Cbrt(n*n*n))
		}
	}
}

func TestAtan2AgreesWithMath(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	check := func(y, x float64) {
		want := math.Copysign(math.Atan2(y, x), y) // it drops the sign where y/x is too small to be a number
		if got := Atan2(y, x); !near(got, want, 3) {
			t.Errorf("Atan2(%v, %v) = %v, want %v", y, x, got, want)
		}
	}
	for _, x := range special {
		for _, y := range special {
			check(y, x)
		}
	}
	for range 300_000 {
		check(rng.NormFloat64(), rng.NormFloat64())
		check(spread(rng, 1074), spread(rng, 1074))
		check(spread(rng, 1000), spread(rng, 3))
		check(1+rng.NormFloat64()*1e-9, 1)
		if t.Failed() {
			return
		}
	}
}

func TestSincosAgreesWithMath(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	check := func(x, slack float64) {
		s, c := Sincos(x)
		ws, wc := math.Sincos(x)
		if !(math.Abs(s-ws) <= slack && math.Abs(c-wc) <= slack) && !(math.IsNaN(ws) && math.IsNaN(s) && math.IsNaN(c)) {
			t.Errorf("Sincos(%v) = %v, %v, want %v, %v", x, s, c, ws, wc)
		}
		if x != 0 && math.Abs(x) < .7 && !near(s, ws, 2) {
			t.Errorf("sin %v = %v, want %v", x, s, ws)
		}
	}
	for _, x := range special {
		check(x, 3e-16+2*ulp(x))
	}
	for range 300_000 {
		check(20*(rng.Float64()-.5), 3e-16)
		check(farthest*(rng.Float64()-.5), 3e-16)
		check(spread(rng, 20), 3e-16)
		x := spread(rng, 60)
		check(x, 3e-16+2*ulp(x))
		if t.Failed() {
			return
		}
	}
	for k := -8; k <= 8; k++ { // the library's are off by up to 12 units here, these by none
		x := float64(k) * math.Pi / 2
		s, c := Sincos(x)
		ws, wc := math.Sincos(x)
		if !near(s, ws, 20) && math.Abs(ws) < .1 || !near(c, wc, 20) && math.Abs(wc) < .1 {
			t.Errorf("Sincos(%d quarters) = %v, %v, want %v, %v", k, s, c, ws, wc)
		}
	}
}

func TestProductsAgreeWithGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	vec := func() r3.Vec { return r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()} }
	number := func() quat.Number {
		return quat.Number{Real: rng.NormFloat64(), Imag: rng.NormFloat64(), Jmag: rng.NormFloat64(), Kmag: rng.NormFloat64()}
	}
	for range 10_000 {
		p, q, f := vec(), vec(), rng.NormFloat64()
		slack := 1e-15 * (1 + r3.Norm(p)) * (1 + r3.Norm(q))
		if d := Dot(p, q) - r3.Dot(p, q); math.Abs(d) > slack {
			t.Fatal(p, q, d)
		}
		if d := r3.Sub(Cross(p, q), r3.Cross(p, q)); r3.Norm(d) > slack {
			t.Fatal(p, q, d)
		}
		if Scale(f, p) != r3.Scale(f, p) || !near(Norm2(p), r3.Norm2(p), 2) || !near(Norm(p), r3.Norm(p), 4) {
			t.Fatal(p, f)
		}
		if d := r3.Sub(Unit(p), r3.Unit(p)); r3.Norm(d) > 1e-15 {
			t.Fatal(p, d)
		}
		a, b := number(), number()
		if d := quat.Sub(QuatMul(a, b), quat.Mul(a, b)); quat.Abs(d) > 1e-15*(1+quat.Abs(a))*(1+quat.Abs(b)) {
			t.Fatal(a, b, d)
		}
		if !near(QuatNorm2(a), float64(QuatNorm(a)*QuatNorm(a)), 2) || !near(QuatNorm(a), quat.Abs(a), 3) || QuatNorm(a) != QuatAbs(a) || QuatScale(f, a) != quat.Scale(f, a) {
			t.Fatal(a)
		}
		if e := math.Exp2(2000 * (rng.Float64() - .5)); !near(QuatAbs(quat.Scale(e, a)), quat.Abs(quat.Scale(e, a)), 3) {
			t.Fatal(a, e)
		}
	}
}

// A basis is three unit vectors at right angles, right-handed, that begins alike for opposite directions.
func TestBasis(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 10_000 {
		n := r3.Unit(r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64() * math.Exp2(-float64(i%60))})
		if i < 6 {
			n = [6]r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}[i]
		}
		u, v := Basis(n)
		if r3.Norm(r3.Sub(r3.Cross(u, v), n)) > 1e-15 || math.Abs(r3.Norm(u)-1) > 1e-15 || math.Abs(r3.Norm(v)-1) > 1e-15 || math.Abs(r3.Dot(u, n)) > 1e-15 {
			t.Fatalf("to %v: %v and %v", n, u, v)
		}
		if opposite, _ := Basis(Scale(-1, n)); n.Z != 0 && opposite != u {
			t.Fatalf("to %v: %v, to its opposite %v", n, u, opposite)
		}
	}
}

func TestWhatHasNoLength(t *testing.T) {
	if u := Unit(r3.Vec{}); !math.IsNaN(u.X) || !math.IsNaN(u.Y) || !math.IsNaN(u.Z) {
		t.Error(u)
	}
	for _, x := range special {
		for _, q := range []quat.Number{{Real: x}, {Imag: x, Jmag: 1}, {Kmag: x, Real: 1e-320}} {
			if got, want := QuatAbs(q), quat.Abs(q); !near(got, want, 2) {
				t.Errorf("|%v| = %v, want %v", q, got, want)
			}
		}
		if n := QuatNorm(quat.Number{Jmag: x}); math.IsInf(x, 0) && !math.IsInf(n, 1) || math.IsNaN(x) && !math.IsNaN(n) {
			t.Errorf("|%v| = %v", x, n)
		}
		if n := Norm(r3.Vec{Y: x}); math.IsInf(x, 0) && !math.IsInf(n, 1) || math.IsNaN(x) && !math.IsNaN(n) {
			t.Errorf("|%v| = %v", x, n)
		}
	}
}

// QuatNorm squares numbers that QuatAbs scales first.
func TestQuatNormOverflows(t *testing.T) {
	if n := QuatNorm(quat.Number{Real: 1e200}); !math.IsInf(n, 1) {
		t.Error(n)
	}
	if n := QuatNorm(quat.Number{Real: 1e-200}); n != 0 {
		t.Error(n)
	}
}

func BenchmarkFunctions(b *testing.B) {
	for name, f := range map[string][2]func(float64) float64{
		"Exp2": {Exp2, math.Exp2}, "Log2": {Log2, math.Log2}, "Log10": {Log10, math.Log10}, "Cbrt": {Cbrt, math.Cbrt},
		"Atan2":  {func(x float64) float64 { return Atan2(x, 1) }, func(x float64) float64 { return math.Atan2(x, 1) }},
		"Sincos": {func(x float64) float64 { s, c := Sincos(x); return s + c }, func(x float64) float64 { s, c := math.Sincos(x); return s + c }},
		"Norm":   {func(x float64) float64 { return Norm(r3.Vec{X: x, Y: 1, Z: 2}) }, func(x float64) float64 { return r3.Norm(r3.Vec{X: x, Y: 1, Z: 2}) }},
	} {
		for i, of := range []string{"here", "math"} {
			b.Run(name+"/"+of, func(b *testing.B) {
				sum := 0.
				for n := range b.N {
					sum += f[i](float64(n&1023) * .01)
				}
				if math.IsInf(sum, 1) {
					b.Log(sum)
				}
			})
		}
	}
}
