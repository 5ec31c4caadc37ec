package fluid

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Beyond an open side there is no liquid, though the cells there be coarse and their middles in a wall: the solve converges.
func TestOpenSideBesideWalls(t *testing.T) {
	for name, tank := range map[string]struct {
		size  r3.Vec
		sides Sides
		fill  float64
		def   Def
	}{
		"right":       {size: r3.Vec{X: 1.56, Y: .8, Z: .66}, sides: Sides{MaxX: Open}, fill: .24},
		"left":        {size: r3.Vec{X: 1.56, Y: .8, Z: .66}, sides: Sides{MinX: Open}, fill: .24},
		"front":       {size: r3.Vec{X: .66, Y: .8, Z: 1.56}, sides: Sides{MaxZ: Open}, fill: .24},
		"wide":        {size: r3.Vec{X: 1.26, Y: 1.36, Z: 1.62}, sides: Sides{MinZ: Open, MaxZ: Open}, fill: .7},
		"two sides":   {size: r3.Vec{X: .37, Y: 1.55, Z: 1.27}, sides: Sides{MinX: Open, MaxX: Open, MinY: Open}, fill: .9},
		"two levels":  {size: r3.Vec{X: .54, Y: .87, Z: 1.28}, sides: Sides{MinX: Open, MaxX: Open}, fill: .5, def: Def{Levels: 2}},
		"thin band":   {size: r3.Vec{X: 1.56, Y: .8, Z: .66}, sides: Sides{MaxX: Open}, fill: .4, def: Def{Band: 1}},
		"brim":        {size: r3.Vec{X: 2.3, Y: .75, Z: .72}, sides: Sides{MaxX: Open}, fill: .75},
		"to the side": {size: r3.Vec{X: 1.56, Y: .8, Z: .66}, sides: Sides{MaxX: Open}, fill: .24, def: Def{Gravity: r3.Vec{X: 3, Y: -9, Z: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			def := tank.def
			def.Domain, def.Sides, def.CellSize, def.Workers = r3.Box{Max: tank.size}, tank.sides, .1, 1
			l := mustNew(t, def)
			if err := l.Fill(Below(tank.fill)); err != nil {
				t.Fatal(err)
			}
			for range 40 {
				r := l.Step(frame)
				sound(t, l, r)
				if r.RolledBack || r.Residual > 1e-3 {
					t.Fatalf("step %d: residual %g, %s", r.Step, r.Residual, r.Reason)
				}
			}
		})
	}
}
