package cutting_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// halfSpaceIn is the volume of a box from lo to hi where n·x < c, n positive.
// Source: inclusion and exclusion of the box's corners.
func halfSpaceIn(lo, hi [3]float64, n r3.Vec, c float64) (volume float64) {
	for i := range 8 {
		x := lo
		sign := 1.
		for a := range x {
			if i>>a&1 == 1 {
				x[a], sign = hi[a], -sign
			}
		}
		if over := c - n.X*x[0] - n.Y*x[1] - n.Z*x[2]; over > 0 {
			volume += sign * over * over * over
		}
	}
	return volume / (6 * n.X * n.Y * n.Z)
}

// A body with a plane face that goes on beyond the sides of the domain fills of it what is on its side of the plane, to rounding, wherever the sides are in the lattice and whatever the levels.
func TestBodiesBeyondSidesFillWhatIsWithin(t *testing.T) {
	dim := [3]int{2, 2, 2}
	for seed := range uint64(6) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		within := func(lo, hi float64) float64 { return lo + (hi-lo)*rnd.Float64() }
		lo, hi := [3]float64{}, [3]float64{1.6, 1.6, 1.6}
		if seed%3 != 0 {
			for a := range lo {
				lo[a], hi[a] = within(0, .3), within(1.2, 1.6)
			}
		}
		levels := uniform(dim, 3)
		if seed%2 == 1 {
			levels = randomLevels(dim, seed)
		}
		n := r3.Unit(r3.Vec{X: within(.1, 1), Y: within(.1, 1), Z: within(.1, 1)})
		at := r3.Vec{X: within(.6, .9), Y: within(.6, .9), Z: within(.6, .9)}
		r := newRig(t, 1, dim, .1, [3]float64{}, levels, lo, hi)
		r.surface(nil)
		far := r3.Vec{X: 9, Y: 9, Z: 9}
		body := rigid.Solid{Distance: distance(plane(at, n)), Bounds: r3.Box{Min: r3.Scale(-1, far), Max: far}, Centre: at, Thickness: 9}
		r.fill([]rigid.Solid{body})
		want := halfSpaceIn(lo, hi, n, r3.Dot(n, at))
		if got := r.g.Bodies[0].Whole; math.Abs(got-want) > 1e-6*want {
			t.Errorf("scene %d: it fills %g m³, want %g", seed, got, want)
		}
	}
}
