// Package dense has small dense vectors and matrices.
package dense

import "math"

// Dot is the sum of a's entries times b's, of which there are no fewer, in four independent sums.
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	s0, s1, s2, s3 := 0., 0., 0., 0.
	for len(a) >= 4 && len(b) >= 4 {
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i, v := range a {
		s0 += float64(v * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// dotTwo is Dot of a with b and with c, with the same bits: a's entries are loaded once.
func dotTwo(a, b, c []float64) (x, y float64) {
	b, c = b[:len(a)], c[:len(a)]
	s0, s1, s2, s3 := 0., 0., 0., 0.
	t0, t1, t2, t3 := 0., 0., 0., 0.
	for len(a) >= 4 && len(b) >= 4 && len(c) >= 4 {
		s0 += float64(a[0] * b[0])
		t0 += float64(a[0] * c[0])
		s1 += float64(a[1] * b[1])
		t1 += float64(a[1] * c[1])
		s2 += float64(a[2] * b[2])
		t2 += float64(a[2] * c[2])
		s3 += float64(a[3] * b[3])
		t3 += float64(a[3] * c[3])
		a, b, c = a[4:], b[4:], c[4:]
	}
	for i, v := range a {
		s0 += float64(v * b[i])
		t0 += float64(v * c[i])
	}
	return (s0 + s1) + (s2 + s3), (t0 + t1) + (t2 + t3)
}

// Factor replaces the lower triangle of a symmetric n×n matrix by its Cholesky factor.
func Factor(a []float64, n int) {
	for j := range n {
		own := a[j*n:][:j]
		i := j
		for ; i+1 < n; i += 2 {
			x, y := dotTwo(own, a[i*n:], a[(i+1)*n:])
			a[i*n+j] -= x
			a[(i+1)*n+j] -= y
		}
		if i < n {
			a[i*n+j] -= Dot(own, a[i*n:])
		}
		d := math.Sqrt(max(a[j*n+j], math.SmallestNonzeroFloat32))
		for i := j; i < n; i++ {
			a[i*n+j] /= d
		}
	}
}

// Solve replaces x by (L Lᵀ)⁻¹ x, L n×n and lower.
func Solve(l, x []float64) {
	n := len(x)
	for i := range n {
		x[i] = (x[i] - Dot(x[:i], l[i*n:])) / l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		x[i] /= l[i*n+i]
		row, by := l[i*n:][:i], x[i]
		for k, v := range row {
			x[k] -= float64(v * by)
		}
	}
}
