// Package tracktest measures what the surface trackers make of flows that are given and bring the surface back.
package tracktest

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/surface"
)

// Result compares a surface with what a prescribed flow makes of it, there and back.
type Result struct {
	Volume float64 // of what it was
	L1     float64 // volume that is liquid before or after but not both, of what it was
}

// tracking is a shape in the unit cube and a flow that brings it back.
type tracking struct {
	shape    func(dst []float32, pts []r3.Vec)
	velocity func(x r3.Vec, t float64) r3.Vec
	seconds  float64
	steps    int
	perCell  int // markers
}

// Zalesak turns a slotted sphere once around, on so many cells along the cube, a multiple of 8.
//
// Source: Zalesak 1979; in three dimensions Enright et al. 2002.
func Zalesak(cells int) Result { return zalesak(cells).track(cells) }

// Enright pulls a sphere to a thin sheet and back within 3 s, on so many cells along the cube, a multiple of 8.
//
// Source: LeVeque 1996 §9.5; Enright et al. 2002.
func Enright(cells int) Result { return enright(cells).track(cells) }

func zalesak(cells int) tracking {
	return tracking{
		shape: func(dst []float32, pts []r3.Vec) {
			for i, p := range pts {
				ball := r3.Norm(r3.Sub(p, r3.Vec{X: .5, Y: .75, Z: .5})) - .15
				slot := math.Max(math.Abs(p.X-.5)-.025, p.Y-.725)
				dst[i] = float32(math.Max(ball, -slot))
			}
		},
		velocity: func(x r3.Vec, _ float64) r3.Vec {
			return r3.Vec{X: 2 * math.Pi * (.5 - x.Y), Y: 2 * math.Pi * (x.X - .5)}
		},
		seconds: 1, steps: 628 * cells / 100, perCell: markersPerCell,
	}
}

func enright(cells int) tracking {
	return tracking{
		shape: func(dst []float32, pts []r3.Vec) {
			for i, p := range pts {
				dst[i] = float32(r3.Norm(r3.Sub(p, r3.Vec{X: .35, Y: .35, Z: .35})) - .15)
			}
		},
		velocity: func(x r3.Vec, t float64) r3.Vec {
			a := math.Cos(math.Pi * t / 3)
			sx, sy, sz := math.Sin(math.Pi*x.X), math.Sin(math.Pi*x.Y), math.Sin(math.Pi*x.Z)
			dx, dy, dz := math.Sin(2*math.Pi*x.X), math.Sin(2*math.Pi*x.Y), math.Sin(2*math.Pi*x.Z)
			return r3.Vec{X: 2 * a * sx * sx * dy * dz, Y: -a * dx * sy * sy * dz, Z: -a * dx * dy * sz * sz}
		},
		seconds: 3, steps: 3 * cells, perCell: markersPerCell,
	}
}

// markersPerCell is the level set's own.
const markersPerCell = 4

// track carries the shape and compares.
func (k tracking) track(cells int) Result {
	n := cells / grid.Edge
	g, pool := grid.New([3]float64{}, 1/float64(cells), [3]int{n, n, n}, grid.MaxLevel), par.New(1)
	defer pool.Close()
	var faces [3][]float32
	for a := range faces {
		faces[a] = make([]float32, g.Cells())
	}
	velocity, set := grid.NewVelocity(g), surface.NewLevelSet(g, pool)
	set.Markers.PerCell = k.perCell
	set.Set(k.shape)
	set.Publish()
	start, end := make([]float32, g.Cells()), make([]float32, g.Cells())
	before, dt := fractions(g, set, start), k.seconds/float64(k.steps)
	for i := range k.steps {
		for b := range int32(g.Bases()) {
			for a := range faces {
				g.EachFace(b, a, func(slot int32, x [3]float64) {
					v := k.velocity(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, (float64(i)+.5)*dt)
					faces[a][slot] = float32([3]float64{v.X, v.Y, v.Z}[a])
				})
			}
		}
		velocity.Gather(pool, &faces)
		set.Advance(velocity, dt)
		set.Publish()
	}
	out := Result{Volume: fractions(g, set, end) / before}
	for c := range end {
		out.L1 += math.Abs(float64(end[c]-start[c])) / before
	}
	return out
}

// fractions writes the liquid fraction of all cells and returns their sum.
func fractions(g *grid.Grid, set *surface.LevelSet, dst []float32) (sum float64) {
	for b, l := range g.Cur.Level {
		block := dst[g.Cur.First[b]:][:1<<(3*l)]
		set.Fraction(0, int32(b), block)
		for _, f := range block {
			sum += float64(f)
		}
	}
	return sum
}
