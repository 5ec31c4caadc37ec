package predicates

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"
)

// An expansion is a sum of float64 that is not rounded: its terms do not overlap and grow in size, and none is 0. No terms are 0.
//
// Source: Shewchuk 1997, sections 2.2 to 2.5.

// Coordinates that are 0 or of a size between these have exact expansions: the last digit of a product of three of their differences is
// above 2⁻¹⁰⁵⁶, and their sum below 2⁹⁰⁸.
const (
	leastExact   = 0x1p-300
	largestExact = 0x1p300
)

// twoSum is a + b and what its rounding lost.
func twoSum(a, b float64) (sum, lost float64) {
	sum = a + b
	bb := sum - a
	return sum, (a - (sum - bb)) + (b - bb)
}

// twoProduct is a·b and what its rounding lost.
func twoProduct(a, b float64) (product, lost float64) {
	product = float64(a * b)
	return product, math.FMA(a, b, -product)
}

// difference is a - b, of up to two terms.
func difference(dst *[2]float64, a, b float64) []float64 {
	d, lost := twoSum(a, -b)
	n := 0
	if lost != 0 {
		dst[0] = lost
		n = 1
	}
	if d != 0 {
		dst[n] = d
		n++
	}
	return dst[:n]
}

// plus appends e + f to an empty dst: Shewchuk's fast expansion sum with the terms of both merged by size.
func plus(dst, e, f []float64) []float64 {
	i, j := 0, 0
	next := func() (x float64) {
		if j == len(f) || i < len(e) && math.Abs(e[i]) < math.Abs(f[j]) {
			x = e[i]
			i++
		} else {
			x = f[j]
			j++
		}
		return x
	}
	if len(e)+len(f) == 0 {
		return dst
	}
	sum := next()
	for i < len(e) || j < len(f) {
		var lost float64
		if sum, lost = twoSum(sum, next()); lost != 0 {
			dst = append(dst, lost)
		}
	}
	if sum != 0 {
		dst = append(dst, sum)
	}
	return dst
}

// scaled appends e·b to an empty dst.
func scaled(dst, e []float64, b float64) []float64 {
	if len(e) == 0 || b == 0 {
		return dst
	}
	sum, lost := twoProduct(e[0], b)
	if lost != 0 {
		dst = append(dst, lost)
	}
	for _, x := range e[1:] {
		high, low := twoProduct(x, b)
		if sum, lost = twoSum(sum, low); lost != 0 {
			dst = append(dst, lost)
		}
		if sum, lost = twoSum(high, sum); lost != 0 {
			dst = append(dst, lost)
		}
	}
	if sum != 0 {
		dst = append(dst, sum)
	}
	return dst
}

// times appends e·f, of a difference f, to an empty dst.
func times(dst, e, f []float64) []float64 {
	if len(f) == 1 {
		return scaled(dst, e, f[0])
	}
	if len(f) == 0 {
		return dst
	}
	var s, t [32]float64
	return plus(dst, scaled(s[:0], e, f[0]), scaled(t[:0], e, f[1]))
}

// minor appends a·d - b·c, all of them differences, to an empty dst.
func minor(dst, a, b, c, d []float64) []float64 {
	var s, t [8]float64
	e, f := times(s[:0], a, d), times(t[:0], b, c)
	for i := range f {
		f[i] = -f[i]
	}
	return plus(dst, e, f)
}

func sign(e []float64) int {
	switch n := len(e); {
	case n == 0:
		return 0
	case e[n-1] > 0:
		return 1
	default:
		return -1
	}
}

// exact tells whether expansions of x have no error.
func exact(x float64) bool {
	x = math.Abs(x)
	return x == 0 || x >= leastExact && x <= largestExact
}

// orientExact is Orient, at any cost.
func orientExact(a, b, c, d *r3.Vec) int {
	for _, x := range [4]*r3.Vec{a, b, c, d} {
		if !exact(x.X) || !exact(x.Y) || !exact(x.Z) {
			return orientBig(a, b, c, d)
		}
	}
	var m [9][2]float64
	ax, ay, az := difference(&m[0], a.X, d.X), difference(&m[1], a.Y, d.Y), difference(&m[2], a.Z, d.Z)
	bx, by, bz := difference(&m[3], b.X, d.X), difference(&m[4], b.Y, d.Y), difference(&m[5], b.Z, d.Z)
	cx, cy, cz := difference(&m[6], c.X, d.X), difference(&m[7], c.Y, d.Y), difference(&m[8], c.Z, d.Z)
	var minors [3][16]float64
	var terms [3][64]float64
	first := times(terms[0][:0], minor(minors[0][:0], bx, by, cx, cy), az)
	second := times(terms[1][:0], minor(minors[1][:0], cx, cy, ax, ay), bz)
	third := times(terms[2][:0], minor(minors[2][:0], ax, ay, bx, by), cz)
	var two [128]float64
	var all [192]float64
	return -sign(plus(all[:0], plus(two[:0], first, second), third))
}

// orient2Exact is orient2, at any cost.
func orient2Exact(a, b, c *point2) int {
	for _, x := range [3]*point2{a, b, c} {
		if !exact(x[0]) || !exact(x[1]) {
			return orient2Big(a, b, c)
		}
	}
	var m [4][2]float64
	var det [16]float64
	return sign(minor(det[:0], difference(&m[0], a[0], c[0]), difference(&m[1], a[1], c[1]), difference(&m[2], b[0], c[0]), difference(&m[3], b[1], c[1])))
}

// whole is the difference of two numbers in units of the least number.
func whole(a, b float64) *big.Int {
	units := func(x float64) *big.Int {
		m, e := math.Frexp(x)
		n := big.NewInt(int64(math.Ldexp(m, 53)))
		if e += 1074 - 53; e >= 0 {
			return n.Lsh(n, uint(e))
		}
		return n.Rsh(n, uint(-e)) // what is shifted out of a denormal number is 0
	}
	d := units(a)
	return d.Sub(d, units(b))
}

// wholeMinor is a·d - b·c.
func wholeMinor(a, b, c, d *big.Int) *big.Int {
	p, q := new(big.Int).Mul(a, d), new(big.Int).Mul(b, c)
	return p.Sub(p, q)
}

func orientBig(a, b, c, d *r3.Vec) int {
	ax, ay, az := whole(a.X, d.X), whole(a.Y, d.Y), whole(a.Z, d.Z)
	bx, by, bz := whole(b.X, d.X), whole(b.Y, d.Y), whole(b.Z, d.Z)
	cx, cy, cz := whole(c.X, d.X), whole(c.Y, d.Y), whole(c.Z, d.Z)
	det := az.Mul(az, wholeMinor(bx, by, cx, cy))
	det.Add(det, bz.Mul(bz, wholeMinor(cx, cy, ax, ay)))
	det.Add(det, cz.Mul(cz, wholeMinor(ax, ay, bx, by)))
	return -det.Sign()
}

func orient2Big(a, b, c *point2) int {
	return wholeMinor(whole(a[0], c[0]), whole(a[1], c[1]), whole(b[0], c[0]), whole(b[1], c[1])).Sign()
}
