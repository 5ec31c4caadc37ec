package surface

import (
	"flag"
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"
)

// go test -run 'Enright|Zalesak' -v -edge 100 -trackers ./fluid/internal/surface
var allTrackers = flag.Bool("trackers", false, "compare all trackers in the Zalesak and Enright tests")

var edgeCells = flag.Int("edge", 56, "cells along the box of the Zalesak and Enright tests; a multiple of 8")

// enright is Enright's deformation at time t, x in [0, 1]³. LeVeque 1996 §9.5; validation.md V13.
func enright(t float64) func(r3.Vec) r3.Vec {
	a := math.Cos(math.Pi * t / 3)
	return func(x r3.Vec) r3.Vec {
		sx, sy, sz := math.Sin(math.Pi*x.X), math.Sin(math.Pi*x.Y), math.Sin(math.Pi*x.Z)
		dx, dy, dz := math.Sin(2*math.Pi*x.X), math.Sin(2*math.Pi*x.Y), math.Sin(2*math.Pi*x.Z)
		return r3.Vec{X: 2 * a * sx * sx * dy * dz, Y: -a * dx * sy * sy * dz, Z: -a * dx * dy * sz * sz}
	}
}

// zalesak is the distance of the slotted sphere of validation.md V12, in units of the box of 100.
func zalesak(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		p = r3.Scale(100, p)
		ball := r3.Norm(r3.Sub(p, r3.Vec{X: 50, Y: 75, Z: 50})) - 15
		slot := math.Max(math.Abs(p.X-50)-2.5, p.Y-72.5)
		dst[i] = float32(.01 * math.Max(ball, -slot))
	}
}

// rotationResult is what a tracker is judged by.
type rotationResult struct {
	volume, l1 float64 // relative; l1 is ∫|H - H0| over the volume
	nsPerCell  float64 // of Advance, per cell in the band
}

func runRotation(t *testing.T, q *trial, f func([]float32, []r3.Vec), steps int, dt float64, u func(float64) func(r3.Vec) r3.Vec, steady bool) rotationResult {
	q.s.Set(f)
	q.s.Publish()
	start := make([]float32, q.g.Cells())
	v0 := q.fractions(start)
	cells, spent := 0, time.Duration(0)
	q.flow(u(dt / 2))
	for i := range steps {
		if !steady {
			q.flow(u((float64(i) + .5) * dt))
		}
		began := time.Now()
		q.s.Advance(q.v, dt)
		spent += time.Since(began)
		q.s.Publish()
		for b, l := range q.g.Cur.Level {
			first := q.g.Cur.First[b]
			for _, v := range q.s.Phi[first : first+1<<(3*l)] {
				if abs32(v) < .999*q.s.limit(l) {
					cells++
				}
			}
		}
	}
	end := make([]float32, q.g.Cells())
	v1 := q.fractions(end)
	l1 := 0.
	h := q.g.CellSize(3)
	for i := range end {
		l1 += math.Abs(float64(end[i] - start[i]))
	}
	return rotationResult{v1/v0 - 1, l1 * h * h * h / v0, float64(spent.Nanoseconds()) / float64(cells)}
}

func (r rotationResult) String() string {
	return fmt.Sprintf("volume %+.2f %%, L1 %.2f %%, %.0f ns per band cell", 100*r.volume, 100*r.l1, r.nsPerCell)
}

// variants are the trackers compared.
var variants = []struct {
	name     string
	perCell  int
	twoSided bool
}{
	{"bare", 0, false},
	{"markers", 4, false},
	{"two-sided", 4, true},
	{"8", 8, false},
	{"8two-sided", 8, true},
}

func TestEnright(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			if !*allTrackers && v.name != "markers" {
				t.Skip("without -trackers")
			}
			n := *edgeCells
			q := newTrial(t, [3]int{n / 8, n / 8, n / 8}, 1/float64(n), 3, 1)
			q.s.Markers.PerCell, q.s.Markers.TwoSided = v.perCell, v.twoSided
			r := runRotation(t, q, ball(r3.Vec{X: .35, Y: .35, Z: .35}, .15), 3*n, 1/float64(n), enright, false)
			t.Log(n, r, "markers", q.s.Markers.Len(), "droplets", q.s.Markers.Droplets.Len())
			if v.name == "markers" && n == 56 && (math.Abs(r.volume) > .08 || r.l1 > .16) {
				t.Error("worse than what was reached before: -3.4 %, L1 12.5 %")
			}
		})
	}
}

func TestZalesak(t *testing.T) {
	spin := func(float64) func(r3.Vec) r3.Vec {
		return func(x r3.Vec) r3.Vec {
			return r3.Vec{X: math.Pi / 3.14 * (.5 - x.Y), Y: math.Pi / 3.14 * (x.X - .5)}
		}
	}
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			if !*allTrackers && v.name != "markers" {
				t.Skip("without -trackers")
			}
			n := *edgeCells
			q := newTrial(t, [3]int{n / 8, n / 8, n / 8}, 1/float64(n), 3, 1)
			q.s.Markers.PerCell, q.s.Markers.TwoSided = v.perCell, v.twoSided
			steps := 628 * n / 100
			r := runRotation(t, q, zalesak, steps, 6.28/float64(steps), spin, true)
			t.Log(n, r, "markers", q.s.Markers.Len())
			if v.name == "markers" && n == 56 && (math.Abs(r.volume) > .08 || r.l1 > .2) {
				t.Error("worse than what was reached before: +6.9 %, L1 14.5 %")
			}
		})
	}
}
