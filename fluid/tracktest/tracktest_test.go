package tracktest

import (
	"flag"
	"math"
	"testing"
)

// go test -run Tracking -v -edge 96 -trackers ./fluid/tracktest
var (
	allTrackers = flag.Bool("trackers", false, "compare the level set with and without markers")
	edgeCells   = flag.Int("edge", 56, "cells along the cube; a multiple of 8")
)

// The level set with its markers brings a slotted sphere and Enright's back as well as it did.
func TestTracking(t *testing.T) {
	for _, test := range []struct {
		name       string
		of         func(int) tracking
		volume, l1 float64 // of 56 cells, at most
	}{{"Zalesak", zalesak, .08, .2}, {"Enright", enright, .08, .16}} {
		if testing.Short() && test.name != "Zalesak" {
			continue
		}
		for _, v := range []struct {
			name    string
			perCell int
		}{{"markers", 4}, {"bare", 0}, {"8", 8}} {
			if !*allTrackers && v.name != "markers" {
				continue
			}
			k := test.of(*edgeCells)
			k.perCell = v.perCell
			got := k.track(*edgeCells)
			t.Logf("%s, %d cells, %s: volume %.2f %%, L1 %.2f %%", test.name, *edgeCells, v.name, 100*got.Volume, 100*got.L1)
			if v.name == "markers" && *edgeCells == 56 && (math.Abs(got.Volume-1) > test.volume || got.L1 > test.l1) {
				t.Errorf("%s: %+v is worse than what was reached", test.name, got)
			}
		}
	}
}
