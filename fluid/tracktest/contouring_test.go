package tracktest

import (
	"math"
	"testing"
)

// Contouring returns a slotted sphere and Enright's; on 104 cells, V12 and V13.
func TestContour(t *testing.T) {
	for _, test := range []struct {
		name       string
		of         func(Run) (Result, error)
		cells      int
		volume, l1 float64 // at most
	}{{"Zalesak", Zalesak, 48, .02, .04}, {"Zalesak", Zalesak, 104, .02, .03}, {"Enright", Enright, 104, .02, .03}} {
		if testing.Short() && test.cells > 48 {
			continue
		}
		got, err := test.of(Run{Tracker: Contouring, Size: test.cells})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, %d cells: volume %.2f %%, L1 %.2f %%", test.name, test.cells, 100*got.Volume, 100*got.L1)
		if math.Abs(got.Volume-1) > test.volume || got.L1 > test.l1 {
			t.Errorf("%s, %d cells: %+v", test.name, test.cells, got)
		}
	}
}
