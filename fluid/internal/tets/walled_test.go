package tets

import (
	"math"
	"testing"
)

// A plane through values of a linear field is that field where the places tell its slope, and level along what they don't.
func TestPlane(t *testing.T) {
	field := func(x [3]float64) float64 { return .3 + .5*x[0] - 2*x[1] + x[2] }
	for _, c := range []struct {
		leave int // octants, as bits of a mask
		want  float64
	}{{255, .3}, {254, .3}, {127 &^ 8, .3}, {0b01010101, .3 - .5*.5}, {0b00110011, .3 + 2*.5}, {0b00000101, .3 - .5*.5 - .5}, {1, .3 - .25 + 1 - .5}} {
		var p plane
		for i := range 8 {
			if c.leave>>i&1 == 0 {
				continue
			}
			x := [3]float64{float64(i&1) - .5, float64(i>>1&1) - .5, float64(i>>2) - .5}
			p.add(&x, field(x), .5)
		}
		if got := p.atOrigin(); math.Abs(got-c.want) > 1e-3 {
			t.Errorf("octants %08b: %g, want %g", c.leave, got, c.want)
		}
	}
}
