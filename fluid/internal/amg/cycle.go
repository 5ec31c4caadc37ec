package amg

// chooseCycle sets the cycle once the last level is factored. Where a component is leaky, what the last level returns is much larger than the other levels'
// corrections, and what a second visit finds of the residual is rounding: there all cycles are V-cycles.
func (s *Solver) chooseCycle() {
	if s.cycle = s.method.cycle(s.kind); s.direct && s.dense.leaky {
		s.cycle = VCycle
	}
}

// coarseCycle sets x of the first coarser level from its b.
func (s *Solver) coarseCycle() {
	if s.cycle == FullCycle {
		s.fullCycle(0)
	} else {
		s.descend(0)
	}
}

// descend sets x of coarser level k from its b by a V- or W-cycle from zero.
func (s *Solver) descend(k int) {
	if k == s.depth-1 {
		s.solveLast()
		return
	}
	s.presmooth(s.level[k], true)
	s.correctFrom(k)
}

// improve improves x of coarser level k, which is not the last, by a V- or W-cycle.
func (s *Solver) improve(k int) {
	s.presmooth(s.level[k], false)
	s.correctFrom(k)
}

// correctFrom adds to x of coarser level k what the next level finds of its error, and smooths.
func (s *Solver) correctFrom(k int) {
	l, c := s.level[k], s.level[k+1]
	s.overRows(l, (*level).findResidual)
	s.overRows(c, (*level).restrict)
	s.descend(k + 1)
	if k+1 < s.depth-1 && s.cycle == WCycle {
		s.improve(k + 1)
	}
	s.overRows(l, (*level).prolong)
	s.postsmooth(l)
}

// fullCycle sets x of coarser level k from its b by a full cycle from zero: a V-cycle, the full cycle of the next level on what it left, and another
// V-cycle.
func (s *Solver) fullCycle(k int) {
	s.descend(k)
	if k == s.depth-1 {
		return
	}
	l := s.level[k]
	s.overRows(l, (*level).findResidual)
	s.overRows(s.level[k+1], (*level).restrict)
	s.fullCycle(k + 1)
	s.overRows(l, (*level).prolong)
	s.improve(k)
}

// solveLast sets x of the last level from its b.
func (s *Solver) solveLast() {
	l := s.level[s.depth-1]
	if s.direct {
		s.dense.solve(l)
	} else {
		s.smoothAtLength(l)
	}
}

// presmooth smooths x, or zero.
func (s *Solver) presmooth(l *level, fromZero bool) {
	switch {
	case s.method.Smoother == GaussSeidel:
		if fromZero {
			clear(l.x)
		}
		s.sweepBoth(l)
	case fromZero:
		s.overRows(l, (*level).smoothFromZero)
	default:
		s.postsmooth(l)
	}
}

// postsmooth smooths x. Either smoother is its own adjoint.
func (s *Solver) postsmooth(l *level) {
	if s.method.Smoother == GaussSeidel {
		s.sweepBoth(l)
		return
	}
	s.overRows(l, (*level).smoothFirst)
	s.overRows(l, (*level).smoothSecond)
}
