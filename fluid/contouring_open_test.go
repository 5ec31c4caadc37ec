package fluid

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Beside an open side, where blocks change their levels and liquid goes, the contour's mesh stays closed: tiles of any level tell the same side for a node that
// they share.
func TestContourStaysClosedBesideOpenSides(t *testing.T) {
	for name, s := range map[string]struct {
		def  Def
		fast float64 // m/s
		fill float64 // m
	}{
		"open":      {def: Def{Domain: box(.95, .6, .6), CellSize: .06, Sides: Sides{MaxX: Open}}, fill: .3},
		"on grid":   {def: Def{Domain: box(.96, .6, .6), CellSize: .06, Sides: Sides{MaxX: Open}}, fill: .3},
		"low":       {def: Def{Domain: box(.83, .5, .5), CellSize: .05, Sides: Sides{MinX: Open}}, fill: .217},
		"two sides": {def: Def{Domain: box(.77, .5, .7), CellSize: .06, Sides: Sides{MaxX: Open, MinZ: Open}, Thickening: true}, fill: .31},
		"flow":      {def: Def{Domain: box(.95, .6, .6), CellSize: .06, Sides: Sides{MaxX: Flow, MinX: Flow}}, fast: 5, fill: .3},
		"fast":      {def: Def{Domain: box(.89, .55, .6), CellSize: .06, Sides: Sides{MaxZ: Flow}, SurfaceDetail: 4}, fast: 9, fill: .27},
	} {
		for _, dt := range []float64{1. / 30, 1. / 60, 1. / 120, 1. / 240} {
			if testing.Short() && (dt != 1./60 || s.def.SurfaceDetail > 2) {
				continue
			}
			d := s.def
			d.Workers, d.Tracker = 1, Contouring
			l := mustNew(t, d)
			if err := l.Fill(Below(s.fill)); err != nil {
				t.Fatal(err)
			}
			if s.fast > 0 {
				if err := l.SetVelocity(Below(s.fill), func(r3.Vec) r3.Vec { return r3.Vec{X: s.fast, Z: s.fast} }); err != nil {
					t.Fatal(err)
				}
			}
			for n := range 6 {
				r := l.Step(dt)
				sound(t, l, r)
				if err := fvOf(l).Tracker.(interface{ Check() error }).Check(); err != nil || r.RolledBack {
					t.Errorf("%s, %g s, step %d: %v %s", name, dt, n, err, r.Reason)
					break
				}
			}
		}
	}
}
