package amg

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// incomplete is the factorisation (D + E) D⁻¹ (D + Eᵀ) of L, with E its strictly lower part and D such that the product's row sums are nearly
// those of L: MIC(0) where no three unknowns are neighbours of each other, as in grids and tetrahedra. It runs on the caller alone.
//
// Source: Gustafsson 1978; the bounds on D are those of Bridson 2015, ch. 5.
type incomplete struct {
	inv   []float64 // 1/D, 0 of an empty row
	upper []float64 // per row: the sum of its entries right of the diagonal, while it is factored
	z     []float64
}

const (
	// fillShare is the part of dropped fill that goes to the diagonal. All of it is none the better, and may make D vanish.
	fillShare = .97
	// leastFactor is the least D over the diagonal entry; below it D is that entry.
	leastFactor = .25
)

// setupFactors factors L, and computes the residual of L x on the way.
func (s *Solver) setupFactors() {
	n := len(s.m.Diag)
	s.direct = false
	s.setOnes(n)
	s.levels = append(s.levels[:0], Level{s.identity(n), s.aggregates.ones})
	s.chooseDepth()
	s.findCoupledOnly()
	s.setFinest()
	s.fillFinest()
	s.factor()
}

// factor computes D row by row.
func (s *Solver) factor() {
	m, f := s.m, &s.incomplete
	n := len(m.Diag)
	f.inv, f.upper, f.z = arrays.Resize(f.inv, n), arrays.Resize(f.upper, n), arrays.Resize(f.z, n)
	for i := range n {
		diag := s.weight(int32(i), m.Diag[i])
		d, upper := diag, 0.
		col, val := m.row(int32(i))
		for e, j := range col {
			v := val[e]
			if int(j) > i {
				upper += v
				continue
			}
			d -= float64(float64(v*f.inv[j]) * (v + float64(fillShare*(f.upper[j]-v))))
		}
		if !(d >= leastFactor*diag) {
			d = diag
		}
		f.upper[i], f.inv[i] = upper, 0
		if d > 0 {
			f.inv[i] = 1 / d
		}
	}
}

// applyFactors sets the black part of y from b.
func (s *Solver) applyFactors() {
	m, f, top := s.m, &s.incomplete, &s.fine
	inv, z, unknowns := f.inv, f.z, top.unknown
	for i := range z {
		p := unknowns[i].place
		r := float64(float64(float64(top.b[p])*float64(top.diag[p])) * s.perUnit)
		col, val := m.row(int32(i))
		for e, j := range col {
			if int(j) < i {
				r -= float64(val[e] * z[j])
			}
		}
		z[i] = float64(r * inv[i])
	}
	for i := len(z) - 1; i >= 0; i-- {
		sum := 0.
		col, val := m.row(int32(i))
		for e, j := range col {
			if int(j) > i {
				sum += float64(val[e] * z[j])
			}
		}
		z[i] -= float64(sum * inv[i])
	}
	par.Each(s.pool, top.zones, 1, s, (*Solver).takeFactors)
}

// takeFactors copies the solution to a zone's black unknowns.
func (s *Solver) takeFactors(_ int, number int32) {
	f := &s.fine
	z := &f.zone[number]
	for p := z.begin; p < z.black; p++ {
		f.y[p] = float32(s.incomplete.z[f.row[p]])
	}
}
