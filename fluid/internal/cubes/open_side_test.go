package cubes_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Beyond an open side there is no liquid, though the cells there be coarse and their middles in a wall: the solve converges.
func TestOpenSideBesideWalls(t *testing.T) {
	for name, tank := range map[string]struct {
		size  r3.Vec
		sides fluid.Sides
		fill  float64
		def   fluid.Def
	}{
		"right":       {size: r3.Vec{X: 1.56, Y: .8, Z: .66}, sides: fluid.Sides{MaxX: fluid.Open}, fill: .24},
		"left":        {size: r3.Vec{X: 1.56, Y: .8, Z: .66}, sides: fluid.Sides{MinX: fluid.Open}, fill: .24},
		"front":       {size: r3.Vec{X: .66, Y: .8, Z: 1.56}, sides: fluid.Sides{MaxZ: fluid.Open}, fill: .24},
		"wide":        {size: r3.Vec{X: 1.26, Y: 1.36, Z: 1.62}, sides: fluid.Sides{MinZ: fluid.Open, MaxZ: fluid.Open}, fill: .7},
		"two sides":   {size: r3.Vec{X: .37, Y: 1.55, Z: 1.27}, sides: fluid.Sides{MinX: fluid.Open, MaxX: fluid.Open, MinY: fluid.Open}, fill: .9},
		"two levels":  {size: r3.Vec{X: .54, Y: .87, Z: 1.28}, sides: fluid.Sides{MinX: fluid.Open, MaxX: fluid.Open}, fill: .5, def: fluid.Def{Numerics: fluid.Numerics{Levels: 2}}},
		"thin band":   {size: r3.Vec{X: 1.56, Y: .8, Z: .66}, sides: fluid.Sides{MaxX: fluid.Open}, fill: .4, def: fluid.Def{Numerics: fluid.Numerics{Band: 1}}},
		"brim":        {size: r3.Vec{X: 2.3, Y: .75, Z: .72}, sides: fluid.Sides{MaxX: fluid.Open}, fill: .75},
		"to the side": {size: r3.Vec{X: 1.56, Y: .8, Z: .66}, sides: fluid.Sides{MaxX: fluid.Open}, fill: .24, def: fluid.Def{Physics: fluid.Physics{Gravity: r3.Vec{X: 3, Y: -9, Z: 2}}}},
	} {
		t.Run(name, func(t *testing.T) {
			def := tank.def
			def.Domain, def.Sides, def.CellSize, def.Resources.Workers = r3.Box{Max: tank.size}, tank.sides, .1, 1
			l := testrig.New(t, def)
			testrig.Must(t, l.Fill(fluid.Below(tank.fill)))
			for range 40 {
				r := *l.Step(testrig.Frame)
				testrig.Sound(t, l, r)
				if r.Err != nil || r.Residual > 1e-3 {
					t.Fatalf("step %d: residual %g, %s", r.Step, r.Residual, r.Err)
				}
			}
		})
	}
}
