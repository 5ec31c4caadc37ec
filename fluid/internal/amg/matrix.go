package amg

import "fmt"

// Matrix is the symmetric matrix L by rows: the diagonal apart, the other entries in
// compressed sparse rows.
//
// Diag: len n. Ptr: len n+1. Col, Val: len Ptr[n]; columns in any order, repeats are
// summed. L is to be positive (semi)definite with row sums that are not negative; a few
// positive off-diagonal entries do no harm. A row of zeros with Diag 0 is allowed.
type Matrix struct {
	Diag []float64
	Ptr  []int32
	Col  []int32
	Val  []float64
}

// System is the matrix A = L + KᵀWK, and how L's unknowns gather for multigrid.
//
// K may be nil. Levels[0] describes the unknowns of L. A level of at most 64 unknowns is solved directly
// and ends the hierarchy; the last one given, if larger, is smoothed at length.
type System struct {
	L      *Matrix
	K      *Coupling
	Levels []Level
}

func (y *System) check() {
	y.L.check()
	y.K.check()
	if len(y.Levels) == 0 || len(y.Levels[0].Size) != len(y.L.Diag) {
		panic(fmt.Sprintf("amg: the first level must have the matrix's %d unknowns", len(y.L.Diag)))
	}
}

// check panics unless the arrays fit together.
func (m *Matrix) check() {
	n := len(m.Diag)
	if len(m.Ptr) != n+1 || m.Ptr[0] != 0 {
		panic(fmt.Sprintf("amg: %d row offsets for %d rows, want one more, from 0", len(m.Ptr), n))
	}
	if nnz := int(m.Ptr[n]); len(m.Col) != nnz || len(m.Val) != nnz {
		panic(fmt.Sprintf("amg: %d columns and %d values for %d entries", len(m.Col), len(m.Val), nnz))
	}
}

// rowTimes is Σ val·x[col] over the off-diagonal entries [p, q) of one row.
func (m *Matrix) rowTimes(p, q int32, x []float64) float64 {
	c, v := m.Col[p:q], m.Val[p:q]
	if len(c) == 6 && len(v) == 6 { // the usual row, unrolled
		return (v[0]*x[c[0]] + v[1]*x[c[1]]) + (v[2]*x[c[2]] + v[3]*x[c[3]]) +
			(v[4]*x[c[4]] + v[5]*x[c[5]])
	}
	v = v[:len(c)]
	sum := 0.0
	for k, j := range c {
		sum += v[k] * x[j]
	}
	return sum
}

// resize returns a slice of length n, reusing s's memory where it suffices; contents are
// arbitrary. New memory has an eighth to spare, so that a system that grows slowly does not
// allocate at every step.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}
