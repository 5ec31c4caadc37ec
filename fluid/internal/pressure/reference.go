package pressure

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// reference is what the residual is measured against where the air presses by surface tension, m³/s; 0 where it does not.
//
// The right-hand side itself would not do. Where the surface passes close to a row's centre, its face to the air conducts up to 10⁷ times as well as others, and
// so much of the air's pressure is in the right-hand side, which the row's own pressure balances whatever flows. Against that any flow is small: the
// solve would end before it has found what is due to the rest of the liquid. So faces to the air count with no more than what conducts over a whole cell.
func (s *Solver) reference(tension bool) float64 {
	if !tension {
		return 0
	}
	s.squares = arrays.Resize(s.squares, par.Chunks(s.gr.Rows, grain))
	par.For(s.pool, s.gr.Rows, grain, s, (*Solver).sumSquares)
	sum := 0.
	for _, x := range s.squares {
		sum += x
	}
	return math.Sqrt(sum)
}

// sumSquares sums the squares of the right-hand sides of a chunk of rows, less what air close to the centres adds.
func (s *Solver) sumSquares(_, lo, hi int) {
	sum := 0.
	for r := lo; r < hi; r++ {
		x := s.rhs[r] - s.excess(int32(r))
		sum += float64(x * x)
	}
	s.squares[lo/grain] = sum
}

// excess is what faces to the air add to a row's right-hand side beyond what they would if they were a cell long, m³/s.
func (s *Solver) excess(r int32) (sum float64) {
	g := s.gr
	for _, f := range g.FacesOf(r) {
		if f < 0 {
			continue
		}
		a, b := g.A[f], g.B[f]
		if min(a, b) != graph.Air || g.Jump[f] == 0 {
			continue
		}
		share := g.ShareOf(r, max(a, b))
		whole := math.Sqrt(g.Area[f])
		coef, _ := g.Term(f, s.rho)
		sum += float64(share * coef * max(0, 1-g.Dist[f]/whole) * g.Jump[f] * s.dt)
	}
	return sum
}
