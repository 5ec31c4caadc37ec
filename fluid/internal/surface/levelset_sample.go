package surface

// linearAt interpolates a cube of edge e between eight values; x, y, z are in cells from the
// centre of value (0, 0, 0), and must be within 0 and e-1.
func linearAt(t []float32, e int, x, y, z float32) float32 {
	i, j, k := int(x), int(y), int(z)
	u, v, w := x-float32(i), y-float32(j), z-float32(k)
	dz := e * e
	c := t[i+e*j+dz*k:]
	_ = c[dz+e+1]
	p := c[0] + u*(c[1]-c[0])
	q := c[e] + u*(c[e+1]-c[e])
	r := c[dz] + u*(c[dz+1]-c[dz])
	s := c[dz+e] + u*(c[dz+e+1]-c[dz+e])
	p += v * (q - p)
	r += v * (s - r)
	return p + w*(r-p)
}

// cubicAt is the Catmull-Rom interpolant in the same coordinates, which must be within 1 and
// e-2. It is kept within the range of the eight values around, widened by slack, so that
// ridges between two fronts do not ring.
//
// Source: Keys 1981 eq. 3, a = -1/2.
func cubicAt(t []float32, e int, x, y, z, slack float32) float32 {
	i, j, k := int(x), int(y), int(z)
	a := cubicWeights(x - float32(i))
	b := cubicWeights(y - float32(j))
	c := cubicWeights(z - float32(k))
	dz := e * e
	sum := float32(0)
	at := i - 1 + e*(j-1) + dz*(k-1)
	for kk := range 4 {
		plane := float32(0)
		for jj := range 4 {
			r := t[at+e*jj+dz*kk:]
			_ = r[3]
			plane += b[jj] * (a[0]*r[0] + a[1]*r[1] + a[2]*r[2] + a[3]*r[3])
		}
		sum += c[kk] * plane
	}
	r := t[i+e*j+dz*k:]
	_ = r[dz+e+1]
	lo := min(r[0], r[1], r[e], r[e+1], r[dz], r[dz+1], r[dz+e], r[dz+e+1])
	hi := max(r[0], r[1], r[e], r[e+1], r[dz], r[dz+1], r[dz+e], r[dz+e+1])
	return clamp32(sum, lo-slack, hi+slack)
}

func cubicWeights(u float32) [4]float32 {
	return [4]float32{
		u * (-.5 + u*(1-.5*u)),
		1 + u*u*(-2.5+1.5*u),
		u * (.5 + u*(2-1.5*u)),
		u * u * (-.5 + .5*u),
	}
}
