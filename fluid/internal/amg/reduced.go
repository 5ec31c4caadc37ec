package amg

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// aggregates is the hierarchy of aggregates of the black unknowns, made from the matrix alone. Its first coarse matrix is that of piecewise constants on the
// black unknowns of
//
//	S = L_bb - L_br D_r⁻¹ L_rb,
//
// so that the red ones follow the black ones as the equations have it, and aggregates need no regular shapes: with 200k tetrahedra, nearly half of them red,
// conjugate gradients take 16 iterations to 1e-6, where aggregates of both colours need 27.
type aggregates struct {
	maker  []*aggregator // per coarser level: what made it
	size   [][]float32   // per coarser level
	weight [][]float32   // per coarser level: unknowns of the finest level in each
	ones   []float32     // sizes of the finest level
}

const (
	// reducedSize and coarseSize are the numbers of unknowns in aggregates: of black ones, and of those of coarser levels. With 3 and 6 tetrahedra take one
	// iteration less, with 6 and 8 two more.
	reducedSize, coarseSize = 4, 8
	// leastCoarsening is the least part of a level's unknowns that aggregation must save to go on.
	leastCoarsening = .25
)

// setupReduced builds the hierarchy, and computes the residual of L x on the way.
func (s *Solver) setupReduced() {
	r, n := &s.aggregates, len(s.m.Diag)
	s.unit = s.findScale()
	first := s.aggregatorOf(0, (*aggregator).linkReduced, nil, reducedSize)
	first.run(n)
	s.setOnes(n)
	r.measure(0, nil)
	s.levels = append(s.levels[:0], Level{first.parent, r.ones}, Level{Size: r.size[0]})
	s.chooseDepth()
	s.findCoupledOnly()
	s.setFinest()
	s.fillFinest()
	s.coarsen(0)
	for k := 0; s.level[k].n > denseMax && s.aggregateLevel(k); k++ {
		s.coarsen(k + 1)
	}
}

// findScale returns the scale of the matrix, as matrixScale does.
func (s *Solver) findScale() float64 {
	s.begunChunks = par.Chunks(len(s.m.Diag), PartRows)
	par.For(s.pool, len(s.m.Diag), PartRows, s, (*Solver).findLargest)
	top := 0.
	for i := range s.partial[:s.begunChunks] {
		top = max(top, s.partial[i][0][0])
	}
	return scaleOf(top)
}

// findLargest finds the largest diagonal entry of a chunk.
func (s *Solver) findLargest(_, lo, hi int) {
	top := 0.
	for _, d := range s.m.Diag[lo:hi] {
		if d > top {
			top = d
		}
	}
	s.partial[lo/PartRows] = sums{{top}}
}

// setOnes sets the sizes of n unknowns.
func (s *Solver) setOnes(n int) {
	r := &s.aggregates
	r.ones = arrays.Resize(r.ones, n)
	for i := range r.ones {
		r.ones[i] = 1
	}
}

// fillFinest fills the rows of the finest level, without those of the next.
func (s *Solver) fillFinest() {
	par.Each(s.pool, s.fine.zones, 1, s, (*Solver).fillZone)
	s.begunChunks = s.fine.zones
}

// aggregatorOf returns that of coarser level k.
func (s *Solver) aggregatorOf(k int, fill func(a *aggregator, b *links, lo, hi int), l *level, wanted int) *aggregator {
	r := &s.aggregates
	for k >= len(r.maker) {
		r.maker = append(r.maker, &aggregator{s: s})
		r.size, r.weight = append(r.size, nil), append(r.weight, nil)
	}
	a := r.maker[k]
	a.fill, a.l, a.wanted = fill, l, wanted
	return a
}

// aggregateLevel aggregates the unknowns of coarser level k to those of the next. It returns false if they are not much fewer.
func (s *Solver) aggregateLevel(k int) bool {
	l, r := s.level[k], &s.aggregates
	a := s.aggregatorOf(k+1, (*aggregator).linkLevel, l, coarseSize)
	a.run(l.n)
	if float64(a.count) > (1-leastCoarsening)*float64(l.n) {
		return false
	}
	r.measure(k+1, r.weight[k])
	l.parent = a.parent
	to := s.grow(k + 1)
	to.resize(a.count)
	to.size, to.parent = r.size[k+1], nil
	s.depth++
	to.listChildren(&Level{a.parent, l.size}, true)
	return true
}

// measure sets the sizes of coarser level k, as edges of cubes of so many unknowns. finer is the weight of those of the level before, nil: 1 each. Red unknowns
// have none.
func (r *aggregates) measure(k int, finer []float32) {
	a := r.maker[k]
	weight, size := arrays.Resize(r.weight[k], a.count), arrays.Resize(r.size[k], a.count)
	r.weight[k], r.size[k] = weight, size
	clear(weight)
	for i, p := range a.parent {
		switch {
		case p < 0: // red
		case finer == nil:
			weight[p]++
		default:
			weight[p] += finer[i]
		}
	}
	for i, w := range weight {
		size[i] = float32(reproducible.Cbrt(float64(w)))
	}
}

// linkReduced lists the entries of S, some of them in parts, times the scale of the matrix.
func (a *aggregator) linkReduced(b *links, lo, hi int) {
	m, unit := a.s.m, a.s.unit
	for i := lo; i < hi; i++ {
		if m.Red[i] && m.Diag[i] > 0 {
			b.leave(i - lo)
			continue
		}
		diag := float64(m.Diag[i] * unit)
		sum, total, top := diag, 0., 0.
		col, val := m.row(int32(i))
		for k, j := range col {
			v := float64(val[k] * unit)
			sum += v
			if !m.Red[j] {
				total -= v
				top = max(top, -v)
				b.add(j, float32(-v))
			} else if d := m.Diag[j]; d > 0 {
				by, rest := v/d, d
				c, w := m.row(j)
				for e, o := range c {
					rest += w[e]
					path := float64(by * w[e])
					if int(o) == i {
						diag -= path
						continue
					}
					total += path
					top = max(top, path)
					b.add(o, float32(path))
				}
				if rest >= roundoff*d {
					sum -= float64(by * rest)
				}
			}
		}
		b.sum[i-lo] = 0
		if sum >= roundoff*m.Diag[i]*unit {
			b.sum[i-lo] = float32(sum)
		}
		b.finish(i-lo, float32(diag), float32(total), float32(top))
	}
}

// fillZone fills the rows of a zone, with their D and row sums. It also sets residual = b - L x there.
func (s *Solver) fillZone(_ int, number int32) {
	f, m, sums := &s.fine, s.m, &s.partial[number]
	z, part := &f.zone[number], &m.Part[number]
	lo := int(number) * zoneRows
	left, rhs := 0., 0.
	for k := range len(part.Ptr) - 1 {
		i := lo + k
		p, q := part.Ptr[k], part.Ptr[k+1]
		l, b := s.fillRow(z, i, part.Col[p:q], part.Val[p:q])
		left += float64(l * l)
		rhs += float64(b * b)
	}
	*sums = [2][lanes]float64{{left}, {rhs}}
}

// fillRow fills the row of an unknown and returns its residual and right-hand side.
func (s *Solver) fillRow(z *zone, i int, col []int32, val []float64) (left, b float64) {
	f := &s.fine
	unknowns, me := f.unknown, &f.unknown[i]
	place, lane, diag := int(me.place), uint32(me.place)%lanes, s.m.Diag[i]
	isDirty := place < z.clean
	by := s.setScale(place, s.weight(int32(i), diag), val, isDirty)
	of := z.matrix.row(place - z.begin)
	if isDirty && by < 0 { // a row with D = 0 takes no coarse correction, as it restricts no residual
		e := &of[len(col)]
		e.col[lane], e.val[lane] = me.place, float32(roundDown+float64(by*diag))
	}
	b = s.rhs[i]
	left = b - float64(diag*me.x)
	of, val = of[:len(col)], val[:len(col)]
	for k, j := range col {
		o, v := &unknowns[j], val[k]
		left -= float64(v * o.x)
		e := &of[k]
		e.col[lane], e.val[lane] = o.place, float32(v*by)
	}
	s.residual[i] = left
	return left, b
}

// sumReduced sums the rows of S of i's children in u. It returns the row sum.
func (s *Solver) sumReduced(l *level, i int32, u *rowAccumulator) (dir float32) {
	f, blocks := &s.fine, s.aggregates.maker[0].block
	for c := l.child[i]; c >= 0; c = l.sibling[c] {
		place := f.unknown[c].place
		u.noteChild(place, true)
		u.weight += f.diag[place]
		b, row := &blocks[c/aggregateRows], c%aggregateRows
		dir += b.sum[row]
		p, q := b.end[row], b.end[row+1]
		val := b.val[p:q]
		for k, j := range b.col[p:q] {
			if o := f.unknown[j].parent; o != i && o >= 0 {
				u.add(o, float32(-2*val[k]))
			}
		}
	}
	return dir / l.size[i]
}

// cycleReduced sets the black part of y from b by a cycle over S. It smooths before and after the coarse solution by a step of Jacobi's iteration with
// D: the eigenvalues of D⁻¹S are at most 1 on clean unknowns, and at most 2 with dirty ones. A weight of 1.15 in place of 1 changes no iteration count.
func (s *Solver) cycleReduced() {
	s.overZones((*Solver).solveRedFirstZone)
	s.overZones((*Solver).reduceBlackZone)
	s.overRows(s.level[0], (*level).restrict)
	s.coarseCycle()
	s.overZones((*Solver).prolongBlackZone)
	s.overZones((*Solver).followBlackZone)
	s.overZones((*Solver).smoothBlackZone)
}

// solveRedFirstZone solves for the red part of a zone's b, given the black part, which is the step from zero. Nothing else reads the red part.
func (s *Solver) solveRedFirstZone(_ int, number int32) {
	f := &s.fine
	f.solveRed(&f.zone[number], f.b, f.b)
}

// reduceBlackZone sets the black part of a zone's y to the residual of that step.
func (s *Solver) reduceBlackZone(_ int, number int32) {
	f := &s.fine
	z := &f.zone[number]
	f.multiply(z, z.begin, z.red, f.y, f.b)
}

// prolongBlackZone adds the coarse solution to a zone's black unknowns of x, which begins as b.
func (s *Solver) prolongBlackZone(_ int, number int32) {
	f := &s.fine
	z := &f.zone[number]
	lo, hi := z.begin, z.red
	prolong(f.x[lo:hi], f.b[lo:hi], s.level[0].x, f.parent[lo:hi])
}

// followBlackZone solves for the red part of a zone's x, given the black part.
func (s *Solver) followBlackZone(_ int, number int32) {
	s.fine.solveRed(&s.fine.zone[number], s.fine.x, s.fine.x)
}
