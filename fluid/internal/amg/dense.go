package amg

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// dense is the LDLᵀ factorisation of the coarsest level, in double precision.
type dense struct {
	n     int
	lower []float64 // n×n by rows, strictly lower part of unit L
	pivot []float64 // 1/D, 0 where the matrix is singular
	x     []float64
	leaky bool // a pivot was so small that single precision may miss it
}

// singularPivot is the pivot, relative to the diagonal entry it came from, that counts as
// zero. It lies far above rounding (64 · 1.1e-16) and far below the 1/n² of a Dirichlet problem.
const singularPivot = 1e-11

// leakyPivot is the relative pivot of a component of 1e5 unknowns whose constants single precision resolves only to one half: it
// rounds a row's sum to some 6e-8 of the diagonal.
const leakyPivot = 1e-3

// singlePivot counts as zero where the coarse matrices have been rounded more than once, and the constants of leaky components are those of the
// null space.
const singlePivot = 1e-7

// factor factors the matrix of l. A pivot of at most least of its diagonal entry counts as zero. A vanishing pivot is skipped: its unknown stays zero, which
// solves every consistent system of a component without a Dirichlet part, and keeps the
// map symmetric and semidefinite. The diagonal is summed anew from the row sums, in double
// precision, so that such a pivot vanishes.
func (d *dense) factor(l *level, least float64) {
	n := l.n
	d.n = n
	d.lower, d.pivot, d.x = arrays.Resize(d.lower, n*n), arrays.Resize(d.pivot, n), arrays.Resize(d.x, n)
	d.leaky = false
	clear(d.lower)
	for i := range n {
		d.lower[i*n+i] += float64(l.dir[i])
		col, val := l.part[0].row(i)
		for k, c := range col {
			if j := int(c); j < i {
				v := float64(val[k])
				d.lower[i*n+j] += v
				d.lower[i*n+i] -= v
				d.lower[j*n+j] -= v
			}
		}
	}
	for i := range n {
		ri := d.lower[i*n : i*n+i+1]
		own := ri[i]
		// ri[j] holds L_ij·D_j until its pivot is divided out below.
		for j := range i {
			ri[j] -= dot(d.lower[j*n:j*n+j], ri)
		}
		rest := own
		for j := range i {
			v := ri[j] * d.pivot[j]
			rest -= float64(ri[j] * v)
			ri[j] = v
		}
		d.pivot[i] = 0
		if rest > least*own {
			d.pivot[i] = 1 / rest
		}
		d.leaky = d.leaky || rest > singularPivot*own && rest < leakyPivot*own
	}
}

// solve sets x of l from b of l, which holds the right-hand side over the diagonal.
func (d *dense) solve(l *level) {
	n, x := d.n, d.x
	for i := range n {
		x[i] = float64(float64(l.b[i])*float64(l.diag[i])) - dot(d.lower[i*n:i*n+i], x)
	}
	for i := n - 1; i >= 0; i-- {
		x[i] *= d.pivot[i]
	}
	for i := n - 1; i >= 0; i-- {
		xi := x[i]
		for k, v := range d.lower[i*n : i*n+i] {
			x[k] -= float64(v * xi)
		}
		l.x[i] = float32(xi)
	}
}
