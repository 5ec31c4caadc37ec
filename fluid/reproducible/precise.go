package reproducible

import "math"

// The functions of this file carry rounding errors along, so that they are right to about one unit in the last place.

// horner returns the polynomial of x with an even number of coefficients c, the highest
// power first. Odd and even powers are independent sums, for speed.
func horner(x float64, c []float64) float64 {
	odd, even, xx := 0.0, 0.0, float64(x*x)
	for ; len(c) > 1; c = c[2:] {
		odd, even = float64(odd*xx)+c[0], float64(even*xx)+c[1]
	}
	return float64(odd*x) + even
}

// Taylor coefficients of (sin x - x)/x³ and
// (cos x - 1 + x²/2)/x⁴ in x², of (atan x - x)/x³ in x², and of (eˣ - 1 - x)/x² in x. The truncation
// error is below a tenth of a unit in the last place for |x| up to π/4, π/4, 1/16 and log(2)/2.
var (
	sinSeries  = []float64{1. / 355687428096000, -1. / 1307674368000, 1. / 6227020800, -1. / 39916800, 1. / 362880, -1. / 5040, 1. / 120, -1. / 6}
	cosSeries  = []float64{-1. / 6402373705728000, 1. / 20922789888000, -1. / 87178291200, 1. / 479001600, -1. / 3628800, 1. / 40320, -1. / 720, 1. / 24}
	atanSeries = []float64{1. / 13, -1. / 11, 1. / 9, -1. / 7, 1. / 5, -1. / 3}
	expSeries  = []float64{1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2}
)

// PreciseSincos returns the sine and the cosine of x, rad, and NaN if x is not finite. For |x| up to a million they
// are right to a unit in the last place, or to 1e-28 where that is more; beyond, to 1e-16·|x|.
// Source: Muller 2016, Elementary Functions, ch. 11: reduction after Cody and Waite.
func PreciseSincos(x float64) (sin, cos float64) {
	if !(math.Abs(x) <= 1<<20) {
		x = math.Remainder(x, 2*math.Pi)
		if math.IsNaN(x) {
			return x, x
		}
	}
	// π/2 in parts. The first two are so short that their products with k are exact.
	const (
		part1 = 0x1.921fb544p+0
		part2 = 0x1.0b4611a6p-34
		part3 = math.Pi/2 - part1 - part2
	)
	k := int64(float64(x*(2/math.Pi)) + math.Copysign(0.5, x))
	n := float64(k)
	left, next := x-float64(n*part1), float64(n*part2)
	near := left - next
	over := next - (left - near) + float64(n*part3)
	r := near - over
	over -= near - r // r - over is x - kπ/2

	z := float64(r * r)
	s := r - (over - float64(float64(r*z)*horner(z, sinSeries)))
	half := float64(z / 2)
	c := 1 - half
	c += 1 - c - half + (float64(float64(z*z)*horner(z, cosSeries)) + float64(r*over))
	switch k & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

// atanOfEighths is the arctangent of k/8, and its rounding error.
var atanOfEighths = [9][2]float64{
	{0, 0},
	{0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
	{0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
	{0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
	{0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
	{0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
	{0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
	{0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
	{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
}

// PreciseAtan2 returns the angle of (x, y), rad, to one and a half units in the last place, with the special cases of
// math.Atan2. It splits a ratio of at most one into the nearest eighth and a rest, and uses the series for the
// rest. Source: Muller 2016, Elementary Functions, ch. 11.
func PreciseAtan2(y, x float64) float64 {
	const low = math.Pi/2 - 0x1.921fb54442d18p+0 // rounding error of π/2
	a, b := math.Abs(x), math.Abs(y)
	least, most := min(a, b), max(a, b)
	t := least / most
	switch {
	case math.IsNaN(most):
		return math.NaN()
	case most == 0:
		t = 0
	case least > math.MaxFloat64:
		t = 1
	}
	k := int(float64(8*t) + 0.5)
	c := float64(float64(k) / 8)
	u := (t - c) / (1 + float64(t*c))
	z := float64(u * u)
	base := &atanOfEighths[k]
	angle := base[0] + (u + (float64(float64(u*z)*horner(z, atanSeries)) + base[1]))
	switch left := math.Signbit(x); {
	case b > a && left:
		angle = math.Pi/2 + (angle + low)
	case b > a:
		angle = math.Pi/2 - (angle - low)
	case left:
		angle = math.Pi - (angle - 2*low)
	}
	return math.Copysign(angle, y)
}

// Decay returns 1 - e⁻ˣ for x ≥ 0, to about a unit in the last place, and NaN for others.
// Source: Muller 2016, Elementary Functions, ch. 11: x is k·log(2) and a rest.
func Decay(x float64) float64 {
	switch {
	case !(x >= 0):
		return math.NaN()
	case x > 40: // e⁻ˣ is below a quarter of a unit in the last place
		return 1
	}
	const (
		part1 = 0x1.62e42fefa38p-1 // so short that its product with k is exact
		part2 = math.Ln2 - part1
	)
	k := int(float64(x/math.Ln2) + 0.5)
	n := float64(k)
	r := float64(n*part1) - x + float64(n*part2)
	grown := r + float64(float64(r*r)*horner(r, expSeries)) // eʳ - 1
	half := math.Ldexp(1, -k)
	return 1 - half - float64(half*grown)
}
