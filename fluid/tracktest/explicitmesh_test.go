package tracktest

import (
	"math"
	"testing"
)

// The mesh returns a slotted sphere and Enright's: V12, and V13, with as many vertices as the source.
func TestExplicitMesh(t *testing.T) {
	for _, test := range []struct {
		name       string
		of         func(Run) (Result, error)
		vertices   int
		volume, l1 float64 // by how much the volume may differ, and lie elsewhere, of it
	}{
		{"Zalesak", Zalesak, 400, .001, .02},
		{"Enright", Enright, 300, .012, .06},
		{"Enright", Enright, 2400, .005, .02},
	} {
		if testing.Short() && test.vertices != 400 {
			continue
		}
		got, err := test.of(Run{Tracker: ExplicitMesh, Size: test.vertices})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, %d vertices, %d in the middle of the time: volume %.2f %%, L1 %.2f %%", test.name, test.vertices, got.Vertices, 100*got.Volume, 100*got.L1)
		if math.Abs(got.Volume-1) > test.volume || got.L1 > test.l1 {
			t.Errorf("%s, %d vertices: %+v", test.name, test.vertices, got)
		}
	}
}
