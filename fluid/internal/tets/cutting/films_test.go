package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// A box that stands on the floor, which is a side of the domain or a static solid, is pressed on from below by a film of liquid, as much as if it hung free, also where
// the surface is below its top.
func TestFilmsCarryWhatStands(t *testing.T) {
	dim := [3]int{2, 2, 2}
	half := r3.Vec{X: .25, Y: .2, Z: .31}
	floors := []float64{0, .2, .237, .25}
	if testing.Short() {
		floors = floors[1:3]
	}
	for _, floor := range floors {
		for _, solid := range []bool{false, true} {
			lo, hi := [3]float64{0, floor, 0}, [3]float64{1.6, 1.6, 1.6}
			if solid {
				lo[1] = 0
			}
			for seed, levels := range [][]uint8{uniform(dim, 3), {3, 3, 3, 2, 3, 3, 3, 3}} {
				r := newRig(t, 1, dim, .1, [3]float64{}, levels, lo, hi)
				r.d.Up = [3]float64{0, 1, 0}
				if solid {
					r.d.SetStatic(distance(plane(r3.Vec{Y: floor}, r3.Vec{Y: 1})), nil)
				}
				at := r3.Vec{X: .81, Y: floor + half.Y, Z: .77}
				body := rigid.Solid{Distance: distance(cuboid(at, half)), Bounds: r3.Box{Min: r3.Sub(at, half), Max: r3.Add(at, half)}, Centre: at}
				for _, high := range []float64{1.25, floor + .23} {
					r.surface(plane(r3.Vec{Y: high}, r3.Vec{Y: 1}))
					r.fill([]rigid.Solid{body})
					w := &r.g.Bodies[0]
					var still [6]float64
					for e, row := range w.Row {
						for a, k := range w.K[e] {
							still[a] += k * (high - r.g.Centre[row][1])
						}
					}
					for a := range still {
						still[a] -= w.More[a][1] + w.Less[a][1] + w.Rests[a][1] + w.Steps[a][1]
					}
					want := 4 * half.X * half.Z * min(2*half.Y, high-floor)
					for a, limit := range [6]float64{1e-3, 0, 1e-3, 1e-3, 1e-3, 1e-3} {
						if a == 1 && math.Abs(still[a]-want) > .015*want || a != 1 && math.Abs(still[a]) > limit*want {
							t.Errorf("floor at %g, solid %v, layout %d, surface at %g: it is pressed on with %g m³ and m⁴, want %g up", floor, solid, seed, high, still, want)
						}
					}
					if w.Sealed > 1e-9 {
						t.Errorf("floor at %g, solid %v, layout %d, surface at %g: %g m² are sealed", floor, solid, seed, high, w.Sealed)
					}
				}
			}
		}
	}
}

// A box on a slab with a hole in it, liquid around and above and air in the hole, has a part of its lower side at air, where it stands on a cell of the slab or more;
// with liquid in the hole, too, it has none.
func TestHatchIsSealed(t *testing.T) {
	const top, hole, high = .8, .4, .2
	for _, rim := range []float64{.1, .137, .2} {
		for _, off := range []float64{0, .03} {
			r := newRig(t, 1, [3]int{2, 2, 2}, .1, [3]float64{}, uniform([3]int{2, 2, 2}, 3), [3]float64{}, [3]float64{1.6, 1.6, 1.6})
			r.d.Up = [3]float64{0, 1, 0}
			middle := r3.Vec{X: .8 + off, Y: top, Z: .8}
			slab, gap := plane(r3.Vec{Y: top}, r3.Vec{Y: 1}), cuboid(middle, r3.Vec{X: hole / 2, Y: 2, Z: hole / 2})
			r.d.SetStatic(distance(func(x r3.Vec) float64 { return max(slab(x), top-.2-x.Y, -gap(x)) }), nil)
			half := r3.Vec{X: hole/2 + rim, Y: high / 2, Z: hole/2 + rim}
			at := r3.Add(middle, r3.Vec{Y: half.Y - .001})
			body := rigid.Solid{Distance: distance(cuboid(at, half)), Bounds: r3.Box{Min: r3.Sub(at, half), Max: r3.Add(at, half)}, Centre: at}
			for _, dry := range []bool{true, false} {
				air := cuboid(r3.Sub(middle, r3.Vec{Y: .2}), r3.Vec{X: hole/2 + .01, Y: .21, Z: hole/2 + .01})
				r.surface(func(x r3.Vec) float64 {
					if !dry {
						return x.Y - 1.3
					}
					return max(x.Y-1.3, -air(x))
				})
				r.fill([]rigid.Solid{body})
				w := &r.g.Bodies[0]
				if part := w.Sealed / w.Area; dry && part < .04 || !dry && part > 0 {
					t.Errorf("a rim of %g m, off by %g, dry %v: %.3f of its area is at air", rim, off, dry, part)
				}
			}
		}
	}
}
