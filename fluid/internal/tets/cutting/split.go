package cutting

import "math"

// split writes an inertia's positive part into more and its negative one into less. Rotations are compared with translations at a radius, m.
func (m *inertia) split(more, less *[6][6]float64, radius float64) {
	var a, v [6][6]float64 // a vᵢ = λᵢ vᵢ in the end, with λ on its diagonal and vᵢ the columns
	scale := [6]float64{1, 1, 1, 1 / radius, 1 / radius, 1 / radius}
	for i := range a {
		v[i][i] = 1
		for j := range a {
			a[i][j] = float64(m[max(i, j)][min(i, j)] * scale[i] * scale[j])
		}
	}
	for range jacobiSweeps {
		for p := range 5 {
			for q := p + 1; q < 6; q++ {
				rotate(&a, &v, p, q)
			}
		}
	}
	*more, *less = [6][6]float64{}, [6][6]float64{}
	for k := range 6 {
		to := more
		if a[k][k] < 0 {
			to = less
		}
		for i := range v {
			for j := range v {
				to[i][j] += float64(a[k][k] * v[i][k] * v[j][k] / scale[i] / scale[j])
			}
		}
	}
}

// jacobiSweeps is more than the sweeps after which Jacobi's method has converged to rounding for six unknowns.
const jacobiSweeps = 10

// rotate makes a[p][q] 0 by a rotation in the plane of p and q, and turns v with it.
//
// Source: Golub, Van Loan 2013, §8.5.2.
func rotate(a, v *[6][6]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(theta) + math.Sqrt(1+float64(theta*theta)))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+float64(t*t))
	s := t * c
	for k := range 6 {
		x, y := a[k][p], a[k][q]
		a[k][p], a[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	for k := range 6 {
		x, y := a[p][k], a[q][k]
		a[p][k], a[q][k] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	for k := range 6 {
		x, y := v[k][p], v[k][q]
		v[k][p], v[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
}
