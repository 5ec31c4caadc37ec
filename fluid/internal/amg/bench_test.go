package amg

import (
	"fmt"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

func BenchmarkSolve64Half(b *testing.B) {
	for _, n := range []int{32, 40, 64} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) { benchSolve(b, n) })
	}
}

func benchSolve(b *testing.B, n int) {
	p := grid(box(n, n/2, n), top(n/2))
	rhs, x := p.smooth(), make([]float64, len(p.cells))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			pool := par.New(workers)
			defer pool.Close()
			s := New(pool)
			its := 0
			for b.Loop() {
				clear(x)
				rep, err := s.Solve(System{L: &p.m, Levels: p.levels}, x, rhs, Options{Tol: 1e-3})
				if err != nil {
					b.Fatal(err)
				}
				its = rep.Iterations
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x))/1e3, "µs/unknown")
			b.ReportMetric(float64(its), "iterations")
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
