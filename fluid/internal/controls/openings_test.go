package controls_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// A crate on a hand of water that rises is the only opening of the hand's surface. What parts of the surface bring out of balance, as it is pulled to where it
// is to be, does not all leave beside the crate: that would shake it with ten times its weight.
func TestCrateIsBorneEvenly(t *testing.T) {
	const of = fluid.Cubes
	const rise, steps = .7, 150
	for _, strength := range []float64{1, .7} {
		hand, crate := newRisingHand(t, of, strength, rise, physics.Drag{})
		fast, load := 0., 0.
		for range steps {
			r := stepped(t, hand.Liquid, 1./60)
			fast, load = max(fast, r.MaxSpeed), max(load, r3.Norm(hand.BodyLoadByID(uint64(crate.ID())).Force))
		}
		weight := crate.Mass() * standardGravity
		t.Logf("α %g: the liquid moves at up to %.2f m/s, and bears up to %.1f times the crate's weight", strength, fast, load/weight)
		if !(load <= 4*weight) || !(fast <= 5) {
			t.Errorf("α %g: the liquid moves at up to %.2f m/s, and bears up to %.1f N; the crate weighs %.1f", strength, fast, load, weight)
		}
		if testing.Short() {
			break
		}
	}
}
