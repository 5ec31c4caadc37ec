package query

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestUpIsAgainstTheAcceleration(t *testing.T) {
	for _, c := range [][2]r3.Vec{{{Y: -9.81}, {Y: 1}}, {{X: 2}, {X: -1}}, {{X: 3, Z: -4}, {X: -.6, Z: .8}}, {{}, {Y: 1}}} {
		if up := Up(c[0]); r3.Norm(r3.Sub(up, c[1])) > 1e-15 {
			t.Errorf("%v: %v; want %v", c[0], up, c[1])
		}
	}
}

func TestUnitOfAnyLength(t *testing.T) {
	for _, size := range []float64{1e-300, 1, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		for _, along := range []r3.Vec{{X: 1}, {X: -1, Y: 1}, {X: 1, Y: .5, Z: -.25}} {
			v := r3.Vec{X: size * along.X, Y: size * along.Y, Z: size * along.Z}
			u := Unit(v)
			if math.Abs(r3.Norm(u)-1) > 1e-15 || math.Signbit(u.X) != math.Signbit(v.X) || v.Y == 0 && u.Y != 0 {
				t.Errorf("%v: %v", v, u)
			}
		}
	}
}
