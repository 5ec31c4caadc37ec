package cubes_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Liquid is filled in, drained and measured outside of solids only, at any levels and offsets: also where a side of the domain and an
// obstacle leave a sliver between them of a coarse cell.
func TestFillLeavesWallsDry(t *testing.T) {
	for _, c := range []struct {
		size   r3.Vec
		cell   float64
		levels int
		wall   float64 // where the obstacle begins, m
		level  float64
	}{
		{r3.Vec{X: .825, Y: .9, Z: .2}, .025, 4, .8, .55},
		{r3.Vec{X: .825, Y: .9, Z: .2}, .025, 1, .8, .55},
		{r3.Vec{X: .825, Y: .9, Z: .2}, .025, 4, .81, .55},
		{r3.Vec{X: .837, Y: .9, Z: .213}, .025, 3, .7, .5533},
		{r3.Vec{X: 1.637, Y: 1.9, Z: 1.213}, .05, 4, 1.6, 1.5533},
	} {
		t.Run(fmt.Sprintf("%v wall %g levels %d", c.size, c.wall, c.levels), func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: r3.Box{Max: c.size}, CellSize: c.cell, Numerics: fluid.Numerics{Levels: c.levels}})
			if _, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: c.wall, Y: -1, Z: -1}, Max: r3.Vec{X: 5, Y: 5, Z: 5}})); err != nil {
				t.Fatal(err)
			}
			testrig.Must(t, l.Fill(fluid.Below(c.level)))
			litres := 1000 * c.wall * c.level * c.size.Z
			testrig.About(t, "filled", l.Ledger().FilledL, litres)
			testrig.GoesOn(t, l, 20)
			testrig.About(t, "held later", l.Ledger().HeldL, litres)
			in, err := l.VolumeIn(fluid.Below(c.level / 3))
			if err != nil {
				t.Fatal(err)
			}
			testrig.About(t, "in the lowest third", in, litres/3)
			testrig.Must(t, l.Drain(fluid.Below(c.level/2)))
			testrig.About(t, "drained", l.Ledger().DrainedL, litres/2)
		})
	}
}

// So are balls: half in a floor or a slope off the grid, and whole ones.
func TestFillOfBallsAtSolids(t *testing.T) {
	const r, cell = .4, .05
	ball := 1000 * 4. / 3 * math.Pi * r * r * r
	for _, off := range []float64{0, .31, .83} {
		at := r3.Vec{X: .8, Y: .53 + off*cell, Z: .6}
		for name, c := range map[string]struct {
			solid fluid.SDF
			part  float64
		}{
			"no solid": {nil, 1}, "a floor": {fluid.HalfSpace(at, r3.Vec{Y: 1}), .5}, "a slope": {fluid.HalfSpace(at, r3.Unit(r3.Vec{X: .3, Y: 1, Z: .2})), .5},
			"a ball": {fluid.Sphere(at, r/2), 7. / 8},
		} {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6+off*cell, 1.4, 1.2), CellSize: cell})
			if c.solid != nil {
				if _, err := l.AddObstacle(c.solid); err != nil {
					t.Fatal(err)
				}
			}
			testrig.Must(t, l.Fill(fluid.Sphere(at, r)))
			testrig.About(t, name+": filled", l.Ledger().FilledL, c.part*ball)
			in, err := l.VolumeIn(fluid.Sphere(at, r+.1))
			if err != nil {
				t.Fatal(err)
			}
			testrig.About(t, name+": measured", in, c.part*ball)
		}
	}
}
