package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// The game's own walls, where they stand at the domain's sides or beyond, take nothing twice: what is open is the
// domain less what stands in it, whatever the cells' size and wherever the sides cut them.
func TestBodiesAtTheDomainsSides(t *testing.T) {
	lo, hi := [3]float64{.13, .02, .1}, [3]float64{1.5, 1.17, 1.4}
	half := func(axis int, at, sign float64) func(r3.Vec) float64 {
		return func(x r3.Vec) float64 { return sign * ([3]float64{x.X, x.Y, x.Z}[axis] - at) }
	}
	step := func(x r3.Vec) float64 { return max(x.X-.55, x.Y-.42, x.Z-.7) } // into a corner and beyond
	for level := range uint8(4) {
		for _, fixed := range []bool{false, true} {
			q := newTrial(t, uniform(level))
			pool := par.New(1)
			q.d = cutting.New(q.g, pool, lo, hi, [6]bool{})
			all := r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 3, Y: 3, Z: 3}}
			var bodies []rigid.Solid
			for axis := range 3 {
				bodies = append(bodies, rigid.Solid{Distance: distance(half(axis, lo[axis], 1)), Bounds: all, Fixed: fixed},
					rigid.Solid{Distance: distance(half(axis, hi[axis], -1)), Bounds: all, Fixed: fixed})
			}
			want := (hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2])
			for _, more := range []bool{false, true} {
				if more {
					bodies = append(bodies, rigid.Solid{Distance: distance(step), Bounds: all, Fixed: fixed})
					want -= (.55 - lo[0]) * (.42 - lo[1]) * (.7 - lo[2])
				}
				q.fill(everywhere, bodies...)
				sum := 0.
				q.each(func(c int32, _ r3.Vec, _ float64) { sum += float64(q.d.Volume[c]) })
				if math.Abs(sum-want) > .02*want {
					t.Errorf("level %d, fixed %v, a step %v: %.4f m³ are open, want %.4f", level, fixed, more, sum, want)
				}
			}
			pool.Close()
		}
	}
}
