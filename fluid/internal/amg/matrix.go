package amg

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Matrix is the symmetric matrix L by rows, with a separate diagonal.
//
// Diag, Red: len n. Part: the off-diagonal entries of every PartRows rows. L must be positive (semi)definite with
// non-negative row sums; a few positive off-diagonal entries are harmless. A row of zeros with
// Diag 0 is allowed. Red marks unknowns to eliminate, half of all on a chequerboard: no two of them may be neighbours,
// and none may have a part in the coupling. On meshes without a two-colouring all unknowns may be black. The finest level is then smoothed once before
// and once after the coarse solution by ℓ1-Jacobi (see finest), which is symmetric, so that the preconditioner stays symmetric and
// positive definite. It takes some 15 iterations where elimination takes 11, and longer ones.
type Matrix struct {
	Diag []float64
	Red  []bool
	Part []Rows
}

// Rows are compressed sparse rows: row i has the entries Ptr[i] to Ptr[i+1], columns in any order. Repeated columns are summed.
type Rows struct {
	Ptr []int32
	Col []int32
	Val []float64
}

// PartRows is how many rows of a matrix lie together.
const PartRows = 512

// System is the matrix A = L + KᵀWK, and the hierarchy of L's unknowns for multigrid.
//
// K may be nil. Levels[0] describes the unknowns of L. A level of at most 64 unknowns is solved directly
// and ends the hierarchy; a larger last level is smoothed many times. Without Levels the hierarchy is made from the matrix (see Method).
//
// Again keeps the hierarchy: it promises that L and Levels are as they were in the last Solve.
type System struct {
	L      *Matrix
	K      *Coupling
	Levels []Level
	Again  bool
}

func (y *System) check() {
	y.L.check()
	y.K.check()
	if y.K.groups() > 0 {
		for _, i := range y.K.Col {
			if y.L.Red[i] {
				panic(fmt.Sprintf("amg: unknown %d is both red and coupled", i))
			}
		}
	}
	if len(y.Levels) > 0 && len(y.Levels[0].Size) != len(y.L.Diag) {
		panic(fmt.Sprintf("amg: the first level must have the matrix's %d unknowns", len(y.L.Diag)))
	}
}

// check panics unless the arrays fit together.
func (m *Matrix) check() {
	n := len(m.Diag)
	if len(m.Red) != n || len(m.Part) != par.Chunks(n, PartRows) {
		panic(fmt.Sprintf("amg: %d colours and %d parts for %d rows", len(m.Red), len(m.Part), n))
	}
	for i := range m.Part {
		m.Part[i].check(min(PartRows, n-i*PartRows))
	}
}

func (a *Rows) check(n int) {
	if len(a.Ptr) != n+1 || a.Ptr[0] != 0 {
		panic(fmt.Sprintf("amg: %d row offsets for %d rows, want one more, from 0", len(a.Ptr), n))
	}
	if nnz := int(a.Ptr[n]); len(a.Col) != nnz || len(a.Val) != nnz {
		panic(fmt.Sprintf("amg: %d columns and %d values for %d entries", len(a.Col), len(a.Val), nnz))
	}
}

// row returns the columns and values of row r, without the diagonal.
func (m *Matrix) row(r int32) ([]int32, []float64) {
	part, i := &m.Part[r/PartRows], r%PartRows
	p, q := part.Ptr[i], part.Ptr[i+1]
	return part.Col[p:q], part.Val[p:q]
}

// times returns Σ val·x[col] over the entries [p, q) of one row.
func (a *Rows) times(p, q int32, x []float64) float64 {
	c, v := a.Col[p:q], a.Val[p:q]
	if len(c) == 6 && len(v) == 6 { // the usual row, unrolled
		return (float64(v[0]*x[c[0]]) + float64(v[1]*x[c[1]])) + (float64(v[2]*x[c[2]]) + float64(v[3]*x[c[3]])) +
			(float64(v[4]*x[c[4]]) + float64(v[5]*x[c[5]]))
	}
	v = v[:len(c)]
	sum := 0.0
	for k, j := range c {
		sum += float64(v[k] * x[j])
	}
	return sum
}

// CheckSymmetric returns an error if an entry differs from its mirror image by more than 1e-12 of the greatest diagonal entry.
func (m *Matrix) CheckSymmetric() error {
	type place struct{ row, col int32 }
	sums, most := map[place]float64{}, 0.
	for p := range m.Part {
		rows := &m.Part[p]
		for i := range len(rows.Ptr) - 1 {
			r := int32(p*PartRows + i)
			for at := rows.Ptr[i]; at < rows.Ptr[i+1]; at++ {
				sums[place{r, rows.Col[at]}] += rows.Val[at]
			}
		}
	}
	for _, d := range m.Diag {
		most = max(most, d)
	}
	for at, v := range sums {
		if w := sums[place{at.col, at.row}]; math.Abs(v-w) > 1e-12*most {
			return fmt.Errorf("amg: the entry of row %d and column %d is %g, its mirror image %g", at.row, at.col, v, w)
		}
	}
	return nil
}
