package dense

import "math"

// Eigen returns the eigenvalues of a symmetric matrix, and its eigenvectors as the columns of another, by Jacobi's method.
//
// Source: Golub, Van Loan 2013, §8.5.2.
func Eigen(m *[6][6]float64) (values [6]float64, vectors [6][6]float64) {
	a, v := *m, &vectors
	for i := range v {
		v[i][i] = 1
	}
	for range jacobiSweeps {
		for p := range 5 {
			for q := p + 1; q < 6; q++ {
				rotate(&a, v, p, q)
			}
		}
	}
	for i := range values {
		values[i] = a[i][i]
	}
	return values, vectors
}

// jacobiSweeps is more than the sweeps after which Jacobi's method has converged to rounding for six unknowns.
const jacobiSweeps = 10

// rotate makes a[p][q] 0 by a rotation in the plane of p and q, and turns v with it.
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
