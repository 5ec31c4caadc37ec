package predicates

import "math"

// value is the polynomial's.
func (c *cubic) value(t float64) float64 {
	s := 1 - t
	a, b, d := float64(s*c[0])+float64(t*c[1]), float64(s*c[1])+float64(t*c[2]), float64(s*c[2])+float64(t*c[3])
	a, b = float64(s*a)+float64(t*b), float64(s*b)+float64(t*d)
	return float64(s*a) + float64(t*b)
}

// slope is a third of its derivative.
func (c *cubic) slope(t float64) float64 {
	s := 1 - t
	a, b, d := c[1]-c[0], c[2]-c[1], c[3]-c[2]
	a, b = float64(s*a)+float64(t*b), float64(s*b)+float64(t*d)
	return float64(s*a) + float64(t*b)
}

// zeros appends the times in order at which the polynomial is 0, or has its extremes or ends within a bound of it, as float64 has them.
func zeros(dst []float64, c *cubic, bound float64) []float64 {
	var stops [4]float64
	ends := append(extremes(append(stops[:0], 0), c), 1)
	low := c[0]
	if math.Abs(low) <= bound {
		dst = append(dst, 0)
	}
	for i := range len(ends) - 1 {
		high := c.value(ends[i+1])
		if low < -bound && high > bound || low > bound && high < -bound {
			dst = append(dst, c.between(ends[i], ends[i+1], low))
		}
		if math.Abs(high) <= bound {
			dst = append(dst, ends[i+1])
		}
		low = high
	}
	return dst
}

// extremes appends the times in order, between 0 and 1, at which the slope is 0.
func extremes(dst []float64, c *cubic) []float64 {
	// The slope is a s² + 2 b s t + d t²; with s = 1-t that is k t² + 2 h t + a.
	a, b, d := c[1]-c[0], c[2]-c[1], c[3]-c[2]
	k, h := (a-b)+(d-b), b-a
	root := float64(h*h) - float64(k*a)
	if root < 0 {
		return dst
	}
	q := -(h + math.Copysign(math.Sqrt(root), h))
	t, u := q/k, a/q // either may be NaN or infinite, which is not between 0 and 1
	if u < t {
		t, u = u, t
	}
	if t > 0 && t < 1 {
		dst = append(dst, t)
	}
	if u > 0 && u < 1 && u != t {
		dst = append(dst, u)
	}
	return dst
}

// between is where the polynomial, monotonous between two times and of other signs at them, is 0: by Newton's method, or by halving where a step leads out.
func (c *cubic) between(low, high, atLow float64) float64 {
	rising := atLow < 0
	t := (low + high) / 2
	for range 60 {
		y := c.value(t)
		if y == 0 {
			return t
		}
		if (y < 0) == rising {
			low = t
		} else {
			high = t
		}
		next := t - y/(3*c.slope(t))
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-t) <= 0x1p-52*t {
			return next
		}
		t = next
	}
	return t
}
