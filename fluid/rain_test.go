package fluid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Rain on a pool from which solids stand out, dry above and off the cells' centres, goes on for as long as it rains, and all that falls is there.
func TestRainAroundSolids(t *testing.T) {
	tilted := func(by float64) SDF {
		return Transform(Box(r3.Box{Min: r3.Vec{X: -.3, Y: -.3, Z: -.3}, Max: r3.Vec{X: .3, Y: .1, Z: .3}}), quat.Number{Real: math.Cos(by), Kmag: math.Sin(by)}, r3.Vec{X: .8, Y: .3, Z: .4})
	}
	for name, solid := range map[string]SDF{
		"tilted .4": tilted(.2), "tilted .15": tilted(.075), "tilted 1.2": tilted(.6),
		"box":  Box(r3.Box{Min: r3.Vec{X: .43, Z: .17}, Max: r3.Vec{X: .83, Y: .34, Z: .63}}),
		"ball": Sphere(r3.Vec{X: .81, Y: .18, Z: .42}, .23),
	} {
		for _, tracker := range inShort([]Tracker{LevelSet}, []Tracker{LevelSet, Contouring, ExplicitMesh}) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .1, Workers: 1, Tracker: tracker})
				_, err := l.AddObstacle(solid)
				must(t, err)
				must(t, l.Fill(Below(.27)))
				_, err = l.AddEmitter(EmitterDef{Shape: Box(r3.Box{Min: r3.Vec{X: .1, Y: .6, Z: .1}, Max: r3.Vec{X: 1.5, Y: .7, Z: .7}}), Rate: .5, Velocity: r3.Vec{Y: -3}})
				must(t, err)
				goesOn(t, l, inShort(120, 600))
				if g := l.Ledger(); math.Abs(g.DriftL) > .005*g.HeldL {
					t.Errorf("%+v", g)
				}
			})
		}
	}
}
