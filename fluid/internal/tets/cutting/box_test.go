package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// A box of a few cells, at any place and turn, displaces what it should, and so do a ball of three cells' diameter and, within a tenth, plates thinner than a cell.
func TestVolumesOfBodies(t *testing.T) {
	dim := [3]int{2, 2, 2}
	r := newRig(t, 1, dim, .1, [3]float64{}, uniform(dim, 3), [3]float64{}, [3]float64{})
	r.surface(nil)
	for _, off := range []r3.Vec{{}, {X: .017, Y: .034, Z: -.029}, {X: -.067, Y: .05, Z: .06}} {
		at := r3.Add(r3.Vec{X: .8, Y: .8, Z: .8}, off)
		for _, turn := range []float64{0, .3, .7} {
			back := r3.NewRotation(-turn, r3.Vec{X: 1, Y: 2, Z: .5})
			for _, c := range []struct {
				half      r3.Vec
				sheet     bool
				tolerance float64
			}{{half: r3.Vec{X: .3, Y: .2, Z: .25}, tolerance: 2e-3}, {half: r3.Vec{X: .15, Y: .1, Z: .2}, tolerance: 8e-3}, {r3.Vec{X: .35, Y: .02, Z: .32}, true, .15}} {
				box := cuboid(r3.Vec{}, c.half)
				body := rigid.Solid{
					Distance: distance(func(x r3.Vec) float64 { return box(back.Rotate(r3.Sub(x, at))) }), Centre: at,
					Bounds: boxes.Grown(r3.Box{Min: at, Max: at}, r3.Norm(c.half)), Thin: c.sheet, Sheet: c.sheet, Thickness: 2 * min(c.half.X, c.half.Y, c.half.Z),
				}
				r.fill([]rigid.Solid{body})
				want := 8 * c.half.X * c.half.Y * c.half.Z
				if got := r.g.Bodies[0].Whole; math.Abs(got-want) > c.tolerance*want {
					t.Errorf("a box of %v at %v, turned by %g, fills %.4f of what it should", c.half, at, turn, got/want)
				}
			}
		}
		const radius = .15
		r.fill([]rigid.Solid{ballSolid(at, radius)})
		if got, want := r.g.Bodies[0].Whole, 4*math.Pi/3*radius*radius*radius; math.Abs(got-want) > 3e-3*want {
			t.Errorf("a ball at %v fills %.4f of what it should", at, got/want)
		}
	}
}
