package topology

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Scene is a run that is known by what it comes to.
type Scene struct {
	Name string
	// Seconds is how long it goes, s.
	Seconds float64
	// Euler are the Euler characteristics that it goes through, one after the other, and Pieces how many pieces there are with each.
	Euler, Pieces []int
	// Begin makes its run with edges of a length, m.
	Begin func(edge float64) *Run
}

// Scenes are all scenes: those of Brochu 2006, Figures 6.1 to 6.3, with the genus going down again, a sheet that tears, a bubble that pops, two balls that must not merge and
// a skin that is folded.
var Scenes = []Scene{
	{"merge", 1.6, []int{4, 2}, []int{2, 1}, merge},
	{"separate", 2, []int{2, 4}, []int{1, 2}, separate},
	{"genus", 3, []int{2, 0, 2}, []int{1, 1, 1}, genus},
	{"tear", 1.5, []int{2, 0}, []int{1, 1}, tear},
	{"pop", 2, []int{4, 2}, []int{2, 1}, pop},
	{"apart", 3, []int{4}, []int{2}, apart},
	{"fold", 1.9, []int{2}, []int{1}, fold},
}

// merge: two balls of different size come together, and become one.
func merge(edge float64) *Run {
	r := NewRun(edge, Ball(.6, edge).Moved(r3.Vec{X: -.8}), Ball(.45, edge).Moved(r3.Vec{X: .65, Y: .15}))
	r.Mobility, r.Fastest, r.Flow = .2, .5, approach
	r.Steer = func(r *Run) {
		if len(r.Pieces.Piece) == 1 {
			r.Flow = nil
		}
	}
	return r
}

// approach is a flow of each piece towards the plane x = 0.
func approach(r *Run, dst, _ []r3.Vec, _ float64) {
	for v := range dst {
		dst[v].X = -math.Copysign(r.Fastest, r.PieceOf(v).Middle.X)
	}
}

// separate: a dumbbell is pulled out until its waist breaks.
func separate(edge float64) *Run {
	r := NewRun(edge, Dumbbell(1.4, .55, .3, edge))
	r.Mobility, r.Fastest, r.Flow = .1, .6, pull
	return r
}

// pull is a flow without divergence along x to both sides.
func pull(r *Run, dst, at []r3.Vec, _ float64) {
	for v, x := range at {
		f := 1 / (.25 + float64(x.X*x.X))
		root := math.Sqrt(f)
		slope := .25 * f * root // of x √f
		dst[v] = reproducible.Scale(r.Fastest, r3.Vec{X: x.X * root, Y: -slope / 2 * x.Y, Z: -slope / 2 * x.Z})
	}
}

// press is a flow without divergence from both ends of the z axis to the plane z = 0 and outwards, within .5 m of the axis.
func press(_ *Run, dst, at []r3.Vec, _ float64) {
	const rate, radius = 3, .5
	for v, x := range at {
		s := float64((float64(x.X*x.X) + float64(x.Y*x.Y)) / (radius * radius))
		f := rate * (1 - reproducible.Decay(s))
		dst[v] = r3.Vec{X: f / 2 * x.X, Y: f / 2 * x.Y, Z: -f * (1 - s) * x.Z}
	}
}

// genus: a ball that is pressed in from both ends becomes a torus, which tension makes a ball again.
func genus(edge float64) *Run {
	r := NewRun(edge, Ball(.8, edge))
	r.pressUntil(0, .1)
	return r
}

// tear: a sheet that is pressed thin gets a hole, and draws back from it.
func tear(edge float64) *Run {
	r := NewRun(edge, Block(r3.Vec{X: 2.4, Y: 2.4, Z: .3}, edge))
	r.pressUntil(0, .05)
	return r
}

// pressUntil has a run pressed against the plane z = 0 until its Euler characteristic is so low, and widened a little more. Then there is tension.
func (r *Run) pressUntil(euler int, mobility float64) {
	r.Mobility, r.Fastest, r.Flow = .01, 2, press
	ends := math.Inf(1)
	r.Steer = func(r *Run) {
		if r.Euler() <= euler {
			ends = min(ends, r.Time+.2)
		}
		if r.Time >= ends {
			r.Mobility, r.Flow = mobility, nil
		}
	}
}

// pop: a cavity rises in a ball until it opens, and the dent that is left fills up.
func pop(edge float64) *Run {
	r := NewRun(edge, Ball(.9, edge), Ball(.4, edge).Cavity())
	r.Mobility, r.Fastest = .1, .5
	r.Flow = func(r *Run, dst, at []r3.Vec, _ float64) {
		for v := range dst {
			if r.PieceOf(v).Volume < 0 {
				dst[v].Y = r.Fastest
			}
		}
	}
	return r
}

// apart: two balls of different labels are pressed together until 2 s, and stay apart.
func apart(edge float64) *Run {
	r := NewRun(edge, Ball(.6, edge).Moved(r3.Vec{X: -.8}).Labelled(1), Ball(.5, edge).Moved(r3.Vec{X: .7, Y: .1}).Labelled(2))
	r.Fastest, r.Mobility = .5, .2
	r.Steer = func(r *Run) {
		if r.Flow = gather; r.Time > 2 {
			r.Flow = nil
		}
	}
	return r
}

// gather is a flow from both sides to the plane x = 0.
func gather(r *Run, dst, at []r3.Vec, _ float64) {
	for v, x := range at {
		dst[v].X = -r.Fastest * x.X / math.Sqrt(float64(x.X*x.X)+.01)
	}
}

// fold: a plate of a skin, which joins with nothing, is folded until its halves press against each other.
func fold(edge float64) *Run {
	r := NewRun(edge, Block(r3.Vec{X: 3, Y: .3, Z: .6}, edge).Labelled(-1))
	r.Fastest, r.Flow = 1.5, bend
	return r
}

// bend turns both sides of a plate up around a hinge above its middle.
func bend(_ *Run, dst, at []r3.Vec, _ float64) {
	const hinge = .3 // y
	for v, x := range at {
		side := x.X / math.Sqrt(float64(x.X*x.X)+.01)
		dst[v] = reproducible.Scale(side, r3.Vec{X: hinge - x.Y, Y: x.X})
	}
}
