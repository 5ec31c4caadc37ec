package reproducible

import "math"

// The functions below reduce their argument exactly to a short range, where a few terms of a series
// give all digits of a float64 (Muller 2016, Elementary Functions, on polynomials and on Cody and Waite's reduction).

// log10Of2 is log₁₀ 2 in two parts. The first has 40 bits: its product with an exponent is exact.
const (
	log10Of2     = 0x1.34413509f6p-2
	log10Of2Rest = math.Log10E*math.Ln2 - log10Of2
)

// A quarter of a turn in three parts: multiples of the first two, of 33 bits each, up to 2²⁰ are exact. Angles beyond
// farthest are first reduced modulo a rounded 2π, with an error as if the angle's last bit were wrong.
const (
	quarter1 = 0x1.921fb544p+0
	quarter2 = 0x1.0b4611a6p-34
	quarter3 = math.Pi/2 - quarter1 - quarter2
	farthest = 1 << 20
)

// Coefficients of the series, the highest power first.
var (
	expTerms = []float64{1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040, 1. / 720,
		1. / 120, 1. / 24, 1. / 6, 1. / 2}
	lnTerms   = []float64{2. / 23, 2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5, 2. / 3}
	atanTerms = []float64{1. / 25, -1. / 23, 1. / 21, -1. / 19, 1. / 17, -1. / 15, 1. / 13, -1. / 11, 1. / 9, -1. / 7, 1. / 5, -1. / 3}
	sinTerms  = []float64{1. / 355687428096000, -1. / 1307674368000, 1. / 6227020800, -1. / 39916800, 1. / 362880, -1. / 5040, 1. / 120, -1. / 6}
	cosTerms  = []float64{1. / 20922789888000, -1. / 87178291200, 1. / 479001600, -1. / 3628800, 1. / 40320, -1. / 720, 1. / 24, -1. / 2}
)

// series returns the polynomial of x with coefficients c, the highest power first.
func series(c []float64, x float64) float64 {
	p := 0.
	for _, term := range c {
		p = float64(p*x) + term
	}
	return p
}

// Exp2 returns 2^x, within one unit: 0 on underflow, +Inf on overflow, NaN for NaN.
func Exp2(x float64) float64 {
	if !(math.Abs(x) < 1100) { // NaN too
		return beyond(x)
	}
	k := math.Round(x)
	return math.Ldexp(exp(float64((x-k)*math.Ln2)), int(k))
}

// Exp10 returns 10^x, within two units, with the special cases of Exp2.
func Exp10(x float64) float64 {
	if !(math.Abs(x) < 330) {
		return beyond(x)
	}
	k := math.Round(x / log10Of2)
	r := x - float64(k*log10Of2) - float64(k*log10Of2Rest)
	return math.Ldexp(exp(float64(r*math.Ln10)), int(k))
}

// beyond returns a power that over- or underflows, or NaN.
func beyond(x float64) float64 {
	if x < 0 {
		return 0
	}
	return x * math.Inf(1)
}

// exp returns e^r, |r| ≤ 0.35.
func exp(r float64) float64 {
	return 1 + (r + float64(float64(r*r)*series(expTerms, r)))
}

// Log2 returns log₂ x, within two units; it is exact for powers of two. It is -Inf for 0, and NaN for negative numbers.
func Log2(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logOutside(x)
	}
	m, e := parts(x)
	return e + float64(ln(m)*math.Log2E)
}

// Log10 returns log₁₀ x, within two units. It is -Inf for 0, and NaN for negative numbers.
func Log10(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logOutside(x)
	}
	m, e := parts(x)
	return float64(e*log10Of2) + (float64(e*log10Of2Rest) + float64(ln(m)*math.Log10E))
}

// logOutside returns the logarithm of a number that is not positive and finite.
func logOutside(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	return x
}

// parts splits x > 0 into m 2^e, √½ ≤ m < √2.
func parts(x float64) (m, e float64) {
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, exponent = m+m, exponent-1
	}
	return m, float64(exponent)
}

// ln returns the natural logarithm of m, √½ ≤ m ≤ √2.
//
// With f = m - 1 and s = f/(2+f) it is 2s + 2s³/3 + 2s⁵/5 + ..., and 2s = f - s f.
func ln(m float64) float64 {
	f := m - 1
	s := f / (2 + f)
	q := float64(s * s)
	return f - float64(s*(f-float64(q*series(lnTerms, q))))
}

// Cbrt returns ∛x, within one unit.
func Cbrt(x float64) float64 {
	if x == 0 || !(math.Abs(x) <= math.MaxFloat64) {
		return x
	}
	m, e := math.Frexp(math.Abs(x))
	thirds := (e+1200)/3 - 400 // rounded down: e > -1200
	m = math.Ldexp(m, e-3*thirds)
	y := .59 + float64(m*(.45-float64(.052*m))) // within 2.5 % for ½ ≤ m < 4
	for range 3 {                               // Halley: 1e-5, 1e-15, none
		cube := float64(y * y * y)
		y += y * (m - cube) / (cube + cube + m)
	}
	return math.Copysign(math.Ldexp(y, thirds), x)
}

// Sincos returns the sine and the cosine of x, rad, within two units, and NaN if x is not finite. For |x| above a million they are those of an angle
// next to x.
func Sincos(x float64) (sin, cos float64) {
	if math.Abs(x) > farthest {
		x = math.Mod(x, 2*math.Pi) // NaN of an infinite one
	}
	if math.IsNaN(x) {
		return x, x
	}
	k := math.Round(x * (2 / math.Pi))
	r := x - float64(k*quarter1) - float64(k*quarter2) - float64(k*quarter3)
	q := float64(r * r)
	sin, cos = r+float64(float64(r*q)*series(sinTerms, q)), 1+float64(q*series(cosTerms, q))
	switch int(k) & 3 {
	case 1:
		sin, cos = cos, -sin
	case 2:
		sin, cos = -sin, -cos
	case 3:
		sin, cos = -cos, sin
	}
	return sin, cos
}

// Atan2 returns the angle of (x, y) from the x axis, rad, -π to π, within two units, with the special cases of math.Atan2.
func Atan2(y, x float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	angle := atan(min(math.Abs(x), math.Abs(y)), max(math.Abs(x), math.Abs(y)))
	if math.Abs(y) > math.Abs(x) {
		angle = math.Pi/2 - angle
	}
	if math.Signbit(x) {
		angle = math.Pi - angle
	}
	return math.Copysign(angle, y)
}

// atan returns the angle with tangent lo/hi, 0 ≤ lo ≤ hi.
//
// With an offset of the angle with tangent c, c = 0, ½ or 1, the tangent is (lo - c hi) / (hi + c lo), below ¼.
func atan(lo, hi float64) float64 {
	const half = .463647609000806116214256231461214402 // the angle with tangent ½
	switch {
	case lo == 0:
		return 0
	case math.IsInf(lo, 1):
		return math.Pi / 4
	case hi > 1e300 || hi < 1e-300: // sums or halves might not be numbers
		_, e := math.Frexp(hi)
		lo, hi = math.Ldexp(lo, -e), math.Ldexp(hi, -e)
	}
	var off, t float64
	switch {
	case lo < .236*hi:
		t = lo / hi
	case lo < .72*hi:
		off, t = half, (lo-float64(.5*hi))/(hi+float64(.5*lo))
	default:
		off, t = math.Pi/4, (lo-hi)/(hi+lo)
	}
	q := float64(t * t)
	return off + (t + float64(float64(t*q)*series(atanTerms, q)))
}
