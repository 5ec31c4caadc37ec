package fluid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// A tank that is full to its lid can be drained: what the ledger books is what leaves.
func TestDrainsEmptyAShutTank(t *testing.T) {
	for name, c := range map[string]struct {
		mouth SDF
		def   Def
		rate  float64 // litres/s
	}{
		"at the bottom":        {Sphere(r3.Vec{X: .4, Y: .1, Z: .4}, .12), Def{}, 60},
		"at the lid":           {Sphere(r3.Vec{X: .4, Y: .75, Z: .4}, .12), Def{}, 60},
		"smaller than a cell":  {Sphere(r3.Vec{X: .43, Y: .12, Z: .38}, .03), Def{}, 20},
		"half a space":         {Below(.3), Def{}, 60},
		"all of the tank":      {Box(box(.8, .8, .8)), Def{}, 1e5},
		"without gravity":      {Sphere(r3.Vec{X: .4, Y: .4, Z: .4}, .2), Def{Weightless: true}, 60},
		"with gravity along x": {Sphere(r3.Vec{X: .4, Y: .4, Z: .1}, .12), Def{Gravity: r3.Vec{X: 9.81}}, 60},
	} {
		def := c.def
		def.Domain, def.CellSize, def.Workers = box(.8, .8, .8), .1, 1
		l := mustNew(t, def)
		if err := l.Fill(Box(box(.8, .8, .8))); err != nil {
			t.Fatal(err)
		}
		goesOn(t, l, 3)
		if _, err := l.AddSink(c.mouth, c.rate); err != nil {
			t.Fatal(err)
		}
		goesOn(t, l, 60)
		g := l.Ledger()
		t.Logf("%s: %+v", name, g)
		if want := min(c.rate, g.FilledL); g.DrainedL < .4*want || math.Abs(g.DriftL) > .02*g.FilledL {
			t.Errorf("%s: %+v after a second of %g l/s", name, g, c.rate)
		}
	}
}
