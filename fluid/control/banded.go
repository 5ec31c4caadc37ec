package control

import "math"

// banded is the factorisation L·D·Lᵀ of a symmetric positive definite matrix with two diagonals on either side of the main one: K of one
// coordinate. All coordinates share it.
type banded struct {
	d, l1, l2 []float64 // D, and L one and two places left of its diagonal, by row
}

// factor factors the matrix with diagonal k0; k1[i] and k2[i] are the elements one and two places left of it in row i.
func factor(k0, k1, k2 []float64) banded {
	n := len(k0)
	b := banded{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n {
		d := k0[i]
		if i > 1 {
			b.l2[i] = k2[i] / b.d[i-2]
			d -= float64(b.l2[i] * k2[i])
		}
		if i > 0 {
			s := k1[i]
			if i > 1 {
				s -= float64(float64(b.l2[i]*b.d[i-2]) * b.l1[i-1])
			}
			b.l1[i] = s / b.d[i-1]
			d -= float64(b.l1[i] * s)
		}
		b.d[i] = d
	}
	return b
}

// solve replaces columns lo to hi of rows of right-hand sides by the solutions.
func (b *banded) solve(x [][]float64, lo, hi int) {
	n := len(b.d)
	for i := 1; i < n; i++ {
		subtract(x[i][lo:hi], b.l1[i], x[i-1][lo:hi])
		if i > 1 {
			subtract(x[i][lo:hi], b.l2[i], x[i-2][lo:hi])
		}
	}
	for i := n - 1; i >= 0; i-- {
		row, inverse := x[i][lo:hi], 1/b.d[i]
		for c := range row {
			row[c] *= inverse
		}
		if i+1 < n {
			subtract(row, b.l1[i+1], x[i+1][lo:hi])
		}
		if i+2 < n {
			subtract(row, b.l2[i+2], x[i+2][lo:hi])
		}
	}
}

// subtract sets x to x - f y.
func subtract(x []float64, f float64, y []float64) {
	y = y[:len(x)]
	for i := range x {
		x[i] -= float64(f * y[i])
	}
}

// inverse returns the inverse, by rows.
func (b *banded) inverse() [][]float64 {
	n := len(b.d)
	m := square(n)
	for i := range m {
		m[i][i] = 1
	}
	b.solve(m, 0, n)
	return m
}

// square returns an n×n matrix of zeros.
func square(n int) [][]float64 { return rows(n, n) }

// rows returns n rows of m zeros, contiguous in memory.
func rows(n, m int) [][]float64 {
	all := make([]float64, n*m)
	r := make([][]float64, n)
	for i := range r {
		r[i] = all[i*m : (i+1)*m : (i+1)*m]
	}
	return r
}

// cholesky factors a symmetric positive definite matrix in place, using its lower half only. If a pivot is below share of its diagonal
// element, cholesky returns the index of that row, which depends on those before it; otherwise -1.
func cholesky(a [][]float64, share float64) int {
	for i := range a {
		whole := a[i][i]
		for j := 0; j <= i; j++ {
			s := a[i][j]
			for k := range j {
				s -= float64(a[i][k] * a[j][k])
			}
			switch {
			case j < i:
				a[i][j] = s / a[j][j]
			case !(s > share*whole):
				return i
			default:
				a[i][i] = math.Sqrt(s)
			}
		}
	}
	return -1
}

// lowerSolve solves L x = b in place.
func lowerSolve(l [][]float64, x []float64) {
	for i := range x {
		s := x[i]
		for k := range i {
			s -= float64(l[i][k] * x[k])
		}
		x[i] = s / l[i][i]
	}
}

// upperSolve solves Lᵀ x = b in place.
func upperSolve(l [][]float64, x []float64) {
	for i := len(x) - 1; i >= 0; i-- {
		s := x[i]
		for k := i + 1; k < len(x); k++ {
			s -= float64(l[k][i] * x[k])
		}
		x[i] = s / l[i][i]
	}
}
