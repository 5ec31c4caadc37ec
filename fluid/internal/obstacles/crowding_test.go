package obstacles_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// An obstacle that leaves too little room for the liquid is named, with the litres, and these are back when it has gone, whatever
// has happened in between; so are no more.
func TestObstacleLargerThanTheRoom(t *testing.T) {
	all := fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 2, Z: 2}})
	most := fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .65, Y: 2, Z: 2}})
	for _, c := range []struct {
		name  string
		shape fluid.SDF
		fill  fluid.SDF
		steps int
		moves bool
	}{
		{"all, full", all, fluid.Below(.8), 5, false}, {"all, half full", all, fluid.Below(.43), 5, false}, {"all, for long", all, fluid.Below(.43), 60, false},
		{"all, a ball", all, fluid.Sphere(r3.Vec{X: .4, Y: .3, Z: .4}, .25), 40, false}, {"most", most, fluid.Below(.6), 60, false}, {"most, at once", most, fluid.Below(.6), 1, false},
		{"all, moved there", all, fluid.Below(.5), 30, true}, {"most, moved there", most, fluid.Below(.6), 30, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
			testrig.Must(t, l.Fill(c.fill))
			filled := l.Ledger().FilledL
			testrig.GoesOn(t, l, 2)
			id, err := l.AddObstacle(c.shape)
			if err != nil {
				t.Fatal(err)
			}
			if c.moves {
				testrig.Must(t, l.MoveObstacle(id, fluid.Motion{}))
			}
			named := 0
			for range c.steps {
				for _, w := range testrig.GoesOn(t, l, 1).Warnings {
					if w.Knob == "AddObstacle" && strings.Contains(w.Text, fmt.Sprintf("obstacle %d ", id)) && strings.Contains(w.Text, "litres") {
						named++
					}
				}
			}
			lack := -l.Ledger().DriftL
			if want := lack > .01*filled; (named == 1) != want && c.steps > 1 {
				t.Errorf("of %.0f l %.0f lack; the obstacle is named %d times", filled, lack, named)
			}
			testrig.Must(t, l.RemoveObstacle(id))
			testrig.GoesOn(t, l, 240)
			if g := l.Ledger(); math.Abs(g.DriftL) > .005*filled {
				t.Errorf("of %.1f l %.1f lacked, and %+.1f do after the obstacle has gone", filled, lack, -g.DriftL)
			}
		})
	}
}

// A tank that an obstacle has made brimful is as full as before when that is gone: air is let in where it was.
func TestBrimfulTankGetsItsAirBack(t *testing.T) {
	for name, shape := range map[string]fluid.SDF{
		"slab":  fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .25, Y: 2, Z: 2}}),
		"ball":  fluid.Sphere(r3.Vec{X: .33, Y: .3, Z: .4}, .35),
		"block": fluid.Box(r3.Box{Min: r3.Vec{X: .2, Y: .1, Z: .2}, Max: r3.Vec{X: .5, Y: .6, Z: .7}}),
	} {
		for _, level := range []float64{.6, .7, .75} {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
			testrig.Must(t, l.Fill(fluid.Below(level)))
			filled := l.Ledger().FilledL
			testrig.About(t, "filled", filled, 640*level)
			id, err := l.AddObstacle(shape)
			if err != nil {
				t.Fatal(err)
			}
			testrig.GoesOn(t, l, 40)
			testrig.Must(t, l.RemoveObstacle(id))
			testrig.GoesOn(t, l, 180)
			if g := l.Ledger(); math.Abs(g.DriftL) > .005*filled {
				t.Errorf("%s, filled to %g m: %.1f l, later %+.1f", name, level, filled, g.DriftL)
			}
		}
	}
}
