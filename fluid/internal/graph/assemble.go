package graph

// Term is what the pressure equations of the rows on a face need of it: the coefficient A w / (ρ d), 0 where the face keeps its velocity, and the
// flux A w u, m³/s. density is in kg/m³.
func (g *Graph) Term(f int32, density float64) (coef, flux float64) {
	free := g.Area[f] * g.Open[f]
	if flux = float64(free * g.U[f]); g.IsHeld(f) {
		return 0, flux
	}
	return free / (density * g.Dist[f]), flux
}

// Equations are the rows' pressure equations, but for the entries of the matrix beside the diagonal. Slices are per row.
type Equations struct {
	Source    []float64 // m³/s
	Density   float64   // kg/m³
	Dt        float64   // s
	Diag, RHS []float64
	Red       []bool // as Cubes.Red, of rows whose equations join no two red ones
}

// Entries are a matrix's rows without the diagonal: row i has the entries Ptr[i] to Ptr[i+1], columns in any order. Repeats are summed.
type Entries struct {
	Ptr []int32
	Col []int32
	Val []float64
}

// Assemble writes the equations of rows lo ≤ r < hi.
func (g *Graph) Assemble(e *Equations, lo, hi int, to *Entries) {
	if g.cubic() {
		g.assembleCubes(e, lo, hi, to)
	} else {
		g.assembleListed(e, lo, hi, to)
	}
}

// assembleListed is Assemble by the faces that are listed for each row.
func (g *Graph) assembleListed(e *Equations, lo, hi int, to *Entries) {
	to.Ptr, to.Col, to.Val = append(to.Ptr[:0], 0), to.Col[:0], to.Val[:0]
	for r := lo; r < hi; r++ {
		diag, rhs := 0., e.Source[r]
		for _, i := range g.FacesOf(int32(r)) {
			coef, flux := g.Term(i, e.Density)
			other := g.B[i]
			if other == int32(r) {
				other, flux = g.A[i], -flux
			}
			diag += coef
			if rhs -= flux; other == Air {
				rhs += float64(coef * (g.Jump[i] * e.Dt))
			} else {
				to.Col, to.Val = append(to.Col, other), append(to.Val, -coef)
			}
		}
		to.Ptr = append(to.Ptr, int32(len(to.Col)))
		e.Diag[r], e.RHS[r], e.Red[r] = diag, rhs, false
	}
}
