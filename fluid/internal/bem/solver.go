package bem

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
)

// Solver solves for the density on a surface whose single layer is given: by a Cholesky factor for up to factorFaces faces, by conjugate gradients beyond.
type Solver struct {
	Layers

	matrix  []float64 // the factor, row by row
	diag    []float64
	charge  []float64 // the density that makes the potential 1 all over the surface
	total   float64   // ∮ charge
	q, b    []float64
	r, d, w []float64 // of conjugate gradients
}

const (
	// factorFaces is the most faces for which the matrix is factored. Conjugate gradients take less time for more.
	factorFaces = 512
	// tolerance is that of conjugate gradients, of the residual over the right-hand side.
	tolerance     = 1e-8
	maxIterations = 200
	// leastPivot is the least part that Cholesky's method may leave of a diagonal entry. Rounding leaves 1e-13 of a matrix of some hundred rows that is singular.
	leastPivot = 1e-12
)

// Set makes the layers of a surface, and factors their matrix. It returns the errors of [Layers.Set], ErrIndefinite, or ErrNotConverged.
func (s *Solver) Set(at []r3.Vec, triangles [][3]int32) error {
	if err := s.Layers.Set(at, triangles); err != nil {
		return err
	}
	n := len(s.panels)
	s.q, s.b, s.charge, s.diag = arrays.Resize(s.q, n), arrays.Resize(s.b, n), arrays.Resize(s.charge, n), arrays.Resize(s.diag, n)
	s.r, s.d, s.w = arrays.Resize(s.r, n), arrays.Resize(s.d, n), arrays.Resize(s.w, n)
	for i := range s.panels {
		s.diag[i] = s.panels[i].self()
		if s.panels[i].area == 0 { // its density is 0
			s.diag[i] = 1
		}
	}
	if n <= factorFaces {
		if err := s.factor(); err != nil {
			return err
		}
	}
	for i := range s.panels {
		s.b[i] = s.panels[i].area
		s.charge[i] = 0
	}
	if err := s.solve(s.charge); err != nil {
		return err
	}
	s.total = s.flux(s.charge)
	return nil
}

// factor makes Cholesky's factor of the single layer.
func (s *Solver) factor() error {
	n := len(s.panels)
	s.matrix = arrays.Resize(s.matrix, n*n)
	clear(s.matrix)
	for i, d := range s.diag {
		s.matrix[i*n+i] = d
	}
	for k := range s.near {
		p := &s.near[k]
		s.matrix[int(max(p.i, p.j))*n+int(min(p.i, p.j))] = p.single
	}
	for _, p := range s.far {
		s.matrix[int(max(p.i, p.j))*n+int(min(p.i, p.j))] = p.single
	}
	dense.Factor(s.matrix, n)
	for i, d := range s.diag {
		if l := s.matrix[i*n+i]; !(l*l > leastPivot*d) {
			return fmt.Errorf("%w: at face %d of %d", ErrIndefinite, s.face[i], n)
		}
	}
	return nil
}

// solve sets x to the density whose single layer is b. Conjugate gradients start from x.
func (s *Solver) solve(x []float64) error {
	if len(s.panels) > factorFaces {
		return s.iterate(x)
	}
	copy(x, s.b)
	dense.Solve(s.matrix, x)
	return nil
}

// iterate is solve by conjugate gradients, with the diagonal as preconditioner.
//
// Source: Golub, Van Loan 2013, Matrix Computations, algorithm 11.5.1.
func (s *Solver) iterate(x []float64) error {
	s.applySingle(s.w, x)
	norm := 0.
	for i, b := range s.b {
		s.r[i] = b - s.w[i]
		norm += float64(b * b / s.diag[i])
		s.d[i] = s.r[i] / s.diag[i]
	}
	old := dense.Dot(s.r, s.d)
	for range maxIterations {
		if !(old > float64(tolerance*tolerance)*norm) {
			break
		}
		s.applySingle(s.w, s.d)
		curve := dense.Dot(s.d, s.w)
		if !(curve > 0) {
			return ErrIndefinite
		}
		step, next := old/curve, 0.
		for i := range x {
			x[i] += float64(step * s.d[i])
			s.r[i] -= float64(step * s.w[i])
			next += float64(s.r[i] * s.r[i] / s.diag[i])
		}
		for i, r := range s.r {
			s.d[i] = r/s.diag[i] + float64(next/old*s.d[i])
		}
		old = next
	}
	if !(old <= float64(tolerance*tolerance)*norm) {
		return fmt.Errorf("%w: residual %.2g after %d iterations", ErrNotConverged, math.Sqrt(old/norm), maxIterations)
	}
	return nil
}

// flux returns the integral of a density over the surface.
func (s *Solver) flux(q []float64) float64 {
	sum := 0.
	for i := range q {
		sum += float64(s.panels[i].area * q[i])
	}
	return sum
}

// Capacity returns the surface's capacity: the charge that makes its potential 1, a length. That of a ball of radius R is 4πR.
func (s *Solver) Capacity() float64 { return float64(4 * math.Pi * s.total) }

// Volume returns the volume that the surface encloses.
func (s *Solver) Volume() float64 { return s.volume }

// density solves for the density whose single layer is b up to a constant potential, and whose integral is total.
//
// A harmonic function has no flux in all. The solution of the discrete equations has a little: the least change, in the norm of the matrix, that takes it away is a multiple of the
// charge at a constant potential, which makes no field inside.
func (s *Solver) density(total float64) error {
	if err := s.solve(s.q); err != nil {
		return err
	}
	excess := (s.flux(s.q) - total) / s.total
	for i, e := range s.charge {
		s.q[i] -= float64(excess * e)
	}
	return nil
}

// Normal sets dst, by face, to the mean normal derivative, outwards, of the function that is harmonic inside and has values phi at the vertices, linear on each face. A constant has 0. The
// integral of dst over the surface is 0. It returns ErrNotFinite or ErrNotConverged.
func (s *Solver) Normal(dst, phi []float64) error {
	if len(dst) != len(s.panels) || len(phi) != s.vertices {
		panic(fmt.Sprintf("bem: %d values for %d faces, %d for %d vertices", len(dst), len(s.panels), len(phi), s.vertices))
	}
	for i, f := range phi {
		if !(math.Abs(f) <= math.MaxFloat64) {
			return fmt.Errorf("%w: %g at vertex %d", ErrNotFinite, f, i)
		}
	}
	s.applyDouble(s.b, phi)
	clear(s.q)
	if err := s.density(0); err != nil {
		return err
	}
	s.scatter(dst, s.q)
	return nil
}

// scatter sets dst, by face, to values of the panels.
func (l *Layers) scatter(dst, values []float64) {
	for i, f := range l.face {
		dst[f] = values[i]
	}
}
