package viscosity

import (
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// solve finds the velocity v with M(v - old) + k A v = 0 at the vertices that are free, by conjugate gradients with the diagonal.
// Source: Hestenes, Stiefel 1952; Batty, Bridson 2008 eq. 8.
func (s *Solver) solve() {
	s.bodies.increase(s)
	s.multiply(s.v)
	s.bodies.start(s)
	if s.bodies.free {
		s.multiply(s.v)
	}
	par.For(s.pool, len(s.kind), grain, s, (*Solver).startResidual)
	rz := s.sum()
	end := tolerance * tolerance * rz
	for s.Iterations = 0; rz > end && rz > 0 && s.Iterations < mostIterations; s.Iterations++ {
		s.bodies.follow(s)
		s.multiply(s.p)
		par.For(s.pool, len(s.kind), grain, s, (*Solver).applyMass)
		py := s.sum()
		if !(py > 0) {
			break
		}
		s.alpha = rz / py
		par.For(s.pool, len(s.kind), grain, s, (*Solver).advance)
		s.bodies.advance(s)
		was := rz
		rz = s.sum()
		s.alpha = rz / was
		par.For(s.pool, len(s.kind), grain, s, (*Solver).turn)
	}
	s.multiply(s.v)
	s.bodies.push(s)
	s.balance()
}

// sum is that of what the chunks have written, in their order.
func (s *Solver) sum() (sum float64) {
	for _, x := range s.sums {
		sum += x
	}
	return sum
}

// multiply sets y to the sums of the stresses around each vertex that a velocity makes, per viscosity, m²/s.
func (s *Solver) multiply(v []vec) {
	s.arg = v
	par.For(s.pool, len(s.elements), grain, s, (*Solver).findStresses)
	par.For(s.pool, len(s.kind), grain, s, (*Solver).sumStresses)
	s.arg = nil
}

// findStresses sets the stresses of some elements: twice the rate of strain by the volume of liquid, xx, yy, zz, yz, zx, xy.
func (s *Solver) findStresses(_, lo, hi int) {
	for i := lo; i < hi; i++ {
		e := &s.elements[i]
		var d [3]vec // ∂u_a/∂x_b
		for c, v := range e.corner {
			u, g := &s.arg[v], &e.slope[c]
			for a := range 3 {
				for b := range 3 {
					d[a][b] += float64(u[a] * g[b])
				}
			}
		}
		s.stress[i] = [6]float64{
			2 * e.weight * d[0][0], 2 * e.weight * d[1][1], 2 * e.weight * d[2][2],
			e.weight * (d[1][2] + d[2][1]), e.weight * (d[2][0] + d[0][2]), e.weight * (d[0][1] + d[1][0]),
		}
	}
}

// sumStresses sets y of some vertices.
func (s *Solver) sumStresses(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		var y vec
		for _, use := range s.uses[s.first[v]:s.first[v+1]] {
			t, g := &s.stress[use/4], &s.elements[use/4].slope[use%4]
			y[0] += float64(t[0]*g[0]) + float64(t[5]*g[1]) + float64(t[4]*g[2])
			y[1] += float64(t[5]*g[0]) + float64(t[1]*g[1]) + float64(t[3]*g[2])
			y[2] += float64(t[4]*g[0]) + float64(t[3]*g[1]) + float64(t[2]*g[2])
		}
		s.y[v] = y
	}
}

// precondition sets z of a free vertex from its residual and returns r·z.
func (s *Solver) precondition(v int) float64 {
	by := 1 / (s.mass[v].mean() + float64(s.k*s.diag[v]))
	for a, r := range s.r[v] {
		s.z[v][a] = r * by
	}
	return geom.Dot(&s.r[v], &s.z[v])
}

// isFree tells whether a vertex is solved for.
func (s *Solver) isFree(v int) bool { return s.kind[v] == liquid && s.diag[v] > 0 }

func (s *Solver) startResidual(_, lo, hi int) {
	sum := 0.
	for v := lo; v < hi; v++ {
		if !s.isFree(v) {
			continue
		}
		way := sub(&s.old[v], &s.v[v])
		s.r[v] = s.mass[v].times(&way)
		for a, y := range s.y[v] {
			s.r[v][a] -= float64(s.k * y)
		}
		sum += s.precondition(v)
		s.p[v] = s.z[v]
	}
	s.sums[lo/grain] = sum
}

// applyMass makes y what the whole matrix makes of p, and sums p·y.
func (s *Solver) applyMass(_, lo, hi int) {
	sum := 0.
	for v := lo; v < hi; v++ {
		if !s.isFree(v) {
			continue
		}
		y := s.mass[v].times(&s.p[v])
		for a := range y {
			s.y[v][a] = y[a] + float64(s.k*s.y[v][a])
		}
		sum += geom.Dot(&s.p[v], &s.y[v])
	}
	s.sums[lo/grain] = sum
}

func (s *Solver) advance(_, lo, hi int) {
	sum := 0.
	for v := lo; v < hi; v++ {
		if !s.isFree(v) {
			continue
		}
		for a := range 3 {
			s.v[v][a] += float64(s.alpha * s.p[v][a])
			s.r[v][a] -= float64(s.alpha * s.y[v][a])
		}
		sum += s.precondition(v)
	}
	s.sums[lo/grain] = sum
}

func (s *Solver) turn(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		if s.isFree(v) {
			for a, z := range s.z[v] {
				s.p[v][a] = z + float64(s.alpha*s.p[v][a])
			}
		}
	}
}
