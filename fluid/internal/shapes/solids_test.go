package shapes

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Where a shape ends at a solid its other surfaces go on along it and into it: a pool that ends at the walls of its basin, of any form, has the distance of its level.
func TestThroughSolids(t *testing.T) {
	const cell, level = .05, .43
	big := Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 2, Z: 2}})
	inner := Box(r3.Box{Min: r3.Vec{X: .12, Y: .08, Z: .07}, Max: r3.Vec{X: .66, Y: 2, Z: .34}})
	round := Cylinder(r3.Vec{X: .4, Y: .07, Z: .4}, r3.Vec{X: .4, Y: 2, Z: .4}, .31)
	lean := r3.Unit(r3.Vec{X: 1, Y: -.3, Z: .2})
	for name, c := range map[string]struct{ solid, open SDF }{
		"basin":        {Difference(big, inner), inner},
		"round basin":  {Difference(big, round), round},
		"leaning wall": {HalfSpace(r3.Vec{X: .53}, r3.Scale(-1, lean)), HalfSpace(r3.Vec{X: .53}, lean)},
	} {
		pool := HalfSpace(r3.Vec{Y: level}, r3.Vec{Y: 1})
		ends := ThroughSolids(Intersection(pool, c.open), []Distance{c.solid.Eval}, cell)
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 20000 {
			at := []r3.Vec{{X: .8 * rnd.Float64(), Y: level + .2*(rnd.Float64()-.5), Z: .8 * rnd.Float64()}}
			var got, want, solid [1]float32
			ends.Eval(got[:], at)
			pool.Eval(want[:], at)
			c.solid.Eval(solid[:], at)
			if solid[0] > -1.5*cell && math.Abs(float64(want[0])) < cell && math.Abs(float64(got[0]-want[0])) > 1e-6 {
				t.Errorf("%s: %g m at %v, %g m from the solid, want %g", name, got[0], at[0], solid[0], want[0])
			}
		}
	}
}
