package cutting_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Still liquid stays still on any graded lattice, with the domain's sides, static solids and bodies that are held anywhere, full or under a surface across
// gravity at any height; its pressure grows by depth.
func TestStillLiquidStands(t *testing.T) {
	layouts := uint64(12)
	if testing.Short() {
		layouts = 6
	}
	for seed := range layouts {
		rnd := rand.New(rand.NewPCG(seed, 1))
		dim := [3]int{3, 3, 2}
		const h = .1
		within := func(lo, hi float64) float64 { return lo + (hi-lo)*rnd.Float64() }
		somewhere := func() r3.Vec { return r3.Vec{X: within(0, 2.4), Y: within(0, 2.4), Z: within(0, 1.6)} }
		var lo, hi [3]float64
		if seed%3 != 0 {
			for a := range lo {
				lo[a], hi[a] = within(0, .5), within(1.1, 1.6)
			}
		}
		r := newRig(t, 1, dim, h, [3]float64{}, randomLevels(dim, seed), lo, hi)
		solids := union(ball(somewhere(), .3), cuboid(somewhere(), r3.Vec{X: .2, Y: .3, Z: .4}), plane(r3.Vec{X: .2}, r3.Unit(r3.Vec{X: 1, Y: -.2, Z: .3})))
		r.d.SetStatic(distance(solids), nil)
		body := []rigid.Solid{ballSolid(somewhere(), .35), ballSolid(somewhere(), .3)}
		held := make([]rigid.Body, 2)
		for _, high := range []float64{math.Inf(1), within(-.2, .2), within(-.2, .2)} {
			middle := r3.Vec{X: 1.2, Y: 1.2, Z: .8}
			if hi != lo {
				middle = r3.Vec{X: (lo[0] + hi[0]) / 2, Y: (lo[1] + hi[1]) / 2, Z: (lo[2] + hi[2]) / 2}
			}
			at := r3.Add(middle, r3.Scale(high, up))
			if r.surface(plane(at, up)); high > 1 {
				r.surface(nil)
			}
			r.fill(body)
			if r.g.Rows == 0 {
				t.Fatalf("layout %d: no rows", seed)
			}
			r.fall()
			pi, _ := r.solve(held, strict)
			r.stands()
			for row, x := range r.g.Centre {
				if high > 1 {
					break
				}
				depth := -plane(at, up)(r3.Vec{X: x[0], Y: x[1], Z: x[2]})
				if want := density * dt * r3.Norm(gravity) * depth; math.Abs(pi[row]-want) > 1e-9*density*dt*10 {
					t.Fatalf("layout %d: %g Pa·s at a depth of %g m, want %g", seed, pi[row], depth, want)
				}
			}
		}
	}
}

// A level surface that passes through vertices, but for rounding, so that these are in the liquid or in air by chance, stands, too: each vertex asks for one
// pressure, whatever edge the air is on. Were each edge bounded by itself, velocities would be half of what gravity gives.
func TestSurfaceThroughVerticesStands(t *testing.T) {
	for _, high := range []float64{.4, .45, 1.2, 1.25} {
		dim := [3]int{3, 3, 2}
		const h = .1
		r := newRig(t, 1, dim, h, [3]float64{}, randomLevels(dim, 4), [3]float64{}, [3]float64{})
		rnd := rand.New(rand.NewPCG(5, uint64(100*high)))
		level := plane(r3.Vec{Y: high}, r3.Vec{Y: 1})
		r.surface(func(x r3.Vec) float64 { return level(x) + 1e-8*h*(2*rnd.Float64()-1) })
		r.fill(nil)
		v := r3.Vec{Y: -r3.Norm(gravity) * dt}
		r.g.Accelerate(0, r.g.Faces(), [3]float64{0, v.Y, 0})
		r.solve(nil, strict)
		most := 0.
		for _, u := range r.g.U {
			most = max(most, math.Abs(u))
		}
		if !(most < 1e-5*r3.Norm(v)) {
			t.Errorf("a surface at %g m: the liquid moves at %g of what gravity gives", high, most/r3.Norm(v))
		}
	}
}
