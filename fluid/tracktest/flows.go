package tracktest

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// scenario is a shape in the unit cube and a flow that returns it to its start.
type scenario struct {
	shape    func(dst []float32, pts []r3.Vec)
	velocity func(x r3.Vec, t float64) r3.Vec // m/s
	onFaces  func(x r3.Vec, t float64) r3.Vec // the same, faster, for the faces of a number of cells, from one goroutine
	fastest  float64                          // m/s
	seconds  float64
	steps    int // of the level set
	perCell  int // markers per cell
}

func zalesak(cells int) scenario {
	return scenario{
		shape: func(dst []float32, pts []r3.Vec) {
			for i, p := range pts {
				ball := r3.Norm(r3.Sub(p, r3.Vec{X: .5, Y: .75, Z: .5})) - .15
				slot := math.Max(math.Abs(p.X-.5)-.025, p.Y-.725)
				dst[i] = float32(math.Max(ball, -slot))
			}
		},
		velocity: turn, onFaces: turn,
		fastest: .8 * math.Pi, seconds: 1, steps: 628 * cells / 100, perCell: markersPerCell,
	}
}

func enright(cells int) scenario {
	return scenario{
		shape: func(dst []float32, pts []r3.Vec) {
			for i, p := range pts {
				dst[i] = float32(r3.Norm(r3.Sub(p, r3.Vec{X: .35, Y: .35, Z: .35})) - .15)
			}
		},
		velocity: sheet(func(x float64) (one, two float64) { return math.Sin(math.Pi * x), math.Sin(2 * math.Pi * x) }),
		onFaces:  sheet(tabulated(cells)),
		fastest:  2, seconds: 3, steps: 3 * cells, perCell: markersPerCell,
	}
}

// stepsFor returns the number of steps in which the fastest point moves by at most way, m.
func stepsFor(k scenario, way float64) int { return int(math.Ceil(k.seconds * k.fastest / way)) }

// turn returns the velocity of one turn per second about the cube's middle, m/s.
func turn(x r3.Vec, _ float64) r3.Vec {
	return r3.Vec{X: 2 * math.Pi * (.5 - x.Y), Y: 2 * math.Pi * (x.X - .5)}
}

// sheet returns the flow that stretches a ball to a sheet and back. sines returns the sines of π and of 2π times a coordinate.
func sheet(sines func(x float64) (one, two float64)) func(x r3.Vec, t float64) r3.Vec {
	return func(x r3.Vec, t float64) r3.Vec {
		a := math.Cos(math.Pi * t / 3)
		sx, dx := sines(x.X)
		sy, dy := sines(x.Y)
		sz, dz := sines(x.Z)
		return r3.Vec{X: 2 * a * sx * sx * dy * dz, Y: -a * dx * sy * sy * dz, Z: -a * dx * dy * sz * sz}
	}
}

// tabulated returns a function for the sines that caches them for the coordinates of cells' faces and centres.
func tabulated(cells int) func(x float64) (one, two float64) {
	type entry struct{ x, one, two float64 }
	table := make([]entry, 2*cells+1)
	return func(x float64) (one, two float64) {
		e := &table[max(0, min(2*cells, int(x*float64(2*cells)+.5)))]
		if *e == (entry{}) || e.x != x {
			*e = entry{x, math.Sin(math.Pi * x), math.Sin(2 * math.Pi * x)}
		}
		return e.one, e.two
	}
}

// markersPerCell is the level set's default.
const markersPerCell = 4
