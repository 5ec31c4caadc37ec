package cubes_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A hole of a cell that something left deep in the liquid closes: it does not crawl along the floor, and drives nothing.
func TestVoidsClose(t *testing.T) {
	// What is left is the eddy that the hole's walls make as they meet: a contour's meet a step later.
	testVoidsClose(t, fluid.LevelSet, .05)
	testVoidsClose(t, fluid.Contouring, .1)
}

func testVoidsClose(t *testing.T, tracker fluid.Tracker, most float64) {
	const cell, level = .1, 1.02
	for _, at := range []r3.Vec{{X: .75, Y: .05, Z: .75}, {X: .05, Y: .05, Z: .85}, {X: .65, Y: .45, Z: .75}, {X: .7, Y: .05, Z: .75}} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: cell, Tracker: tracker})
		testrig.Must(t, l.Fill(fluid.Below(level)))
		testrig.Must(t, l.Drain(fluid.Sphere(at, .6*cell)))
		top, late := 0., 0.
		for n := range 60 {
			r := *l.Step(testrig.Frame)
			top = max(top, r.MaxSpeed)
			if n >= 30 {
				late = max(late, r.MaxSpeed)
			}
		}
		lowest, s := math.Inf(1), l.Surface()
		for _, k := range s.Indices[:s.Free] {
			lowest = min(lowest, float64(s.Positions[3*k+1]))
		}
		t.Logf("tracker %d, at %.2v: %.3f m/s at most, %.3f after half a second, surface from %.3f m on", tracker, at, top, late, lowest)
		if lowest < level-cell || late > most {
			t.Errorf("tracker %d, at %.2v: %g m/s half a second later, and surface at %g m", tracker, at, late, lowest)
		}
	}
}
