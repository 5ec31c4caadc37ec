package fluid_test

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// The liquid is the same with white water and without.
func TestWhiteWaterLeavesTheLiquidAlone(t *testing.T) {
	with, without := testrig.BrokenDam(t, .1, 1, 20_000), testrig.BrokenDam(t, .1, 1, 0)
	liquid := func(l *fluid.Liquid) uint64 {
		c := testrig.Codec(l)
		c.Write()
		fluid.CodeAlike(l, c)
		return codec.Checksum(0, c.Bytes())
	}
	for n := range 60 {
		with.Step(testrig.Frame)
		without.Step(testrig.Frame)
		if liquid(with) != liquid(without) {
			t.Fatalf("step %d: the liquid differs", n+1)
		}
	}
	if liquid(without) != without.Hash() || with.Hash() == without.Hash() || len(with.Surface().WhiteWater.Kind) < 1000 || len(without.Surface().WhiteWater.Kind) > 0 {
		t.Errorf("%d particles with, %d without", len(with.Surface().WhiteWater.Kind), len(without.Surface().WhiteWater.Kind))
	}
}
