//go:build unix

package contour

import (
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
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
	g := layout.New([3]float64{}, 1./64, [3]int{8, 8, 8}, layout.MaxLevel)
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

// pool is waves on liquid that fills a box half, with finer cells towards one of its corners: about half of the blocks are beside some of other levels.
func pool(b *testing.B) *Contour {
	workers := par.New(1)
	b.Cleanup(workers.Close)
	g := layout.New([3]float64{}, .1, [3]int{10, 4, 10}, layout.MaxLevel)
	levels := make([]uint8, g.Bases())
	for i := range levels {
		at := g.BaseCoords(int32(i))
		levels[i] = uint8(max(0, min(layout.MaxLevel, 5-(at[0]+at[2])/3)))
	}
	g.Lay(levels)
	c := New(g, workers, 2)
	c.Band, c.Fairing = 8, .1
	c.Set(func(dst []float32, at []r3.Vec) {
		for i, p := range at {
			dst[i] = float32(.9 * (p.Y - 1.6 - .1*math.Sin(3*p.X)*math.Cos(2*p.Z)))
		}
	})
	c.Settle()
	return c
}

// A step where levels differ: what each costs in processor time, one worker.
func BenchmarkMixedLevels(b *testing.B) {
	c := pool(b)
	at, d := c.metres(0, 0, 0), make([]float32, 0)
	var pts []r3.Vec
	for x := .05; x < 8; x += .2 {
		for z := .05; z < 8; z += .2 {
			for y := 1.; y < 2.2; y += .1 {
				pts = append(pts, r3.Add(at, r3.Vec{X: x, Y: y, Z: z}))
			}
		}
	}
	d = make([]float32, len(pts))
	spent := func(b *testing.B, name string, begun time.Duration) {
		b.ReportMetric((cpu()-begun).Seconds()*1e3/float64(b.N), name+"_ms")
		b.ReportMetric(float64(c.Triangles())/1e3, "ktri")
	}
	b.Run("Advance", func(b *testing.B) {
		begun := cpu()
		for range b.N {
			c.Advance(swirl, .002)
		}
		spent(b, "advance", begun)
	})
	b.Run("Distance", func(b *testing.B) {
		begun := cpu()
		for range b.N {
			c.now.ready = false
			c.Distance(d, pts)
		}
		spent(b, "distance", begun)
	})
	b.Run("Change", func(b *testing.B) {
		var boxes []r3.Box
		for base := range c.g.Bases() {
			lo := reproducible.Vector(c.g.Corner(int32(base)))
			boxes = append(boxes, r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: .8, Y: .8, Z: .8})})
		}
		begun := cpu()
		for range b.N {
			c.Change(boxes, func(r3.Vec) bool { return false }, func(dst []float32, at []r3.Vec) {
				for i := range dst {
					dst[i] += 1e-4
				}
			})
			c.Revert()
		}
		spent(b, "change", begun)
	})
}
