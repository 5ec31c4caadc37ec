package amg

import "github.com/meniscus3d/meniscus/fluid/internal/arrays"

// setupAll builds levels of all unknowns, the first of them L itself, and computes the residual of L x on the way.
func (s *Solver) setupAll() {
	if s.method.Coarsening == Automatic && len(s.system.Levels) > 0 {
		s.copied = append(s.copied[:0], Level{s.identity(len(s.m.Diag)), s.system.Levels[0].Size})
		s.copied = append(s.copied, s.system.Levels...)
		s.setupLevels(s.copied)
		return
	}
	n := len(s.m.Diag)
	s.setOnes(n)
	ones := s.aggregates.ones
	s.copied = append(s.copied[:0], Level{s.identity(n), ones}, Level{Size: ones})
	s.setupLevels(s.copied)
	for k := 0; s.level[k].n > denseMax; k++ {
		if !s.coarsenAll(k) {
			break
		}
	}
}

// coarsenAll builds level k+1 from level k. It returns false if that does not save enough unknowns.
func (s *Solver) coarsenAll(k int) bool {
	switch s.method.Coarsening {
	case Greedy:
		return s.interpolate(k, s.pickGreedily)
	case SmoothedAggregation:
		return s.interpolate(k, s.smoothAggregates)
	}
	if r := &s.aggregates; k == 0 {
		s.aggregatorOf(0, nil, nil, coarseSize)
		n := len(r.ones)
		r.weight[0], r.size[0] = append(r.weight[0][:0], r.ones...), arrays.Resize(r.size[0], n)
	}
	if !s.aggregateLevel(k) {
		return false
	}
	s.coarsen(k + 1)
	return true
}

// cycleAll sets the black part of y from b by a cycle over all unknowns.
func (s *Solver) cycleAll() {
	l := s.level[0]
	s.overRows(l, (*level).takeRight)
	s.coarseCycle()
	s.overZones((*Solver).takeAllZone)
}

// takeRight sets b of the first level, which has all unknowns, from that of the finest.
func (l *level) takeRight(_, lo, hi int) {
	f := &l.s.fine
	for i := lo; i < hi; i++ {
		p := f.unknown[i].place
		l.b[i] = float32(float32(f.b[p]*f.diag[p]) * l.inverse(i))
	}
}

// takeAllZone copies the solution to a zone's black unknowns.
func (s *Solver) takeAllZone(_ int, number int32) {
	f, x := &s.fine, s.level[0].x
	z := &f.zone[number]
	for p := z.begin; p < z.black; p++ {
		f.y[p] = x[f.row[p]]
	}
}
