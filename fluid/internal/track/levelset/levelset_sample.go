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

// inBandAround tells whether all values that cubicAt reads are nearer to the surface than that.
func inBandAround(t []float32, e int, x, y, z, near float32) bool {
	at := int(x) - 1 + e*(int(y)-1+e*(int(z)-1))
	for k := range 4 {
		for j := range 4 {
			row := (*[4]float32)(t[at+e*(j+e*k):])
			if !(greater(greater(abs32(row[0]), abs32(row[1])), greater(abs32(row[2]), abs32(row[3]))) < near) {
				return false
			}
		}
	}
	return true
}

// cubicWithinAt is cubicAt where not all values are nearer to the surface than near: linear, and along each axis whose 16 values are all nearer by as much more as
// the cubic interpolant is between the four values of a line, mixed of the four lines linearly.
func cubicWithinAt(t []float32, e int, x, y, z, near float32) float32 {
	at, share, step := [3]int{int(x), int(y), int(z)}, [3]float32{}, [3]int{1, e, e * e}
	share[0], share[1], share[2] = x-float32(at[0]), y-float32(at[1]), z-float32(at[2])
	first, sum := at[0]+e*(at[1]+e*at[2]), linearAt(t, e, x, y, z)
	for a, d := range step {
		b, c := (a+1)%3, (a+2)%3
		weight := cubicWeights(share[a])
		weight[1] = float32(weight[1]) - (1 - share[a])
		weight[2] = float32(weight[2]) - share[a]
		more, most := float32(0), float32(0)
		for line := range 4 {
			from, part := first-d, float32(1)
			for i, o := range [2]int{b, c} {
				if line>>i&1 == 0 {
					part *= 1 - share[o]
				} else {
					from += step[o]
					part *= share[o]
				}
			}
			for i, w := range weight {
				v := t[from+i*d]
				more += float32(float32(part*w) * v)
				most = greater(most, abs32(v))
			}
		}
		if most < near {
			sum += more
		}
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
