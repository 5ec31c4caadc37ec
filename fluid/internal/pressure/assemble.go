package pressure

import (
	"github.com/meniscus3d/meniscus/fluid/internal/amg"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// assemble makes L and the right-hand side without the bodies' part.
func (s *Solver) assemble() {
	g, m := s.gr, &s.matrix
	s.terms = arrays.Resize(s.terms, g.Faces())
	par.For(s.pool, g.Faces(), grain, s, (*Solver).coefficients)
	s.rhs, m.Diag, m.Red = arrays.Resize(s.rhs, g.Rows), arrays.Resize(m.Diag, g.Rows), arrays.Resize(m.Red, g.Rows)
	parts := par.Chunks(g.Rows, amg.PartRows)
	for cap(m.Part) < parts {
		m.Part = append(m.Part[:cap(m.Part)], amg.Rows{})
	}
	m.Part = m.Part[:parts]
	s.equations = graph.Equations{Terms: s.terms, Source: s.source, Dt: s.dt, Diag: m.Diag, RHS: s.rhs, Red: m.Red}
	par.For(s.pool, g.Rows, amg.PartRows, s, (*Solver).assembleRows)
}

// assembleRows writes a part of L and of the right-hand side.
func (s *Solver) assembleRows(_, lo, hi int) {
	s.gr.Assemble(&s.equations, lo, hi, (*graph.Entries)(&s.matrix.Part[lo/amg.PartRows]))
}

// nonzeros counts the entries of L's diagonal and upper triangle.
func (s *Solver) nonzeros() int {
	n := 0
	for i := range s.matrix.Part {
		n += len(s.matrix.Part[i].Col)
	}
	return s.gr.Rows + n/2
}

func (s *Solver) coefficients(_, lo, hi int) {
	g, terms := s.gr, s.terms[lo:hi]
	n := len(terms)
	area, open, dist, u := g.Area[lo:hi][:n], g.Open[lo:hi][:n], g.Dist[lo:hi][:n], g.U[lo:hi][:n]
	for f := range terms {
		free := area[f] * open[f]
		terms[f] = graph.Term{Coef: free / (s.rho * dist[f]), Flux: free * u[f]}
	}
	if len(g.Held) > 0 {
		for f, held := range g.Held[lo:hi] {
			if held {
				terms[f].Coef = 0
			}
		}
	}
}
