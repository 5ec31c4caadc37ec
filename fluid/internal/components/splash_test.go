package components_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A column of liquid that breaks and is then thrown from wall to wall (V26, its first two and a half
// seconds): sheets and films thinner than a cell neither make liquid nor lose it.
func TestLedgerUnderSplashing(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, .8), CellSize: .05})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.6, 1, .8))))
	id, worst := fluid.FieldID(-1), 0.
	for n := range testrig.InShort(80, 150) {
		if n%36 == 0 {
			if n > 0 {
				testrig.Must(t, l.RemoveField(id))
			}
			var err error
			if id, err = l.AddField(fluid.Field{Kind: fluid.UniformField, Axis: r3.Vec{X: 1}, Strength: 4 * math.Cos(math.Pi*float64(n/36))}); err != nil {
				t.Fatal(err)
			}
		}
		r := *l.Step(1. / 60)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		worst = max(worst, math.Abs(r.Ledger.DriftL)/r.Ledger.FilledL)
	}
	if worst > .005 {
		t.Errorf("the ledger was off by %.2f %%, limit .5 %%", 100*worst)
	}
}
