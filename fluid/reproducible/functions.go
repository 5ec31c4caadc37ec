package reproducible

import "math"

// The functions below bring their argument into a short range, by steps that lose nothing, where a few terms of a series
// are all that a float64 holds (Muller 2016, Elementary Functions, on polynomials and on Cody and Waite's reduction).

// log10Of2 is log₁₀ 2 in two parts, of which the first has 40 digits: its product with an exponent is exact.
const (
	log10Of2     = 0x1.34413509f6p-2
	log10Of2Rest = math.Log10E*math.Ln2 - log10Of2
)

// A quarter of a turn in three parts: multiples of the first two, of 33 digits each, up to 2²⁰ are exact. Angles beyond
// farthest are first brought within a turn, with a 2π that is as far off as if the angle's last digit were wrong.
const (
	quarter1 = 0x1.921fb544p+0
	quarter2 = 0x1.0b4611a6p-34
	quarter3 = math.Pi/2 - quarter1 - quarter2
	farthest = 1 << 20
)

// Coefficients of the series, the last term's first.
var (
	expTerms = []float64{1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040, 1. / 720,
		1. / 120, 1. / 24, 1. / 6, 1. / 2}
	lnTerms   = []float64{2. / 23, 2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5, 2. / 3}
	atanTerms = []float64{1. / 25, -1. / 23, 1. / 21, -1. / 19, 1. / 17, -1. / 15, 1. / 13, -1. / 11, 1. / 9, -1. / 7, 1. / 5, -1. / 3}
	sinTerms  = []float64{1. / 355687428096000, -1. / 1307674368000, 1. / 6227020800, -1. / 39916800, 1. / 362880, -1. / 5040, 1. / 120, -1. / 6}
	cosTerms  = []float64{1. / 20922789888000, -1. / 87178291200, 1. / 479001600, -1. / 3628800, 1. / 40320, -1. / 720, 1. / 24, -1. / 2}
)

// series is the polynomial with these coefficients.
func series(c []float64, x float64) float64 {
	p := 0.
	for _, term := range c {
		p = float64(p*x) + term
	}
	return p
}

// Exp2 is 2^x, within one unit: 0 where that is below a float64, +Inf where above, NaN of NaN.
func Exp2(x float64) float64 {
	if !(math.Abs(x) < 1100) { // NaN too
		return beyond(x)
	}
	k := math.Round(x)
	return math.Ldexp(exp(float64((x-k)*math.Ln2)), int(k))
}

// Exp10 is 10^x, within two units; it ends as Exp2 does.
func Exp10(x float64) float64 {
	if !(math.Abs(x) < 330) {
		return beyond(x)
	}
	k := math.Round(x / log10Of2)
	r := x - float64(k*log10Of2) - float64(k*log10Of2Rest)
	return math.Ldexp(exp(float64(r*math.Ln10)), int(k))
}

// beyond is a power with an exponent so large, or NaN.
func beyond(x float64) float64 {
	if x < 0 {
		return 0
	}
	return x * math.Inf(1)
}

// exp is e^r, |r| ≤ 0.35.
func exp(r float64) float64 {
	return 1 + (r + float64(float64(r*r)*series(expTerms, r)))
}

// Log2 is log₂ x, within two units; of a power of two it is exact. It is -Inf of 0, and NaN of what is less.
func Log2(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logOutside(x)
	}
	m, e := parts(x)
	return e + float64(ln(m)*math.Log2E)
}

// Log10 is log₁₀ x, within two units. It is -Inf of 0, and NaN of what is less.
func Log10(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return logOutside(x)
	}
	m, e := parts(x)
	return float64(e*log10Of2) + (float64(e*log10Of2Rest) + float64(ln(m)*math.Log10E))
}

// logOutside is the logarithm of what is no positive number, or infinite.
func logOutside(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	return x
}

// parts divides x > 0 into m 2^e, √½ ≤ m < √2.
func parts(x float64) (m, e float64) {
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, exponent = m+m, exponent-1
	}
	return m, float64(exponent)
}

// ln is the natural logarithm of m, √½ ≤ m ≤ √2.
//
// With f = m - 1 and s = f/(2+f) it is 2s + 2s³/3 + 2s⁵/5 + ..., and 2s = f - s f.
func ln(m float64) float64 {
	f := m - 1
	s := f / (2 + f)
	q := float64(s * s)
	return f - float64(s*(f-float64(q*series(lnTerms, q))))
}

// Cbrt is ∛x, within one unit.
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

// Sincos is the sine and the cosine of x, rad, within two units, NaN if x is not finite. Beyond a million they are those of an angle
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

// Atan2 is the angle of (x, y) from the x axis, rad, -π to π, within two units. Signs of zero and infinities are those of math.Atan2.
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

// atan is the angle with tangent lo/hi, 0 ≤ lo ≤ hi.
//
// The angle with tangent c off, c = 0, ½ or 1, the tangent is (lo - c hi) / (hi + c lo), below ¼.
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
