//go:build unix

package bcc

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

func BenchmarkBuild(b *testing.B) {
	layouts := []struct {
		name string
		g    *layout.Grid
	}{{"uniform", laid([3]int{5, 5, 5}, slices.Repeat([]uint8{3}, 125))}, {"pond", pond(10)}, {"puddle", coarser(pond(6))}}
	for _, workers := range []int{1, 2} {
		pool := par.New(workers)
		for _, on := range layouts {
			b.Run(fmt.Sprintf("%s/%d", on.name, workers), func(b *testing.B) {
				l := &Lattice{}
				l.Build(on.g, &on.g.Cur, pool)
				least, processor := time.Hour, processorTime()
				for b.Loop() {
					l.afresh = true
					start := time.Now()
					l.Build(on.g, &on.g.Cur, pool)
					least = min(least, time.Since(start))
				}
				b.ReportMetric(float64(least.Nanoseconds())/float64(l.Tets()), "least-ns/tet")
				b.ReportMetric(float64(processorTime()-processor)/float64(b.N*l.Tets()), "cpu-ns/tet")
				b.ReportMetric(float64(l.Tets()), "tets")
			})
		}
		pool.Close()
	}
}

// processorTime is what the process has used so far, ns.
func processorTime() int64 {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return use.Utime.Nano() + use.Stime.Nano()
}

// coarser is a layout one level coarser.
func coarser(g *layout.Grid) *layout.Grid {
	levels := slices.Clone(g.Cur.Level)
	for b := range levels {
		levels[b] = max(levels[b], 1) - 1
	}
	g.Lay(levels)
	return g
}

// points are random ones near the middles of edges that follow each other, here and there, as traces from all edges ask for them.
func points(l *Lattice) (at [1024][3]float64) {
	r := rand.New(rand.NewPCG(5, 7))
	e := 0
	for i := range at {
		if e++; i%32 == 0 {
			e = r.IntN(l.Edges() - 32)
		}
		for a, x := range l.Middle[e] {
			at[i][a] = x + (r.Float64()-.5)*l.Dist[e]
		}
	}
	return at
}

func BenchmarkLocate(b *testing.B) {
	_, l := graded([3]int{4, 4, 4}, 4)
	at := points(l)
	i, processor := 0, processorTime()
	for b.Loop() {
		l.Locate(at[i&1023])
		i++
	}
	b.ReportMetric(float64(processorTime()-processor)/float64(b.N), "cpu-ns/op")
}

func BenchmarkVoronoi(b *testing.B) {
	for name, g := range map[string]*layout.Grid{"graded": pond(6), "uniform": laid([3]int{4, 4, 4}, slices.Repeat([]uint8{3}, 64))} {
		b.Run(name, func(b *testing.B) {
			l, s := &Lattice{}, &Weights{}
			l.Build(g, &g.Cur, par.New(1))
			at := points(l)
			i, found, processor := 0, 0, processorTime()
			for b.Loop() {
				if l.Voronoi(at[i&1023], s) {
					found++
				}
				i++
			}
			b.ReportMetric(float64(found)/float64(i), "found/op")
			b.ReportMetric(float64(processorTime()-processor)/float64(b.N), "cpu-ns/op")
		})
	}
}
