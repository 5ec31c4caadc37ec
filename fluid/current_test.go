package fluid_test

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Currents are state: in the hash, in a file, in a copy; for any number of workers, and after a step that went wrong.
func TestCurrentIsState(t *testing.T) {
	d := fluid.Def{Domain: testrig.Box(1.6, .8, .4), CellSize: .1, Resources: fluid.Resources{Workers: 1}}
	a := testrig.River(t, d, fluid.MinX, .5, .43)
	two := d
	two.Resources.Workers = 2
	b := testrig.River(t, two, fluid.MinX, .5, .43)
	testrig.GoesOn(t, a, 12)
	testrig.GoesOn(t, b, 12)
	if a.Hash() != b.Hash() {
		t.Error("two workers give other bits than one")
	}
	d.Sides = fluid.Sides{MinX: fluid.Flow, MaxX: fluid.Flow}
	c, e := testrig.New(t, d), testrig.New(t, d)
	testrig.Restore(t, c, testrig.Saved(t, a))
	testrig.Must(t, a.CopyTo(e))
	testrig.GoesOn(t, a, 8)
	testrig.GoesOn(t, c, 8)
	testrig.GoesOn(t, e, 8)
	if c.Hash() != a.Hash() || e.Hash() != a.Hash() || c.Current(fluid.MinX) != a.Current(fluid.MinX) {
		t.Error("what was restored or copied flows otherwise")
	}
	was := a.Hash()
	if err := a.SetCurrent(fluid.MinX, fluid.Current{Velocity: .5, Level: .44}); err != nil || a.Hash() == was {
		t.Error("the hash knows nothing of currents", err)
	}
	if _, err := a.AddField(fluid.Field{Axis: r3.Vec{X: 1}}); err != nil {
		t.Fatal(err)
	}
	ledger, current := a.Ledger(), a.Current(fluid.MinX)
	setStrength(a, testrig.NaN)
	if r := *a.Step(testrig.Frame); r.Err == nil || a.Ledger() != ledger || a.Current(fluid.MinX) != current {
		t.Errorf("rolled back %v, %+v, want %+v", r.Err != nil, a.Ledger(), ledger)
	}
	setStrength(a, 0)
	testrig.GoesOn(t, a, 2)
	if err := c.Restore(bytes.NewReader(testrig.Saved(t, testrig.New(t, fluid.Def{Domain: d.Domain, CellSize: .1})))); err == nil || !strings.Contains(err.Error(), "Def: Sides") {
		t.Errorf("a file of a pond: %v", err)
	}
	bad := testrig.New(t, d)
	testrig.Around(bad).Flows.Sides.SetCurrent(0, flows.Current{Velocity: testrig.NaN})
	if err := c.Restore(bytes.NewReader(testrig.Saved(t, bad))); err == nil || !strings.Contains(err.Error(), "currents: NaN") {
		t.Errorf("a file with a current of NaN: %v", err)
	}
}
