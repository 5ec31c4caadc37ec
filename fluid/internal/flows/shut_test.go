package flows_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A tank that is full to its lid can be drained: what the ledger books is what leaves.
func TestDrainsEmptyAShutTank(t *testing.T) {
	for name, c := range map[string]struct {
		mouth fluid.SDF
		def   fluid.Def
		rate  float64 // litres/s
	}{
		"at the bottom":        {fluid.Sphere(r3.Vec{X: .4, Y: .1, Z: .4}, .12), fluid.Def{}, 60},
		"at the lid":           {fluid.Sphere(r3.Vec{X: .4, Y: .75, Z: .4}, .12), fluid.Def{}, 60},
		"smaller than a cell":  {fluid.Sphere(r3.Vec{X: .43, Y: .12, Z: .38}, .03), fluid.Def{}, 20},
		"half a space":         {fluid.Below(.3), fluid.Def{}, 60},
		"all of the tank":      {fluid.Box(testrig.Box(.8, .8, .8)), fluid.Def{}, 1e5},
		"without gravity":      {fluid.Sphere(r3.Vec{X: .4, Y: .4, Z: .4}, .2), fluid.Def{Physics: fluid.Physics{Weightless: true}}, 60},
		"with gravity along x": {fluid.Sphere(r3.Vec{X: .4, Y: .4, Z: .1}, .12), fluid.Def{Physics: fluid.Physics{Gravity: r3.Vec{X: 9.81}}}, 60},
	} {
		def := c.def
		def.Domain, def.CellSize, def.Resources.Workers = testrig.Box(.8, .8, .8), .1, 1
		l := testrig.New(t, def)
		testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.8, .8, .8))))
		testrig.GoesOn(t, l, 3)
		if _, err := l.AddSink(c.mouth, c.rate); err != nil {
			t.Fatal(err)
		}
		testrig.GoesOn(t, l, 60)
		g := l.Ledger()
		t.Logf("%s: %+v", name, g)
		if want := min(c.rate, g.FilledL); g.DrainedL < .4*want || math.Abs(g.DriftL) > .02*g.FilledL {
			t.Errorf("%s: %+v after a second of %g l/s", name, g, c.rate)
		}
	}
}
