package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Liquid that sleeps is a wall to the other, at the same pressure: that stays still, and presses no more on it than before. A wave does.
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
		weight := [3]float64{density * gravity.X, density * gravity.Y, density * gravity.Z}
		for row, v := range r.d.Vertex() {
			pressure[v] = again[row] / dt
		}
		if r.d.Pressed(0, pressure, weight, 1) {
			t.Errorf("layout %d: still liquid presses", seed)
		}
		for _, v := range r.d.Vertex() {
			pressure[v] += 1000 * r.l.Position[v][1]
		}
		if !r.d.Pressed(0, pressure, weight, 1) {
			t.Errorf("layout %d: a wave does not press", seed)
		}
	}
}

// What rows stand for is all that cells hold, wherever there is a row.
func TestRowsStandForWhatCellsHold(t *testing.T) {
	dim := [3]int{2, 2, 2}
	for seed := range uint64(3) {
		r := newRig(t, 1, dim, .1, [3]float64{}, randomLevels(dim, seed), [3]float64{}, [3]float64{})
		r.surface(plane(r3.Vec{X: .8, Y: .83, Z: .8}, up))
		r.fill(nil)
		held := map[int32]float64{}
		total := 0.
		for v, c := range r.l.Cell {
			if c >= 0 && r.d.Row[v] >= 0 {
				held[c] = 1 + math.Sin(float64(c))
				total += held[c]
			}
		}
		dst, sum := make([]float64, r.g.Rows), 0.
		for b := range int32(r.grid.Bases()) {
			part := dst[r.g.Parts[b].Row:r.g.Parts[b+1].Row]
			r.d.WriteHeld(part, b, func(c int32) float64 { return held[c] })
			for _, x := range part {
				sum += x
			}
		}
		if math.Abs(sum-total) > 1e-9*total {
			t.Errorf("layout %d: rows stand for %g of %g", seed, sum, total)
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
