package obstacles_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Where there is no liquid none appears: beyond open sides the grid gets as coarse after an edit as it was.
func TestNothingComesOfNothing(t *testing.T) {
	for _, sides := range []fluid.Sides{{}, {MinX: fluid.Open}, {MinX: fluid.Open, MaxY: fluid.Open}, {MinX: fluid.Open, MaxX: fluid.Open, MinY: fluid.Open, MaxY: fluid.Open, MinZ: fluid.Open, MaxZ: fluid.Open}} {
		for _, edge := range []float64{.8, 1.35, 2.1} {
			for _, height := range []float64{-.02, .01, .3, .55} {
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(edge, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Sides: sides})
				testrig.Must(t, l.Drain(fluid.Below(height)))
				for range 4 {
					l.Step(testrig.Frame)
					if held := l.Ledger().HeldL; held != 0 {
						t.Fatalf("%g m long, open %+v, drained below %g: holds %g l", edge, sides, height, held)
					}
				}
			}
		}
	}
}

// A shape that is filled where a body is counts for nothing, now and when the body is gone.
func TestNothingIsFilledInABody(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	l.Couple(testrig.NewPuppet(testrig.Ball{Kind: engine.Static, X: r3.Vec{X: .1, Y: .1, Z: .1}, Radius: .6, Mass: 1}))
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .1, Y: .1, Z: .1}, .35)))
	testrig.GoesOn(t, l, 2)
	l.Couple(nil)
	testrig.GoesOn(t, l, 5)
	if g := l.Ledger(); g.FilledL != 0 || g.HeldL != 0 {
		t.Errorf("%+v", g)
	}
}

// Nor does a shape in an obstacle that reaches up to an open side, or on beyond it, once that is removed.
func TestNothingIsFilledInAnObstacle(t *testing.T) {
	for _, shape := range []fluid.SDF{fluid.Box(testrig.Box(.8, .8, .8)), fluid.Below(.38), fluid.Sphere(r3.Vec{Y: .4, Z: .4}, .5)} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}, Sides: fluid.Sides{MinX: fluid.Open, MaxY: fluid.Open}})
		id, err := l.AddObstacle(fluid.Box(testrig.Box(.8, .8, .8)))
		if err != nil {
			t.Fatal(err)
		}
		testrig.Must(t, l.Fill(shape))
		testrig.Must(t, l.RemoveObstacle(id))
		testrig.GoesOn(t, l, 5)
		if g := l.Ledger(); g.FilledL != 0 || g.HeldL != 0 {
			t.Errorf("%T: %+v", shape, g)
		}
	}
}
