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
	// grain is the rows in a chunk: about 5 µs of work, so that dispatch costs little
	// and 20k rows still spread evenly. A level of at most one chunk runs serially.
	grain = 1024
	// restrictGrain is the same for loops over parents, which have about eight children.
	restrictGrain = 128
	// denseMax is the largest level solved directly: 64³/6 multiply-adds to factor, 64² to
	// solve, both small beside one sweep over a thousand rows.
	denseMax = 64
	// roundoff is the row sum, relative to the diagonal, that counts as zero: a row's own
	// rounding error is below 25 entries · 1.1e-16.
	roundoff = 1e-13
)

// row is the first six off-diagonals of a row of D⁻¹L in single precision, zero-padded.
// Three quarters of a cache line, since large systems wait for memory: padded to a whole line
// a solve takes 4 % (32k unknowns) to 16 % (131k) longer, with the preconditioner in double
// precision 7 % to 30 % (one worker, a busy machine; on two, 131k show no difference). Where
// the row has more entries, its last column is stored as its complement, which is negative.
type row struct {
	col [6]int32
	val [6]float32
}

// level is one level of the built hierarchy.
type level struct {
	m         Matrix    // level 0: the caller's; else begin = Ptr[i], end = last[i], with gaps
	end       []int32   // end of each row in m
	dir       []float64 // row sums: the Dirichlet part of the diagonal
	row       []row
	long      []float32 // beside m.Col: D⁻¹L in rows of more than six entries
	diag, inv []float32 // D·scale and its inverse, 0 for an empty row

	size       []float32
	parent     []int32
	begin      []int32 // children on the next finer level: child[begin[i]:begin[i+1]]
	child      []int32
	scale      float64 // brings the matrix's largest diagonal entry to one
	unscale    float64 // its inverse
	lambda     float64 // bound on the largest eigenvalue of D⁻¹L
	cheb       chebyshev
	b, x, y    []float32 // D⁻¹·right-hand side, solution, smoother's scratch
	finer      *level
	gershgorin []float64 // per chunk
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
// It panics if lengths do not fit. Numbers that are not finite are reported by Solve.
func (s *Solver) Setup(m *Matrix, levels []Level) {
	m.check()
	if len(levels) == 0 || len(levels[0].Size) != len(m.Diag) {
		panic(fmt.Sprintf("amg: the first level must have the matrix's %d unknowns", len(m.Diag)))
	}
	scale := matrixScale(m.Diag)
	s.depth = 0
	for k := range levels {
		l := s.grow(k)
		l.size, l.parent = levels[k].Size, levels[k].Parent
		l.scale, l.unscale = scale, 1/scale
		l.resize(len(l.size))
		if k == 0 {
			l.m, l.end = *m, m.Ptr[1:]
			l.long = resize(l.long, len(m.Col))
			s.overChunks(l, s.doFinest)
		} else {
			l.finer = s.level[k-1]
			s.coarsen(l)
		}
		l.lambda = 0
		for _, g := range l.gershgorin[:par.Chunks(len(l.row), grain)] {
			l.lambda = max(l.lambda, g)
		}
		l.cheb.set(l.lambda)
		s.depth = k + 1
		if len(l.row) <= denseMax || l.parent == nil || k+1 == len(levels) {
			break
		}
	}
	last := s.level[s.depth-1]
	s.direct = len(last.row) <= denseMax
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
	l.row, l.dir = resize(l.row, n), resize(l.dir, n)
	l.diag, l.inv = resize(l.diag, n), resize(l.inv, n)
	l.b, l.x, l.y = resize(l.b, n), resize(l.x, n), resize(l.y, n)
	l.gershgorin = resize(l.gershgorin, par.Chunks(n, grain))
	if l.parent != nil && len(l.parent) != n {
		panic(fmt.Sprintf("amg: %d parents for %d unknowns", len(l.parent), n))
	}
}

// matrixScale is the factor that brings the largest diagonal entry to one, so that
// single precision neither overflows nor underflows.
func matrixScale(diag []float64) float64 {
	top := 0.0
	for _, d := range diag {
		top = max(top, d)
	}
	if scale := 1 / top; scale > 0 && scale < math.MaxFloat64 {
		return scale
	}
	return 1
}

// coarsen builds l from the next finer level.
func (s *Solver) coarsen(l *level) {
	f, n := l.finer, len(l.row)
	l.m.Diag, l.m.Ptr, l.end = resize(l.m.Diag, n), resize(l.m.Ptr, n+1), resize(l.end, n)
	l.gather(f)
	nnz := int(l.m.Ptr[n])
	l.m.Col, l.m.Val = resize(l.m.Col, nnz), resize(l.m.Val, nnz)
	l.long = resize(l.long, nnz)
	for w := range s.marker {
		s.marker[w] = resize(s.marker[w], n)
	}
	s.overChunks(l, s.doCoarsen)
}

// gather lists the children of every unknown of l by counting sort, and makes room for
// each row of l: as many entries as its children have.
func (l *level) gather(f *level) {
	n := len(l.row)
	l.begin, l.child = resize(l.begin, n+2), resize(l.child, len(f.parent))
	at := l.begin
	clear(at)
	for _, p := range f.parent {
		at[p+2]++
	}
	for i := range n {
		at[i+2] += at[i+1]
	}
	for i, p := range f.parent { // at[p+1] moves from the start of p's list to its end
		l.child[at[p+1]] = int32(i)
		at[p+1]++
	}
	l.begin = at[:n+1]
	total := int32(0)
	for i := range n {
		l.m.Ptr[i] = total
		for _, c := range l.child[at[i]:at[i+1]] {
			total += f.end[c] - f.m.Ptr[c]
		}
	}
	l.m.Ptr[n] = total
}

// finestChunk fills the rows of level 0 from the caller's matrix.
func (l *level) finestChunk(lo, hi int) {
	bound := 0.0
	for i := lo; i < hi; i++ {
		d := l.m.Diag[i]
		sum := d
		for _, v := range l.m.Val[l.m.Ptr[i]:l.end[i]] {
			sum += v
		}
		if sum < roundoff*d {
			sum = 0
		}
		l.dir[i] = sum
		bound = max(bound, l.fill(i))
	}
	l.gershgorin[lo/grain] = bound
}

// coarsenChunk sums the children's rows into the rows lo ≤ i < hi of l. mark is the
// worker's scratch: mark[j] is the place of column j in the row being built, if that
// place is within the row and holds j; whatever an earlier row left there fails one test.
func (l *level) coarsenChunk(lo, hi int, mark []int32) {
	f := l.finer
	fine, parent, size := &f.m, f.parent, f.size
	col, val := l.m.Col, l.m.Val
	bound := 0.0
	for i := lo; i < hi; i++ {
		first := l.m.Ptr[i]
		last, dir, own := first, 0.0, l.size[i]
		for _, c := range l.child[l.begin[i]:l.begin[i+1]] {
			dir += f.dir[c] * float64(size[c]/own)
			from, to := fine.Ptr[c], f.end[c]
			cols, vals := fine.Col[from:to], fine.Val[from:to]
			vals = vals[:len(cols)]
			for k, j := range cols {
				q := parent[j]
				if int(q) == i {
					continue
				}
				v := vals[k] * float64((size[c]+size[j])/(own+l.size[q]))
				if at := mark[q]; at >= first && at < last && col[at] == q {
					val[at] += v
					continue
				}
				mark[q], col[last], val[last] = last, q, v
				last++
			}
		}
		sum := 0.0
		for k := first; k < last; k++ {
			val[k] = min(val[k], 0)
			sum -= val[k]
		}
		l.end[i], l.dir[i], l.m.Diag[i] = last, dir, dir+sum
		bound = max(bound, l.fill(i))
	}
	l.gershgorin[lo/grain] = bound
}

// fill packs row i for the smoother and returns Σ|entries| over the diagonal: Gershgorin's
// bound on the eigenvalues of D⁻¹L.
func (l *level) fill(i int) float64 {
	p, q := l.m.Ptr[i], l.end[i]
	col, val := l.m.Col[p:q], l.m.Val[p:q]
	r, d := &l.row[i], l.m.Diag[i]
	inv := 0.0
	if d > 0 {
		inv = 1 / d
	}
	l.diag[i], l.inv[i] = float32(d*l.scale), float32(inv*l.unscale)
	if len(col) == 6 && len(val) == 6 { // the usual row, unrolled
		r.col = [6]int32(col)
		r.val = [6]float32{float32(val[0] * inv), float32(val[1] * inv), float32(val[2] * inv),
			float32(val[3] * inv), float32(val[4] * inv), float32(val[5] * inv)}
		sum := (math.Abs(val[0]) + math.Abs(val[1])) + (math.Abs(val[2]) + math.Abs(val[3])) +
			(math.Abs(val[4]) + math.Abs(val[5]))
		return 1 + sum*inv
	}
	sum := 0.0
	for _, v := range val {
		sum += math.Abs(v)
	}
	k := min(6, len(col))
	for e := range k {
		r.col[e], r.val[e] = col[e], float32(val[e]*inv)
	}
	for e := k; e < 6; e++ {
		r.col[e], r.val[e] = int32(i), 0
	}
	if len(col) > 6 {
		r.col[5] = ^r.col[5]
		for e, v := range val {
			l.long[int(p)+e] = float32(v * inv)
		}
	}
	return 1 + sum*inv
}
