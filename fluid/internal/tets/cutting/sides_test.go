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

// A tube a cell wide, whose walls are planes of the lattice and meet in a line of its vertices, has its cross section, though polygons across it have no corner in the open
// there; also beside a body that ends in such a plane.
func TestInnerEdgesOfFixedBoxesAreOpen(t *testing.T) {
	const h = .05
	dim := [3]int{2, 1, 1}
	r := newRig(t, 1, dim, h, [3]float64{}, uniform(dim, 3), [3]float64{}, [3]float64{16 * h, 2 * h, 2 * h})
	above, behind := cuboid(r3.Vec{Y: 1 + h}, r3.Vec{X: 5, Y: 1, Z: 5}), cuboid(r3.Vec{Z: 1 + h}, r3.Vec{X: 5, Y: 5, Z: 1})
	r.d.SetStatic(distance(union(above, behind)), nil)
	r.surface(nil)
	at := r3.Vec{X: 13 * h, Y: h, Z: h}
	half := r3.Vec{X: h, Y: 1, Z: 1}
	r.fill([]rigid.Solid{{Distance: distance(cuboid(at, half)), Bounds: r3.Box{Min: r3.Sub(at, half), Max: r3.Add(at, half)}, Centre: at, Thickness: 2 * h}})
	for k := range 8 { // between planes of corners and of middles
		sum := 0.
		for f, n := range r.g.Normals {
			if x := r.g.FaceCentres[f][0]; x > (float64(k)+3.9)*h && x < (float64(k)+4.9)*h {
				sum += n[0] * n[0] * r.g.Area[f] * r.g.Open[f] * r.g.Dist[f]
			}
		}
		if want := h * h * h; math.Abs(sum-want) > 1e-3*want {
			t.Errorf("cell %d: faces stand for %g of its volume along the tube", k+4, sum/want)
		}
	}
}
