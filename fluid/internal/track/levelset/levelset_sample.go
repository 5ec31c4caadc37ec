package levelset

// linearAt interpolates a cube of edge e between eight values; x, y, z are in cells from the
// centre of value (0, 0, 0), and must be within 0 and e-1.
func linearAt(t []float32, e int, x, y, z float32) float32 {
	i, j, k := int(x), int(y), int(z)
	u, v, w := x-float32(i), y-float32(j), z-float32(k)
	dz := e * e
	c := t[i+e*j+dz*k:]
	_ = c[dz+e+1]
	p := c[0] + float32(u*(c[1]-c[0]))
	q := c[e] + float32(u*(c[e+1]-c[e]))
	r := c[dz] + float32(u*(c[dz+1]-c[dz]))
	s := c[dz+e] + float32(u*(c[dz+e+1]-c[dz+e]))
	p += float32(v * (q - p))
	r += float32(v * (s - r))
	return p + float32(w*(r-p))
}

// linears sets dst to what linearAt has at the first count places. It exists in plain Go, here, and in assembly for processors with
// AVX2; both give the same bits.
var linears = linearsGo

func linearsGo(dst *[512]float32, t []float32, e int, at *ways, count int) {
	for i := range count {
		dst[i] = linearAt(t, e, at[0][i], at[1][i], at[2][i])
	}
}

// cubicAt is the Catmull-Rom interpolant in the same coordinates, which must be within 1 and
// e-2.
//
// Source: Keys 1981 eq. 3, a = -1/2.
func cubicAt(t []float32, e int, x, y, z float32) float32 {
	i, j, k := int(x), int(y), int(z)
	a := cubicWeights(x - float32(i))
	b := cubicWeights(y - float32(j))
	c := cubicWeights(z - float32(k))
	at := i - 1 + e*(j-1+e*(k-1))
	sum := float32(0)
	for kk := range 4 {
		p, q := (*[4]float32)(t[at:]), (*[4]float32)(t[at+e:])
		r, s := (*[4]float32)(t[at+2*e:]), (*[4]float32)(t[at+3*e:])
		sum += float32(c[kk] * (float32(b[0]*(float32(a[0]*p[0])+float32(a[1]*p[1])+float32(a[2]*p[2])+float32(a[3]*p[3]))) +
			float32(b[1]*(float32(a[0]*q[0])+float32(a[1]*q[1])+float32(a[2]*q[2])+float32(a[3]*q[3]))) +
			float32(b[2]*(float32(a[0]*r[0])+float32(a[1]*r[1])+float32(a[2]*r[2])+float32(a[3]*r[3]))) +
			float32(b[3]*(float32(a[0]*s[0])+float32(a[1]*s[1])+float32(a[2]*s[2])+float32(a[3]*s[3])))))
		at += e * e
	}
	return sum
}

func cubicWeights(u float32) [4]float32 {
	return [4]float32{
		u * (-.5 + float32(u*(1-float32(.5*u)))),
		1 + float32(u*u*(-2.5+float32(1.5*u))),
		u * (.5 + float32(u*(2-float32(1.5*u)))),
		u * u * (-.5 + float32(.5*u)),
	}
}
