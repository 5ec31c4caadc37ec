package amg

import (
	"fmt"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// BenchmarkSolve64Half solves from zero, with its set-up or with the one of the solve before.
func BenchmarkSolve64Half(b *testing.B) {
	for _, c := range []struct {
		n     int
		tol   float64
		again bool
	}{{32, 1e-3, false}, {40, 1e-3, false}, {64, 1e-3, false}, {64, 1e-3, true}, {64, 1e-4, false}} {
		b.Run(fmt.Sprintf("n=%d/tol=%g/again=%v", c.n, c.tol, c.again), func(b *testing.B) { benchSolve(b, c.n, c.tol, c.again) })
	}
}

func benchSolve(b *testing.B, n int, tol float64, again bool) {
	p := grid(box(n, n/2, n), top(n/2))
	rhs, x := p.smooth(), make([]float64, len(p.cells))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			pool := par.New(workers)
			defer pool.Close()
			s := New(pool)
			solve := func(again bool) Report {
				clear(x)
				rep, err := s.Solve(System{L: &p.m, Levels: p.levels, Again: again}, x, rhs, Options{Tol: tol})
				if err != nil {
					b.Fatal(err)
				}
				return rep
			}
			rep := solve(false)
			for b.Loop() {
				rep = solve(again)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x))/1e3, "µs/unknown")
			b.ReportMetric(float64(rep.Iterations), "iterations")
			b.ReportMetric(rep.Residual, "residual")
		})
	}
}

func BenchmarkSetup64Half(b *testing.B) {
	p := grid(box(64, 32, 64), top(32))
	rhs := make([]float64, len(p.cells)) // zero: nothing is left to iterate
	x := make([]float64, len(p.cells))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			pool := par.New(workers)
			defer pool.Close()
			s := New(pool)
			for b.Loop() {
				if _, err := s.Solve(System{L: &p.m, Levels: p.levels}, x, rhs, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(p.cells))/1e3, "µs/unknown")
		})
	}
}
