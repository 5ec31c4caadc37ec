//go:build unix

package contour

import (
	"syscall"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"gonum.org/v1/gonum/spatial/r3"
)

// swirl is as cheap as a velocity can be, so that what is measured is the tracker's.
func swirl(dst, at []r3.Vec) {
	for i, p := range at {
		dst[i] = r3.Vec{X: .5 - p.Y, Y: p.X - .5, Z: .3 * (p.X - p.Y)}
	}
}

// cpu is the processor time so far.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// go test -run ^$ -bench . ./fluid/internal/contour: million triangles per second of processor time of each stage, one worker.
func BenchmarkStages(b *testing.B) {
	pool := par.New(1)
	defer pool.Close()
	g := grid.New([3]float64{}, 1./64, [3]int{8, 8, 8}, grid.MaxLevel)
	c := New(g, pool, 2)
	c.Set(ball(r3.Vec{X: .5, Y: .55, Z: .5}, .3))
	c.Settle()
	rate := func(b *testing.B, name string, spent time.Duration) {
		b.ReportMetric(float64(c.Triangles())*float64(b.N)/spent.Seconds()/1e6, name+"_Mtri/s")
	}
	b.Run("Advance", func(b *testing.B) {
		b.ReportAllocs()
		begun := cpu()
		for range b.N {
			c.Advance(swirl, .01)
		}
		rate(b, "advance", cpu()-begun)
		start := cpu()
		for range b.N {
			for _, t := range c.now.tiles[c.now.active:] {
				c.now.slot[t.base] = none
			}
			c.now.tiles = c.now.tiles[:c.now.active]
			c.now.finish()
		}
		rate(b, "contour", cpu()-start)
	})
	b.Run("Distance", func(b *testing.B) {
		b.ReportAllocs()
		begun := cpu()
		for range b.N {
			c.propagate()
		}
		rate(b, "propagate", cpu()-begun)
	})
	b.Run("Mesh", func(b *testing.B) {
		begun := cpu()
		for range b.N {
			c.Mesh()
		}
		rate(b, "mesh", cpu()-begun)
	})
	b.Run("Volume", func(b *testing.B) {
		begun := cpu()
		for range b.N {
			c.Volume()
		}
		rate(b, "volume", cpu()-begun)
	})
}
