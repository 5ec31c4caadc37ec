package amg

import "github.com/meniscus3d/meniscus/fluid/internal/par"

const (
	// smoothedSize is the number of unknowns in an aggregate whose piecewise constants are smoothed, and so reach its neighbours.
	smoothedSize = 16
	// smoothing is the weight of the step of Jacobi's iteration, 4/3 over the bound on the eigenvalues of D⁻¹L.
	smoothing = 4. / (3 * lambdaMax)
)

// smoothAggregates fills the interpolation to level l: the constants of its aggregates, smoothed by 1 - ω D⁻¹ N, with N being L without its row sums, so
// that constants stay constants. Unknowns without strong neighbours are left out.
func (s *Solver) smoothAggregates(l *level, t *transfer) int {
	a := &s.interpolation.maker
	a.s, a.fill, a.l, a.wanted, a.leaveLone = s, (*aggregator).linkLevel, l, smoothedSize, true
	a.run(l.n)
	for p := range par.Chunks(l.n, grain) {
		l.smoothConstants(&t.part[p], a.parent, p*grain, min(l.n, (p+1)*grain))
	}
	return a.count
}

// smoothConstants fills the rows lo ≤ i < hi of the interpolation.
func (l *level) smoothConstants(to *rows, parent []int32, lo, hi int) {
	to.reset()
	for i := lo; i < hi; i++ {
		if own := parent[i]; own >= 0 {
			from := len(to.col)
			to.col, to.val = append(to.col, own), append(to.val, 1)
			by := float32(smoothing * l.inverse(i))
			col, val := l.part[i/grain].row(i % grain)
			for k, j := range col {
				if p := parent[j]; p >= 0 && p != own {
					v := float32(by * val[k])
					to.val[from] += v
					to.addFrom(from, p, -v)
				}
			}
		}
		to.end = append(to.end, int32(len(to.col)))
	}
}

// addFrom adds v to the entry of a column among those from an index on.
func (r *rows) addFrom(from int, col int32, v float32) {
	for k := from; k < len(r.col); k++ {
		if r.col[k] == col {
			r.val[k] += v
			return
		}
	}
	r.col, r.val = append(r.col, col), append(r.val, v)
}
