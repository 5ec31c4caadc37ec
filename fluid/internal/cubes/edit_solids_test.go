package cubes_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What Fill books around solids that are deep in the shape is what there is room for, whatever the levels of the blocks were: an
// obstacle, one that moves, a static and a dynamic body; a slab and balls, a small one too. Draining it all leaves nothing.
func TestFillAroundSolidsIsBookedRight(t *testing.T) {
	testrig.EachDiscretisation(t, fillAroundSolidsIsBookedRight)
}

func fillAroundSolidsIsBookedRight(t *testing.T, of fluid.Discretisation) {
	slab := fluid.Cylinder(testrig.Vec(.64, .64, .48), testrig.Vec(.48, .64, .64), 1.39) // what of it is in the domain is a slab of 16 √2 cm
	middle := testrig.Vec(.4, .4, .4)
	ofBall := func(r float64) float64 { return 512 - 4*math.Pi/3*r*r*r/testrig.Litre }
	solids := map[string]struct {
		put  func(l *fluid.Liquid) error
		room float64 // litres
	}{
		"slab": {func(l *fluid.Liquid) error { _, err := l.AddObstacle(slab); return err }, .64 * .64 * .8 / testrig.Litre},
		"ball": {func(l *fluid.Liquid) error { _, err := l.AddObstacle(fluid.Sphere(middle, .3)); return err }, ofBall(.3)},
		"small ball": {func(l *fluid.Liquid) error {
			_, err := l.AddObstacle(fluid.Sphere(testrig.Vec(.3, .4, .5), .15))
			return err
		}, ofBall(.15)},
		"moving ball": {func(l *fluid.Liquid) error {
			id, err := l.AddObstacle(fluid.Sphere(testrig.Vec(0, 0, 0), .3))
			if err != nil {
				return err
			}
			return l.MoveObstacle(id, fluid.Motion{Translation: middle})
		}, ofBall(.3)},
		"static body": {func(l *fluid.Liquid) error {
			l.Couple(testrig.NewPuppet(testrig.Ball{Kind: engine.Static, X: middle, Radius: .3}))
			return nil
		}, ofBall(.3)},
		"small body": {func(l *fluid.Liquid) error {
			l.Couple(testrig.NewPuppet(testrig.Ball{Kind: engine.Dynamic, X: testrig.Vec(.3, .4, .5), Radius: .15, Mass: 14}))
			return nil
		}, ofBall(.15)},
	}
	for name, c := range solids {
		t.Run(name, func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Discretisation: of, Resources: fluid.Resources{Workers: 1}})
			testrig.Must(t, c.put(l))
			testrig.Must(t, l.Fill(fluid.Below(1.39)))
			g := l.Ledger()
			if math.Abs(g.FilledL-c.room) > .02*c.room || g.DriftL != 0 {
				t.Errorf("there is room for %.1f litres: %+v", c.room, g)
			}
			testrig.Must(t, l.Fill(fluid.Box(r3.Box{Max: testrig.Vec(.41, .64, .39)})))
			if again := l.Ledger(); math.Abs(again.HeldL-g.HeldL) > 2e-2*c.room || math.Abs(again.DriftL) > 2e-2*c.room {
				t.Errorf("filling what is full: %+v after %+v", again, g)
			}
			r := *l.Step(testrig.Frame)
			if testrig.Sound(t, l, r); math.Abs(r.Ledger.DriftL) > .07*c.room {
				t.Errorf("after a step %+v", r.Ledger)
			}
			testrig.Must(t, l.Drain(fluid.Below(1.39)))
			if g := l.Ledger(); g.HeldL > 1e-6 {
				t.Errorf("drained of all: %+v", g)
			}
		})
	}
}
