package flows_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Rain on a pool from which solids stand out, dry above and off the cells' centres, goes on for as long as it rains, and all that falls is there.
func TestRainAroundSolids(t *testing.T) {
	tilted := func(by float64) fluid.SDF {
		return fluid.Transform(fluid.Box(r3.Box{Min: r3.Vec{X: -.3, Y: -.3, Z: -.3}, Max: r3.Vec{X: .3, Y: .1, Z: .3}}), quat.Number{Real: math.Cos(by), Kmag: math.Sin(by)}, r3.Vec{X: .8, Y: .3, Z: .4})
	}
	for name, solid := range map[string]fluid.SDF{
		"tilted .4": tilted(.2), "tilted .15": tilted(.075), "tilted 1.2": tilted(.6),
		"box":  fluid.Box(r3.Box{Min: r3.Vec{X: .43, Z: .17}, Max: r3.Vec{X: .83, Y: .34, Z: .63}}),
		"ball": fluid.Sphere(r3.Vec{X: .81, Y: .18, Z: .42}, .23),
	} {
		for _, tracker := range testrig.InShort([]fluid.Tracker{fluid.LevelSet}, []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh}) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
				_, err := l.AddObstacle(solid)
				testrig.Must(t, err)
				testrig.Must(t, l.Fill(fluid.Below(.27)))
				_, err = l.AddEmitter(fluid.EmitterDef{Shape: fluid.Box(r3.Box{Min: r3.Vec{X: .1, Y: .6, Z: .1}, Max: r3.Vec{X: 1.5, Y: .7, Z: .7}}), Rate: .5, Velocity: r3.Vec{Y: -3}})
				testrig.Must(t, err)
				testrig.GoesOn(t, l, testrig.InShort(120, 600))
				if g := l.Ledger(); math.Abs(g.DriftL) > .005*g.HeldL {
					t.Errorf("%+v", g)
				}
			})
		}
	}
}
