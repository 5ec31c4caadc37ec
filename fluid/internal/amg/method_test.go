package amg

import (
	"fmt"
	"testing"
)

// methods lists every combination.
func methods() (all []Method) {
	for c := Automatic; c < Incomplete; c++ {
		for s := AutomaticSmoother; s <= GaussSeidel; s++ {
			for y := VCycle; y <= FullCycle; y++ {
				all = append(all, Method{c, s, y})
			}
		}
	}
	return append(all, Method{Coarsening: Incomplete})
}

func (m Method) String() string {
	if m.Coarsening == Incomplete {
		return "MIC(0)"
	}
	c := [...]string{"automatic", "aggregation", "smoothed aggregation", "greedy"}[m.Coarsening]
	return fmt.Sprintf("%s, %s, %s", c, [...]string{"automatic", "Chebyshev", "Gauss-Seidel"}[m.Smoother], [...]string{"automatic", "V", "W", "full"}[m.Cycle])
}

func TestMethods(t *testing.T) {
	m, places := tetMatrix(7, .4, 0)
	b := forces(places, 7)
	p := &problem{m: m}
	for _, method := range methods() {
		x := make([]float64, len(b))
		s := p.solver(t, nil, 2)
		rep, err := s.Solve(x, b, Options{Tol: 1e-6, Method: method})
		n := []int{}
		for _, l := range s.level[:s.depth] {
			n = append(n, l.n)
		}
		t.Log(method, len(b), rep, err, n)
	}
}
