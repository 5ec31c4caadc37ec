package amg

import "slices"

// coupledOnly lists the unknowns whose row of L is empty but that the coupling holds. For them D is the diagonal entry of KᵀWK.
type coupledOnly struct {
	row []int32 // ascending
	d   []float64
}

// findCoupledOnly lists these unknowns.
func (s *Solver) findCoupledOnly() {
	k, a := s.coupling, &s.coupledOnly
	a.row, a.d = a.row[:0], a.d[:0]
	if k.groups() == 0 {
		return
	}
	for _, i := range k.Col {
		if s.m.Diag[i] <= 0 {
			a.row = append(a.row, i)
		}
	}
	slices.Sort(a.row)
	a.row = slices.Compact(a.row)
	for _, i := range a.row {
		a.d = append(a.d, s.coupledDiagonal(i))
	}
}

// coupledDiagonal returns the diagonal entry of KᵀWK at an unknown.
func (s *Solver) coupledDiagonal(i int32) float64 {
	k := s.coupling
	clear(s.kz)
	for g := range k.groups() {
		lo, hi := k.Ptr[g], k.Ptr[g+1]
		if e, ok := slices.BinarySearch(k.Col[lo:hi], i); ok {
			copy(s.kz[6*g:6*g+6], k.Val[int(lo)+e][:])
		}
	}
	return s.coupledEnergy()
}

// weight returns the diagonal entry of L at an unknown, diag, or of the coupling where diag is not positive.
func (s *Solver) weight(i int32, diag float64) float64 {
	if diag > 0 {
		return diag
	}
	if e, ok := slices.BinarySearch(s.coupledOnly.row, i); ok {
		return s.coupledOnly.d[e]
	}
	return 0
}
