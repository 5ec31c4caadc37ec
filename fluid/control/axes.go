package control

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// axes is a right-handed frame of reference that moves with the shape.
type axes struct {
	rows   [3]r3.Vec // of the rotation from these axes to the world's
	centre r3.Vec    // m
}

var identity = quat.Number{Real: 1}

// world returns the world position of a position in the axes.
func (a *axes) world(y r3.Vec) r3.Vec { return r3.Add(a.centre, rotate(&a.rows, y)) }

// local returns the position in the axes of a world position.
func (a *axes) local(x r3.Vec) r3.Vec {
	d := r3.Sub(x, a.centre)
	return r3.Add(reproducible.Scale(d.X, a.rows[0]), r3.Add(reproducible.Scale(d.Y, a.rows[1]), reproducible.Scale(d.Z, a.rows[2])))
}

func rotate(rows *[3]r3.Vec, y r3.Vec) r3.Vec {
	return r3.Vec{X: reproducible.Dot(rows[0], y), Y: reproducible.Dot(rows[1], y), Z: reproducible.Dot(rows[2], y)}
}

// vertexAreas returns the weights of vertices in a fit: six times the mean area of their triangles over all keys, m².
func vertexAreas(keys [][]r3.Vec, triangles [][3]int32) []float64 {
	w := make([]float64, len(keys[0]))
	for _, x := range keys {
		for _, t := range triangles {
			a := reproducible.Norm(geom.TwiceArea(x[t[0]], x[t[1]], x[t[2]]))
			w[t[0]] += a
			w[t[1]] += a
			w[t[2]] += a
		}
	}
	return w
}

// weightedCentre returns Σ w·x / Σ w, m.
func weightedCentre(x []r3.Vec, w []float64) r3.Vec {
	var sum r3.Vec
	all := 0.0
	for i, p := range x {
		sum = r3.Add(sum, reproducible.Scale(w[i], r3.Sub(p, x[0])))
		all += w[i]
	}
	return r3.Add(x[0], reproducible.Scale(1/all, sum))
}

// fit returns the rotation of x about its centre with the least weighted square distance to y about its own. It is the identity where the best is
// ambiguous. Source: Horn 1987, section 4.A: the eigenvector of the largest eigenvalue of a symmetric 4×4 matrix.
func fit(x, y []r3.Vec, cx, cy r3.Vec, w []float64) quat.Number {
	var s [3][3]float64
	for i := range x {
		a, b := reproducible.Array(r3.Sub(x[i], cx)), reproducible.Array(r3.Sub(y[i], cy))
		for r := range 3 {
			for c := range 3 {
				s[r][c] += float64(float64(w[i]*a[r]) * b[c])
			}
		}
	}
	n := [4][4]float64{
		{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
		{0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
		{0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
		{0, 0, 0, s[2][2] - s[0][0] - s[1][1]},
	}
	for r := range 4 {
		for c := range r {
			n[r][c] = n[c][r]
		}
	}
	values, vectors := eigen(n)
	best := 0
	for k := range values {
		if values[k] > values[best] {
			best = k
		}
	}
	for k := range values {
		if k != best && !(values[best]-values[k] > ambiguous*math.Abs(values[best])) {
			return identity
		}
	}
	q := quat.Number{Real: vectors[0][best], Imag: vectors[1][best], Jmag: vectors[2][best], Kmag: vectors[3][best]}
	if q.Real < 0 {
		q = reproducible.QuatScale(-1, q)
	}
	return unitQuat(q)
}

// ambiguous is the least relative distance of the two greatest eigenvalues of a fit.
const ambiguous = 1e-6

// eigen returns the eigenvalues of a symmetric matrix and its eigenvectors, in columns, by Jacobi rotations.
func eigen(a [4][4]float64) (values [4]float64, vectors [4][4]float64) {
	for i := range 4 {
		vectors[i][i] = 1
	}
	for range 32 { // convergence is quadratic: a few suffice
		rest, whole := 0.0, 0.0
		for i := range 4 {
			for j := range 4 {
				if i != j {
					rest += float64(a[i][j] * a[i][j])
				}
				whole += float64(a[i][j] * a[i][j])
			}
		}
		if rest <= 1e-40*whole {
			break
		}
		for p := range 3 {
			for q := p + 1; q < 4; q++ {
				jacobi(&a, &vectors, p, q)
			}
		}
	}
	for i := range 4 {
		values[i] = a[i][i]
	}
	return values, vectors
}

// jacobi rotates rows and columns p and q so that their element vanishes. Source: Golub & Van Loan 1996, section 8.4.
func jacobi(a, vectors *[4][4]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	tau := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(tau) + math.Sqrt(1+float64(tau*tau)))
	if tau < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+float64(t*t))
	s := t * c
	for k := range 4 {
		x, y := a[k][p], a[k][q]
		a[k][p], a[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	for k := range 4 {
		x, y := a[p][k], a[q][k]
		a[p][k], a[q][k] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	for k := range 4 {
		x, y := vectors[k][p], vectors[k][q]
		vectors[k][p], vectors[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
}

func unitQuat(q quat.Number) quat.Number { return reproducible.QuatScale(1/reproducible.QuatAbs(q), q) }

func conj(q quat.Number) quat.Number {
	return quat.Number{Real: q.Real, Imag: -q.Imag, Jmag: -q.Jmag, Kmag: -q.Kmag}
}

// shorterWay returns half the angle of the shorter rotation from a to b, rad, its sine, and an axis with the sine as length. The angle is 0
// if the sine is.
func shorterWay(a, b quat.Number) (half, sin float64, axis r3.Vec) {
	d := reproducible.QuatMul(b, conj(a))
	if d.Real < 0 {
		d = reproducible.QuatScale(-1, d)
	}
	axis = r3.Vec{X: d.Imag, Y: d.Jmag, Z: d.Kmag}
	if sin = reproducible.Norm(axis); sin > 0 {
		half = reproducible.PreciseAtan2(sin, d.Real)
	}
	return half, sin, axis
}

// slerp interpolates from a to b along the shorter rotation at a constant rate; u may be outside of 0 to 1.
func slerp(a, b quat.Number, u float64) quat.Number {
	half, sin, axis := shorterWay(a, b)
	if sin == 0 {
		return a
	}
	s, c := reproducible.PreciseSincos(u * half)
	axis = reproducible.Scale(s/sin, axis)
	return unitQuat(reproducible.QuatMul(quat.Number{Real: c, Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}, a))
}

// orientation returns the rotation at a time between key k and the next, of rotations q at times t. For two keys the rate is constant; for more, the
// angular velocity is continuous at keys. Source: Barry & Goldman 1988, with slerps in place of linear interpolation.
func orientation(q []quat.Number, t []float64, k int, time float64) quat.Number {
	between := func(a, b quat.Number, i, j int) quat.Number { return slerp(a, b, (time-t[i])/(t[j]-t[i])) }
	mid := between(q[k], q[k+1], k, k+1)
	hasBefore, hasAfter := k > 0, k+2 < len(q)
	var before, after quat.Number
	if hasBefore {
		before = between(between(q[k-1], q[k], k-1, k), mid, k-1, k+1)
	}
	if hasAfter {
		after = between(mid, between(q[k+1], q[k+2], k+1, k+2), k, k+2)
	}
	switch {
	case hasBefore && hasAfter:
		return between(before, after, k, k+1)
	case hasBefore:
		return before
	case hasAfter:
		return after
	}
	return mid
}
