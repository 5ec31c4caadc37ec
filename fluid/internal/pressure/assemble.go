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
	s.rhs, m.Diag, m.Red = arrays.Resize(s.rhs, g.Rows), arrays.Resize(m.Diag, g.Rows), arrays.Resize(m.Red, g.Rows)
	parts := par.Chunks(g.Rows, amg.PartRows)
	for cap(m.Part) < parts {
		m.Part = append(m.Part[:cap(m.Part)], amg.Rows{})
	}
	m.Part = m.Part[:parts]
	s.equations = graph.Equations{Source: s.source, Density: s.rho, Dt: s.dt, Diag: m.Diag, RHS: s.rhs, Red: m.Red}
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
