package amg

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Level describes the unknowns of one level and their aggregation to the next coarser one.
//
// Size: edge length of each unknown, m, > 0; its length is the level's number of unknowns.
// Parent: len as Size; the unknown of the next level that each belongs to. The children of
// a parent need not have adjacent indices; a single child is copied unchanged.
// Parent is nil on the last level.
type Level struct {
	Parent []int32
	Size   []float32
}

// DirectRows is the largest system that is solved directly without Levels, in one iteration or two.
const DirectRows = denseMax

const (
	// grain is the number of rows in a part, whole slices: some 60 µs of set-up.
	grain = 256
	// serialRows is the largest level that is swept over serially: about 2 µs.
	serialRows = 1024
	// denseMax is the largest level solved directly: 64³/6 multiply-adds to factor, 64² to
	// solve, both small beside one sweep over a thousand rows.
	denseMax = 64
	// roundoff is the row sum, relative to the diagonal, that counts as zero: a row's
	// rounding error is below 25 entries · 1.1e-16.
	roundoff = 1e-13
)

// level is one of the coarser levels. Its matrix is D⁻¹L in single precision, with unit diagonal.
//
// Vectors are padded with zeros to whole slices.
type level struct {
	s    *Solver // its owner
	n    int
	part []part    // of grain rows each
	diag []float32 // D·scale, 0 for an empty row
	dir  []float32 // row sums of L·scale: the Dirichlet part of the diagonal

	size          []float32
	parent        []int32
	finer         *level         // nil: the finest
	coarser       *level         // nil on the last level
	child         []int32        // per unknown: its first child in the finer level
	sibling       []int32        // per unknown of the finer level: its parent's next child, or -1
	unknowns      []finerUnknown // per unknown of the finer level, unless that is the finest
	finerResidual []float32      // residual of the finer level
	finerDiag     []float32      // D of the finer level
	b, x, y       []float32      // D⁻¹·right-hand side, solution, smoother's scratch
	step          step           // of the long iteration on the last level

	// On levels of an interpolation: unit is the diagonal entry over D, which may be less than 1.
	unit     []float32
	transfer transfer // from here to the finer level
}

// part is a run of a level's rows.
type part struct {
	rows            // L·scale beside the diagonal
	matrix   sliced // D⁻¹L without its unit diagonal
	restrict sliced // D⁻¹ · sum over children · D of the finer level
}

// setup builds the coarser levels from L, and computes the residual of L x on the way.
//
// The coarse matrices are those of piecewise constant interpolation, with every entry
// scaled to the coarse distance: an off-diagonal entry by (s_i+s_j)/(S_I+S_J),
// a row sum by s_i/S_I, with s and S the sizes of the unknown and its parent. On a
// uniform grid this is the matrix of the coarser discretisation, half of what piecewise constants give
// (the over-correction of unsmoothed aggregation; Braess 1995). Positive entries
// are dropped, which keeps coarse matrices semidefinite at size changes.
func (s *Solver) setup() {
	if s.system.Again {
		s.placeCoupling()
		return
	}
	switch s.kind {
	case onLevels:
		s.setupLevels(s.system.Levels)
	case onBlack:
		s.setupReduced()
	case onAll:
		s.setupAll()
	case onFactors:
		s.setupFactors()
		return
	}
	last := s.level[s.depth-1]
	s.direct = last.n <= denseMax
	if s.direct {
		least := singlePivot
		if s.kind == onLevels {
			least = singularPivot
		}
		s.dense.factor(last, least)
	}
	s.chooseCycle()
}

// setupLevels builds the levels that are given.
func (s *Solver) setupLevels(levels []Level) {
	s.chooseLevels(levels)
	s.findCoupledOnly()
	s.setFinest()
	for k := range s.depth {
		s.coarsen(k)
	}
	s.begunChunks = par.Chunks(s.level[0].n, grain)
}

// chooseLevels lists the levels, at least two, and makes room for them.
func (s *Solver) chooseLevels(levels []Level) {
	s.levels = append(s.levels[:0], levels...)
	if first := &s.levels[0]; len(s.levels) == 1 || first.Parent == nil || len(first.Size) <= denseMax {
		first.Parent = s.identity(len(first.Size))
		s.levels = append(s.levels[:1], Level{Size: first.Size})
	}
	s.chooseDepth()
}

// chooseDepth makes room for the levels.
func (s *Solver) chooseDepth() {
	for s.depth = 0; s.depth < len(s.levels)-1; {
		l, to := s.grow(s.depth), &s.levels[s.depth+1]
		l.resize(len(to.Size))
		l.size, l.parent = to.Size, to.Parent
		s.depth++
		if l.n <= denseMax || l.parent == nil {
			break
		}
	}
	f, n := &s.fine, len(s.m.Diag)
	f.kind, f.unknown = arrays.Resize(f.kind, n), arrays.Resize(f.unknown, n)
}

// identity returns parents for n unknowns with a parent each.
func (s *Solver) identity(n int) []int32 {
	s.self = arrays.Resize(s.self, n)
	for i := range s.self {
		s.self[i] = int32(i)
	}
	return s.self
}

// grow returns level k of the coarser ones, making it on first use.
func (s *Solver) grow(k int) *level {
	if k == len(s.level) {
		s.level = append(s.level, &level{s: s})
	}
	return s.level[k]
}

func (l *level) resize(n int) {
	l.n, l.unit = n, l.unit[:0]
	for len(l.part) < par.Chunks(n, grain) {
		l.part = append(l.part, newPart(min(n, grain)))
	}
	l.dir, l.diag = arrays.Resize(l.dir, n), resizePadded(l.diag, n)
	l.b, l.x, l.y = resizePadded(l.b, n), resizePadded(l.x, n), resizePadded(l.y, n)
}

// usualRow exceeds the number of off-diagonal entries in most coarse rows.
const usualRow = 8

func newPart(n int) (p part) {
	p.col, p.val = make([]int32, 0, usualRow*n), make([]float32, 0, usualRow*n)
	p.matrix.entry = make([]entry, 0, usualRow*padded(n)/lanes)
	p.restrict.entry = make([]entry, 0, children*padded(n)/(2*lanes))
	return p
}

// matrixScale returns the scale of the matrix.
func (f *finest) matrixScale() float64 {
	top := 0.0
	for i := range f.zone[:f.zones] {
		top = max(top, f.zone[i].largest)
	}
	return scaleOf(top)
}

// scaleOf returns the power of two that scales the largest diagonal entry, top, to between one half and one, so that
// single precision neither overflows nor underflows.
func scaleOf(top float64) float64 {
	const mantissa = 1<<52 - 1
	if scale := math.Float64frombits(math.Float64bits(1/top) &^ mantissa); scale > 0 && scale < math.MaxFloat64 {
		return scale
	}
	return 1
}
