package bem

import "math"

// logarithm returns the natural logarithm of a normal positive number to 1e-14 of it and of 1, with the same bits on every machine.
//
// With x = m 2ᵉ, √½ ≤ m < √2, and s = (m-1)/(m+1), that of m is 2s + 2s³/3 + 2s⁵/5 + ...
func logarithm(x float64) float64 {
	const rootOfHalf = 0x3fe6a09e667f3bcd
	bits := math.Float64bits(x)
	e := int64(bits-rootOfHalf) >> 52
	m := math.Float64frombits(bits - uint64(e)<<52)
	s := (m - 1) / (m + 1)
	q := float64(s * s)
	q2 := float64(q * q)
	low := (1 + float64(q*(1./3))) + float64(q2*(1./5+float64(q*(1./7))))
	high := (1./9 + float64(q*(1./11))) + float64(q2*(1./13+float64(q*(1./15))))
	return float64(float64(e)*math.Ln2) + float64(2*s*(low+float64(float64(q2*q2)*high)))
}

// angleOf returns the angle of (x, y) from the x axis, rad, -π to π, to 1e-13, with the same bits on every machine; 0 for (0, 0).
//
// With an offset of the angle with tangent c, c = 0, ½ or 1, the tangent of the lesser coordinate over the greater is t = (lo - c hi)/(hi + c lo), below ¼, and the angle t - t³/3 + t⁵/5 - ...
func angleOf(y, x float64) float64 {
	const half = .463647609000806116214256231461214402 // the angle with tangent ½
	lo, hi := math.Abs(x), math.Abs(y)
	steep := hi > lo
	if !steep {
		lo, hi = hi, lo
	}
	if hi == 0 {
		return 0
	}
	off, t := 0., 0.
	switch {
	case lo < .236*hi:
		t = lo / hi
	case lo < .72*hi:
		off, t = half, (lo-float64(.5*hi))/(hi+float64(.5*lo))
	default:
		off, t = math.Pi/4, (lo-hi)/(hi+lo)
	}
	q := float64(t * t)
	q2 := float64(q * q)
	q4 := float64(q2 * q2)
	low := (1 - float64(q*(1./3))) + float64(q2*(1./5-float64(q*(1./7))))
	high := (1./9 - float64(q*(1./11))) + float64(q2*(1./13-float64(q*(1./15))))
	angle := off + float64(t*(low+float64(q4*(high+float64(q4*(1./17))))))
	if steep {
		angle = math.Pi/2 - angle
	}
	if x < 0 {
		angle = math.Pi - angle
	}
	return math.Copysign(angle, y)
}
