package amg

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Level describes the unknowns of one level and how they gather into the next coarser one.
//
// Size: edge length of each unknown, m, > 0; its length is the level's number of unknowns.
// Parent: len as Size; the unknown of the next level that each belongs to. The unknowns of
// a parent need not be neighbours in number, and one that is alone passes on unchanged.
// Parent is nil on the last level.
type Level struct {
	Parent []int32
	Size   []float32
}

const (
	// grain is the rows in a chunk, whole slices: about 3 µs of a sweep, so that dispatch costs
	// little and 20k rows still spread evenly. A level of at most one chunk runs serially.
	grain = 2048
	// denseMax is the largest level solved directly: 64³/6 multiply-adds to factor, 64² to
	// solve, both small beside one sweep over a thousand rows.
	denseMax = 64
	// roundoff is the row sum, relative to the diagonal, that counts as zero: a row's own
	// rounding error is below 25 entries · 1.1e-16.
	roundoff = 1e-13
)

// level is one level of the built hierarchy. Its matrix is D⁻¹L in single precision, with unit
// diagonal but for rows that have positive entries: there D is more than the diagonal,
//
//	D = max(L_ii, (L_ii + Σ|L_ij|)/2),
//
// and a row has an entry L_ii/D - 1 of its own column besides. By Gershgorin no eigenvalue of D⁻¹L then
// exceeds 2, and a few rows do not slow the smoother down for all others (the ℓ1-Jacobi
// smoother of Baker, Falgout, Kolev, Yang 2011).
//
// Vectors are padded with zeros to whole slices.
type level struct {
	n         int
	part      []sliced  // D⁻¹L without its unit diagonal, in chunks of grain rows
	diag, inv []float32 // D·scale and its inverse, 0 for an empty row
	dir       []float32 // row sums of L·scale: the Dirichlet part of the diagonal

	size    []float32
	parent  []int32
	join    []join // of each unknown, with what the next level needs of it
	finer   *level
	count   []int32   // per unknown, while the children are listed: their number, then the next one's place
	gather  sliced    // D⁻¹ · sum over children · D of the finer level: the restriction
	b, x, y []float32 // D⁻¹·right-hand side, solution, smoother's scratch
}

// Setup takes the matrix and builds the coarser levels from it. It keeps m, levels and
// what they refer to until the next Setup; they must not change meanwhile.
//
// levels[0] describes the unknowns of m. A level of at most 64 unknowns is solved directly
// and ends the hierarchy; the last one given, if larger, is smoothed at length.
//
// The coarse matrices are those of piecewise constant interpolation with every entry
// brought to the coarse distance: an off-diagonal entry counts (s_i+s_j)/(S_I+S_J) times,
// a row sum s_i/S_I times, with s and S the sizes of the unknown and its parent. On a
// uniform grid this is the matrix discretised anew, a factor ½ that piecewise constants lack
// (the over-correction of unsmoothed aggregation; Braess 1995; methods.md §5). Entries that
// come out positive are dropped, which keeps coarse matrices semidefinite at size changes.
//
// It panics if lengths do not fit or a column or parent is out of range. Numbers that are not
// finite are reported by Solve.
func (s *Solver) Setup(m *Matrix, levels []Level) {
	m.check()
	if len(levels) == 0 || len(levels[0].Size) != len(m.Diag) {
		panic(fmt.Sprintf("amg: the first level must have the matrix's %d unknowns", len(m.Diag)))
	}
	s.m, s.unit = *m, matrixScale(m.Diag)
	s.depth = 0
	for k := range levels {
		l := s.grow(k)
		l.size, l.parent = levels[k].Size, levels[k].Parent
		l.resize(len(l.size))
		if k == 0 {
			s.overChunks(l, s.doFinest)
		} else {
			s.coarsen(l, s.level[k-1])
		}
		s.depth = k + 1
		if l.n <= denseMax || l.parent == nil || k+1 == len(levels) {
			break
		}
	}
	last := s.level[s.depth-1]
	s.direct = last.n <= denseMax
	if s.direct {
		s.dense.factor(last)
	}
}

// grow returns level k, making it on first use.
func (s *Solver) grow(k int) *level {
	if k == len(s.level) {
		s.level = append(s.level, &level{})
	}
	return s.level[k]
}

func (l *level) resize(n int) {
	l.n = n
	for len(l.part) < par.Chunks(n, grain) {
		l.part = append(l.part, sliced{})
	}
	l.dir = resize(l.dir, n)
	l.diag, l.inv = resizePadded(l.diag, n), resizePadded(l.inv, n)
	l.b, l.x, l.y = resizePadded(l.b, n), resizePadded(l.x, n), resizePadded(l.y, n)
	if l.parent != nil && len(l.parent) != n {
		panic(fmt.Sprintf("amg: %d parents for %d unknowns", len(l.parent), n))
	}
}

// matrixScale is the factor that brings the largest diagonal entry to one, so that
// single precision neither overflows nor underflows.
func matrixScale(diag []float64) float64 {
	top := 0.0
	for _, d := range diag {
		if d > top {
			top = d
		}
	}
	if scale := 1 / top; scale > 0 && scale < math.MaxFloat64 {
		return scale
	}
	return 1
}

// finestChunk fills the rows of level 0 from the caller's matrix.
func (s *Solver) finestChunk(lo, hi int) {
	a := &s.level[0].part[lo/grain]
	a.reset()
	for ; lo < hi; lo += lanes {
		s.finestSlice(a, lo, min(hi, lo+lanes))
	}
}

// finestSlice fills the slice of the rows lo ≤ i < hi.
func (s *Solver) finestSlice(a *sliced, lo, hi int) {
	l, ptr := s.level[0], s.m.Ptr[lo:hi+1]
	var own, inv [lanes]float64
	width := 0
	for k := range ptr[1:] {
		own[k], inv[k] = s.finestDiagonal(lo+k, s.m.Val[ptr[k]:ptr[k+1]])
		n := int(ptr[k+1] - ptr[k])
		if own[k] != 0 {
			n++
		}
		width = max(width, n)
	}
	of := a.grow(width)
	for lane := range lanes {
		if lane >= hi-lo {
			idle(of, lane, lo)
			continue
		}
		p, q := ptr[lane], ptr[lane+1]
		col, val, scale := s.m.Col[p:q], s.m.Val[p:q], inv[lane]
		val = val[:len(col)]
		row := of[:len(col)]
		for k := range row {
			if uint(col[k]) >= uint(l.n) {
				panic(fmt.Sprintf("amg: column %d of %d", col[k], l.n))
			}
			row[k].col[lane], row[k].val[lane] = col[k], float32(val[k]*scale)
		}
		idle(of[len(col):], lane, lo+lane)
		if own[lane] != 0 {
			of[len(col)].val[lane] = float32(own[lane])
		}
	}
}

// finestDiagonal sets the row sum and D of row i, whose other entries are given. It returns L_ii/D - 1
// where that is more than rounding, and 1/D.
func (s *Solver) finestDiagonal(i int, val []float64) (own, inv float64) {
	l, diag := s.level[0], s.m.Diag[i]
	sum, positive := diag, 0.0
	for _, v := range val {
		sum += v
		if v > 0 {
			positive += v
		}
	}
	whole := diag - sum + 2*positive // Σ|entries|
	if sum < roundoff*diag {
		sum = 0
	}
	l.dir[i] = float32(sum * s.unit)
	d := diag
	if whole > diag*(1+roundoff) {
		d = (diag + whole) / 2
	}
	if inv = l.setDiagonal(i, d*s.unit) * s.unit; inv == 0 || d == diag {
		return 0, inv
	}
	return diag*inv - 1, inv
}

// setDiagonal sets D of row i and returns 1/D, or 0 where D is not positive.
func (l *level) setDiagonal(i int, d float64) (inv float64) {
	if !(d > 0) {
		l.diag[i], l.inv[i] = 0, 0
		return 0
	}
	inv = 1 / d
	l.diag[i], l.inv[i] = float32(d), float32(inv)
	return inv
}
