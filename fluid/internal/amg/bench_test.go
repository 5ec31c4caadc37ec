package amg

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

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

// BenchmarkMethods makes the table of the package's comment: each method on a graded ball of 206k tetrahedra, on one worker.
func BenchmarkMethods(b *testing.B) {
	l := newBall(2.12, true)
	tets, _ := l.byTets()
	p := unlevelled(tets, true)
	rhs, x := p.rightSide(), make([]float64, len(p.m.Diag))
	none := make([]float64, len(x)) // nothing is left to iterate
	pool := par.New(1)
	defer pool.Close()
	for _, method := range methods() {
		b.Run(strings.ReplaceAll(method.String(), ", ", "/"), func(b *testing.B) {
			s, opt := New(pool), Options{Tol: 1e-6, MaxIter: 400, Method: method}
			var rep Report
			least, setup := time.Hour, time.Hour
			for b.Loop() {
				clear(x)
				start := time.Now()
				var err error
				if rep, err = s.Solve(System{L: &p.m}, x, rhs, opt); err != nil {
					b.Fatal(err)
				}
				least = min(least, time.Since(start))
				start = time.Now()
				if _, err = s.Solve(System{L: &p.m}, x, none, opt); err != nil {
					b.Fatal(err)
				}
				setup = min(setup, time.Since(start))
			}
			perUnknown := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(len(x)) }
			b.ReportMetric(perUnknown(setup), "set-up-ns/unknown")
			b.ReportMetric(perUnknown(least-setup), "solve-ns/unknown")
			b.ReportMetric(float64(rep.Iterations), "iterations")
			b.ReportMetric(s.complexity(p), "complexity")
			b.ReportMetric(s.reduction(p, method), "factor")
		})
	}
}

// complexity returns the entries of all levels' matrices over those of L.
func (s *Solver) complexity(p *problem) float64 {
	own := len(p.m.Diag)
	for i := range p.m.Part {
		own += len(p.m.Part[i].Col)
	}
	all := own
	for k, l := range s.level[:s.depth] {
		if k == 0 && s.kind == onAll {
			continue // L itself
		}
		all += l.n
		for i := range l.part[:par.Chunks(l.n, grain)] {
			all += len(l.part[i].col)
		}
	}
	return float64(all) / float64(own)
}

// reduction returns by how much one cycle, repeated, comes to reduce the error.
func (s *Solver) reduction(p *problem, method Method) float64 {
	n := len(p.m.Diag)
	s.begin(System{L: &p.m}, make([]float64, n), make([]float64, n), &Options{Method: method})
	s.setup()
	s.resizeVectors()
	f := &s.fine
	e := make([]float32, len(f.y))
	for i, v := range noise(len(e)) {
		e[i] = float32(v)
	}
	before, now := 0., 0.
	for range 30 {
		for i := range f.zone[:f.zones] {
			z := &f.zone[i]
			copy(f.y[z.begin:z.black], e[z.begin:z.black])
		}
		s.overZones((*Solver).solveRedZone)
		s.overZones((*Solver).productZone)
		for i := range f.zone[:f.zones] {
			z := &f.zone[i]
			copy(f.b[z.begin:z.black], s.w[z.begin:z.black])
		}
		s.vcycle()
		before, now = now, 0
		for i := range f.zone[:f.zones] {
			for k := f.zone[i].begin; k < f.zone[i].black; k++ {
				e[k] -= f.y[k]
				now += float64(e[k]) * float64(e[k])
			}
		}
	}
	return math.Sqrt(now / before)
}
