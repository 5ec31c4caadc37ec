package bem

import (
	"fmt"
	"math"
)

// factorLU replaces an n×n matrix by its factors L and U, with rows exchanged as pivot says. It returns ErrSingular if a pivot is below leastPivot of the greatest entry.
//
// Source: Golub, Van Loan 2013, Matrix Computations, algorithm 3.4.1.
func factorLU(a []float64, pivot []int32) error {
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
		if !(math.Abs(own[k]) > leastPivot*most) {
			return fmt.Errorf("%w: at row %d of %d", ErrSingular, k, n)
		}
		for i := k + 1; i < n; i++ {
			row := a[i*n:][:n]
			if row[k] == 0 {
				continue
			}
			f := row[k] / own[k]
			row[k] = f
			for j, v := range own[k+1:] {
				row[k+1+j] -= float64(f * v)
			}
		}
	}
	return nil
}

// solveLU replaces x by the solution of the factored system.
func solveLU(a []float64, pivot []int32, x []float64) {
	n := len(pivot)
	for k, p := range pivot {
		x[k], x[p] = x[p], x[k]
	}
	for i := range n {
		for j, v := range a[i*n:][:i] {
			x[i] -= float64(v * x[j])
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= float64(a[i*n+j] * x[j])
		}
		x[i] /= a[i*n+i]
	}
}
