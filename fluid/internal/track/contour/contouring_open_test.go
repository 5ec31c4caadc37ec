package contour_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Beside an open side, where blocks change their levels and liquid goes, the contour's mesh stays closed: tiles of any level tell the same side for a node that
// they share.
func TestContourStaysClosedBesideOpenSides(t *testing.T) {
	for name, s := range map[string]struct {
		def  fluid.Def
		fast float64 // m/s
		fill float64 // m
	}{
		"open":      {def: fluid.Def{Domain: testrig.Box(.95, .6, .6), CellSize: .06, Sides: fluid.Sides{MaxX: fluid.Open}}, fill: .3},
		"on grid":   {def: fluid.Def{Domain: testrig.Box(.96, .6, .6), CellSize: .06, Sides: fluid.Sides{MaxX: fluid.Open}}, fill: .3},
		"low":       {def: fluid.Def{Domain: testrig.Box(.83, .5, .5), CellSize: .05, Sides: fluid.Sides{MinX: fluid.Open}}, fill: .217},
		"two sides": {def: fluid.Def{Domain: testrig.Box(.77, .5, .7), CellSize: .06, Sides: fluid.Sides{MaxX: fluid.Open, MinZ: fluid.Open}, Numerics: fluid.Numerics{Thickening: true}}, fill: .31},
		"flow":      {def: fluid.Def{Domain: testrig.Box(.95, .6, .6), CellSize: .06, Sides: fluid.Sides{MaxX: fluid.Flow, MinX: fluid.Flow}}, fast: 5, fill: .3},
		"fast":      {def: fluid.Def{Domain: testrig.Box(.89, .55, .6), CellSize: .06, Sides: fluid.Sides{MaxZ: fluid.Flow}, Numerics: fluid.Numerics{SurfaceDetail: 4}}, fast: 9, fill: .27},
	} {
		for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120, 1. / 240} {
			if testing.Short() && (dt != 1./60 || s.def.Numerics.SurfaceDetail > 2) {
				continue
			}
			d := s.def
			d.Resources.Workers, d.Tracker = 1, fluid.Contouring
			l := testrig.New(t, d)
			testrig.Must(t, l.Fill(fluid.Below(s.fill)))
			if s.fast > 0 {
				testrig.Must(t, l.SetVelocity(fluid.Below(s.fill), func(r3.Vec) r3.Vec { return r3.Vec{X: s.fast, Z: s.fast} }))
			}
			for n := range 6 {
				r := *l.Step(dt)
				testrig.Sound(t, l, r)
				if err := testrig.FV(l).Tracker.(interface{ Check() error }).Check(); err != nil || r.Err != nil {
					t.Errorf("%s, %g s, step %d: %v %s", name, dt, n, err, r.Err)
					break
				}
			}
		}
	}
}
