package bodies_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// BodyLoad says how much of a body is under the surface: of boxes on and off the grid, and of plates thinner than a cell, held or adrift.
func TestSubmerged(t *testing.T) {
	for _, c := range []struct {
		size r3.Vec
		y    float64
		kind physics.BodyKind
	}{
		{r3.Vec{X: .4, Y: .4, Z: .4}, .6, physics.Kinematic}, {r3.Vec{X: .4, Y: .4, Z: .4}, .3, physics.Kinematic},
		{r3.Vec{X: .43, Y: .37, Z: .51}, .57, physics.Kinematic}, {r3.Vec{X: .6, Y: .04, Z: .5}, .33, physics.Kinematic},
		{r3.Vec{X: .04, Y: .5, Z: .6}, .3, physics.Kinematic}, {r3.Vec{X: .6, Y: .1, Z: .5}, .33, physics.Kinematic},
		{r3.Vec{X: .6, Y: .04, Z: .5}, .33, physics.Dynamic}, {r3.Vec{X: .6, Y: .04, Z: .5}, .6, physics.Dynamic},
	} {
		for _, off := range []float64{0, .03, .05} {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, 1.6), CellSize: .1})
			testrig.Must(t, l.Fill(fluid.Below(.6)))
			w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
			testrig.AddBody(t, w, physics.BodyDef{Kind: c.kind, Position: r3.Vec{X: .8 + off, Y: c.y, Z: .8 + off}},
				physics.ShapeDef{Geometry: physics.Box(physics.Centred(c.size.X, c.size.Y, c.size.Z)), Density: 999})
			l.Couple(w.Coupling())
			for range 3 {
				l.Step(1. / 240)
			}
			var s [1]fluid.Sample
			l.Sample(s[:], []r3.Vec{{X: .15, Y: .3, Z: .15}})
			under := max(0, min(c.size.Y, .3+s[0].Height-(c.y-c.size.Y/2)))
			want, load := c.size.X*c.size.Z*under, l.BodyLoad(0)
			if part := under / c.size.Y; math.Abs(load.Submerged-want) > .05*want || math.Abs(load.Fraction-part) > .03 {
				t.Errorf("%v, %v at %g, %g off: %.4g m³ under water, want %.4g; fraction %.3f, want %.3f", c.kind, c.size, c.y, off, load.Submerged, want, load.Fraction, part)
			}
		}
	}
}
