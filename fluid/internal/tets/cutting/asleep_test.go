package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Liquid that sleeps is a wall to the other, which stays still at the pressure that it had.
func TestSleepingLiquidIsAWall(t *testing.T) {
	dim := [3]int{3, 2, 2}
	for seed := range uint64(3) {
		r := newRig(t, 1, dim, .1, [3]float64{}, randomLevels(dim, seed), [3]float64{}, [3]float64{})
		r.surface(plane(r3.Vec{X: 1.2, Y: .83, Z: .8}, up))
		r.fill(nil)
		r.fall()
		pi, _ := r.solve(nil, strict)
		pressure := make([]float64, r.l.Vertices())
		for row, v := range r.d.Vertex() {
			pressure[v] = pi[row] / dt
		}
		all := r.g.Rows
		for b := range r.d.Asleep {
			r.d.Asleep[b] = b%3 == 0
		}
		r.fill(nil)
		if r.g.Rows == 0 || r.g.Rows > all*97/100 {
			t.Fatalf("layout %d: %d of %d rows are awake", seed, r.g.Rows, all)
		}
		for row, v := range r.d.Vertex() {
			if r.d.Row[v] != int32(row) || v < r.l.VertexRuns[1] {
				t.Fatalf("layout %d: row %d is vertex %d", seed, row, v)
			}
		}
		r.fall()
		again, _ := r.solve(nil, strict)
		r.stands()
		for row, v := range r.d.Vertex() {
			if off := again[row]/dt - pressure[v]; math.Abs(off) > 1e-6 {
				t.Fatalf("layout %d: the pressure at vertex %d is %g Pa more than when all was awake", seed, v, off)
			}
		}
	}
}

// A layout that is fine at the surface alone takes multigrid few iterations.
func TestIterationsOnGradedLattices(t *testing.T) {
	dim := [3]int{4, 4, 4}
	if testing.Short() {
		dim = [3]int{3, 3, 3}
	}
	levels := uniform(dim, 1)
	for i := range levels {
		if y := i / dim[0] % dim[1]; y == dim[1]-2 {
			levels[i] = 3
		} else if y >= dim[1]-3 {
			levels[i] = 2
		}
	}
	r := newRig(t, 2, dim, 1./24, [3]float64{}, levels, [3]float64{}, [3]float64{})
	size := float64(8*dim[0]) / 24
	for _, name := range []string{"full", "surface"} {
		r.surface(func(x r3.Vec) float64 { return x.Y - .6*size - .05*math.Sin(6*x.X) - .03*math.Cos(9*x.Z) })
		if name == "full" {
			r.surface(nil)
		}
		r.fill(nil)
		for f := range r.g.U {
			x := r.g.FaceCentre(f)
			r.g.U[f] = math.Sin(5*x[0]+3*x[1]) * math.Cos(4*x[2]) * r.g.Normals[f][0]
		}
		r.fall()
		opt := strict
		opt.Tolerance = 1e-6
		_, rep := r.solve(nil, opt)
		t.Logf("%s: %d rows, %d levels, %d iterations", name, r.g.Rows, len(r.g.Levels)+1, rep.Iterations)
		if !(rep.Residual <= 1e-6) || rep.Iterations > 20 {
			t.Errorf("%s: %d iterations to %g for %d rows", name, rep.Iterations, rep.Residual, r.g.Rows)
		}
	}
}
