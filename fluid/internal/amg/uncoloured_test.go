package amg

import (
	"math"
	"testing"
)

// If no unknown is red, as on cells without two colours, the solution is the same and iterations are still few.
func TestSolvesWithoutColours(t *testing.T) {
	for name, p := range map[string]*problem{"box": grid(box(32, 24, 32), top(24)), "mixed": grid(mixed(24), top(24))} {
		b := p.smooth()
		want, x := make([]float64, len(b)), make([]float64, len(b))
		if _, err := p.solver(t, nil, 1).Solve(want, b, Options{Tol: 1e-9}); err != nil {
			t.Fatal(err)
		}
		s := p.solver(t, nil, 1)
		clear(p.m.Red)
		rep, err := s.Solve(x, b, Options{Tol: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		off, size := 0., 0.
		for i := range x {
			off, size = max(off, math.Abs(x[i]-want[i])), max(size, math.Abs(want[i]))
		}
		if off > 1e-6*size {
			t.Errorf("%s: the solution differs by %g of %g", name, off, size)
		}
		clear(x)
		if rep, err = s.Solve(x, b, Options{Tol: 1e-6}); err != nil || rep.Iterations > 20 {
			t.Errorf("%s: %d iterations to 1e-6: %v", name, rep.Iterations, err)
		}
		t.Logf("%s: %d unknowns, %d iterations", name, len(x), rep.Iterations)
	}
}

// The preconditioner is symmetric and positive definite there too.
func TestPreconditionerWithoutColours(t *testing.T) {
	p := grid(box(13, 11, 12), top(11))
	n := len(p.cells)
	s := p.solver(t, nil, 1).Solver
	clear(p.m.Red)
	opt := Options{}
	s.begin(System{L: &p.m, Levels: p.levels}, make([]float64, n), make([]float64, n), &opt)
	s.setup()
	s.resizeVectors()
	apply := func(r []float64) []float64 { // r: a residual by unknown
		f := &s.fine
		for i, u := range f.unknown {
			f.b[u.place] = float32(r[i]*s.unit) * f.inv[u.place]
		}
		s.precondition()
		z := make([]float64, n)
		for i, u := range f.unknown {
			z[i] = float64(f.y[u.place])
		}
		return z
	}
	all := noise(4 * n)
	for k := range 3 {
		r, q := all[k*n:][:n], all[(k+1)*n:][:n]
		zr, zq := apply(r), apply(q)
		a, b, positive := dot(r, zq), dot(q, zr), dot(r, zr)
		if !(positive > 0) {
			t.Errorf("r·Br is %g", positive)
		}
		if scale := math.Sqrt(positive * dot(q, zq)); !(math.Abs(a-b) < 1e-5*scale) {
			t.Errorf("r·Bq is %g and q·Br %g, of %g", a, b, scale)
		}
	}
}
