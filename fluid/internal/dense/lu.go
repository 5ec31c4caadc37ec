package dense

import "math"

// FactorLU replaces an n×n matrix, n the length of pivot, by its factors L and U, with rows exchanged as pivot says. It returns n, or the number of the first pivot that is not above a least part of the
// greatest entry: the matrix is then singular.
//
// Source: Golub, Van Loan 2013, Matrix Computations, algorithm 3.4.1.
func FactorLU(a []float64, pivot []int32, least float64) int {
	n, most := len(pivot), 0.
	for _, v := range a {
		most = max(most, math.Abs(v))
	}
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[best*n+k]) {
				best = i
			}
		}
		pivot[k] = int32(best)
		own, other := a[k*n:][:n], a[best*n:][:n]
		if best != k {
			for j := range own {
				own[j], other[j] = other[j], own[j]
			}
		}
		if !(math.Abs(own[k]) > least*most) {
			return k
		}
		for i := k + 1; i < n; i++ {
			if row := a[i*n:][:n]; row[k] != 0 {
				f := row[k] / own[k]
				row[k] = f
				subtract(row[k+1:], f, own[k+1:])
			}
		}
	}
	return n
}

// subtract takes a multiple of b from a, of which there are as many.
func subtract(a []float64, f float64, b []float64) {
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		a[0] -= float64(f * b[0])
		a[1] -= float64(f * b[1])
		a[2] -= float64(f * b[2])
		a[3] -= float64(f * b[3])
		a, b = a[4:], b[4:]
	}
	for j, v := range b {
		a[j] -= float64(f * v)
	}
}

// SolveLU replaces x by the solution of the factored system.
func SolveLU(a []float64, pivot []int32, x []float64) {
	n := len(pivot)
	for k, p := range pivot {
		x[k], x[p] = x[p], x[k]
	}
	for i := range n {
		x[i] -= Dot(x[:i], a[i*n:])
	}
	for i := n - 1; i >= 0; i-- {
		x[i] = (x[i] - Dot(x[i+1:n], a[i*n+i+1:])) / a[i*n+i]
	}
}
