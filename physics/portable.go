package physics

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Arithmetic that gives the same bits on every machine. Where a processor can, Go's compiler
// rounds x*y + z once, unless the product is converted: float64(x*y) + z. It does so across
// statements and inlined calls, and has done so in the standard library and in gonum, whose
// functions of that kind stand here again.

func dot(p, q r3.Vec) float64 { return float64(p.X*q.X) + float64(p.Y*q.Y) + float64(p.Z*q.Z) }

// dot3 is ax + by + cz.
func dot3(a, x, b, y, c, z float64) float64 { return float64(a*x) + float64(b*y) + float64(c*z) }

// det is that of the matrix with rows (a, b) and (c, d).
func det(a, b, c, d float64) float64 { return float64(a*d) - float64(b*c) }

func cross(p, q r3.Vec) r3.Vec {
	return r3.Vec{
		X: float64(p.Y*q.Z) - float64(p.Z*q.Y),
		Y: float64(p.Z*q.X) - float64(p.X*q.Z),
		Z: float64(p.X*q.Y) - float64(p.Y*q.X),
	}
}

func scale(f float64, v r3.Vec) r3.Vec {
	return r3.Vec{X: float64(f * v.X), Y: float64(f * v.Y), Z: float64(f * v.Z)}
}

func norm2(v r3.Vec) float64 { return float64(v.X*v.X) + float64(v.Y*v.Y) + float64(v.Z*v.Z) }

// length is |v|, and unit v of length 1, NaN for zero, without the care that r3.Norm and r3.Unit
// take of squares that overflow: none does of what a world holds.
func length(v r3.Vec) float64 { return math.Sqrt(norm2(v)) }

func unit(v r3.Vec) r3.Vec { return scale(1/length(v), v) }

// hypot is |(x, y)|, with as little care.
func hypot(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// mulQuat is the rotation q, then p.
func mulQuat(p, q quat.Number) quat.Number {
	return quat.Number{
		Real: float64(p.Real*q.Real) - float64(p.Imag*q.Imag) - float64(p.Jmag*q.Jmag) - float64(p.Kmag*q.Kmag),
		Imag: float64(p.Real*q.Imag) + float64(p.Imag*q.Real) + float64(p.Jmag*q.Kmag) - float64(p.Kmag*q.Jmag),
		Jmag: float64(p.Real*q.Jmag) - float64(p.Imag*q.Kmag) + float64(p.Jmag*q.Real) + float64(p.Kmag*q.Imag),
		Kmag: float64(p.Real*q.Kmag) + float64(p.Imag*q.Jmag) - float64(p.Jmag*q.Imag) + float64(p.Kmag*q.Real),
	}
}

func scaleQuat(f float64, q quat.Number) quat.Number {
	return quat.Number{Real: float64(f * q.Real), Imag: float64(f * q.Imag), Jmag: float64(f * q.Jmag), Kmag: float64(f * q.Kmag)}
}

func norm2Quat(q quat.Number) float64 {
	return float64(q.Real*q.Real) + float64(q.Imag*q.Imag) + float64(q.Jmag*q.Jmag) + float64(q.Kmag*q.Kmag)
}

func absQuat(q quat.Number) float64 { return math.Sqrt(norm2Quat(q)) }

// horner is the polynomial of x with coefficients c, an even number of them, that of the highest
// power first: the odd and the even powers side by side, as neither waits for the other.
func horner(x float64, c []float64) float64 {
	odd, even, xx := 0.0, 0.0, float64(x*x)
	for ; len(c) > 1; c = c[2:] {
		odd, even = float64(odd*xx)+c[0], float64(even*xx)+c[1]
	}
	return float64(odd*x) + even
}

// The coefficients of Taylor's series, each without its first terms: of (sin x - x)/x³ and
// (cos x - 1 + x²/2)/x⁴ in x², of (atan x - x)/x³ in x², and of (eˣ - 1 - x)/x² in x. What is left
// out is below a tenth of a unit in the last place for |x| up to π/4, π/4, 1/16 and log(2)/2.
var (
	sinSeries  = []float64{1. / 355687428096000, -1. / 1307674368000, 1. / 6227020800, -1. / 39916800, 1. / 362880, -1. / 5040, 1. / 120, -1. / 6}
	cosSeries  = []float64{-1. / 6402373705728000, 1. / 20922789888000, -1. / 87178291200, 1. / 479001600, -1. / 3628800, 1. / 40320, -1. / 720, 1. / 24}
	atanSeries = []float64{1. / 13, -1. / 11, 1. / 9, -1. / 7, 1. / 5, -1. / 3}
	expSeries  = []float64{1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2}
)

// sincos is the sine and the cosine of x, rad, NaN if x is not finite. For |x| up to a million they
// are right to a unit in the last place, or to 1e-28 where that is more, beyond to 1e-16·|x|.
// Source: Muller 2016, Elementary Functions, ch. 11: reduction after Cody and Waite.
func sincos(x float64) (sin, cos float64) {
	if !(math.Abs(x) <= 1<<20) {
		x = math.Remainder(x, 2*math.Pi)
		if math.IsNaN(x) {
			return x, x
		}
	}
	// π/2 in parts, of which the first two are so short that k of them are not rounded.
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

// atanOfEighths is the arctangent of k/8, and what it lacks.
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

// atan2 is the angle of (x, y), rad, to one and a half units in the last place, with the special cases of
// math.Atan2: it comes from a ratio up to one, the nearest eighth to that, and the series for the
// rest. Source: Muller 2016, Elementary Functions, ch. 11.
func atan2(y, x float64) float64 {
	const low = math.Pi/2 - 0x1.921fb54442d18p+0 // what the float64 nearest to π/2 lacks
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

// decay is 1 - e⁻ˣ for x ≥ 0, to about a unit in the last place, and NaN for others.
// Source: Muller 2016, Elementary Functions, ch. 11: x is k·log(2) and a rest.
func decay(x float64) float64 {
	switch {
	case !(x >= 0):
		return math.NaN()
	case x > 40: // e⁻ˣ is below a quarter of a unit in the last place
		return 1
	}
	const (
		part1 = 0x1.62e42fefa38p-1 // so short that k of it are not rounded
		part2 = math.Ln2 - part1
	)
	k := int(float64(x/math.Ln2) + 0.5)
	n := float64(k)
	r := float64(n*part1) - x + float64(n*part2)
	grown := r + float64(float64(r*r)*horner(r, expSeries)) // eʳ - 1
	half := math.Ldexp(1, -k)
	return 1 - half - float64(half*grown)
}

// turned is (x, y) turned by the angle of the given cosine and sine.
func turned(x, y, cos, sin float64) (float64, float64) {
	return float64(cos*x) - float64(sin*y), float64(cos*y) + float64(sin*x)
}

// circle is n points of the unit circle, counterclockwise from (1, 0).
func circle(n int) [][2]float64 {
	points := make([][2]float64, n)
	for k := range points {
		sin, cos := sincos(2 * math.Pi * float64(k) / float64(n))
		points[k] = [2]float64{cos, sin}
	}
	return points
}
