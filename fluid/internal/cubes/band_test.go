package cubes_test

import (
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// How fine a pool is under its surface is a matter of where that is, not of where it was: a pool that was filled at once has the same cells as one that was filled up or drained
// to the same level.
func TestBandForgetsWhereTheSurfaceWas(t *testing.T) {
	const cell, level = .05, 29.7 * .05
	for _, band := range []int{1, 3, 4, 5, 8} {
		cells := func(levels ...float64) []int {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, 2, .8), CellSize: cell, Numerics: fluid.Numerics{Band: band, Undamped: true}})
			for _, at := range levels {
				testrig.Must(t, l.Fill(fluid.Below(at)))
				testrig.Must(t, l.Drain(fluid.Difference(fluid.Box(testrig.Box(.8, 2, .8)), fluid.Below(at))))
				for range 3 {
					l.Step(1. / 60)
				}
			}
			var last []int
			for range 40 {
				last = l.Step(1. / 60).Cells
			}
			return slices.Clone(last)
		}
		at, up, down := cells(level), cells(level-2*cell, level), cells(level+2*cell, level)
		if !slices.Equal(at, up) || !slices.Equal(at, down) {
			t.Errorf("band of %d: cells by level, finest first: filled at once %v, filled up %v, drained %v", band, at, up, down)
		}
	}
}
