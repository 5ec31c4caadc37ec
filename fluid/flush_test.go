package fluid_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What is cut flush with the face of what it is cut from is open, wherever it stands and whatever it is made of.
func TestFlushCutsAreOpen(t *testing.T) {
	cut := func(of fluid.SDF) fluid.SDF { return fluid.Difference(fluid.Box(testrig.TubBlock), of) }
	outside := fluid.Difference(fluid.HalfSpace(r3.Vec{}, r3.Vec{Y: 1}), fluid.Box(testrig.TubCut))
	for k, c := range []struct {
		name  string
		shape fluid.SDF
	}{
		{"difference", cut(fluid.Box(testrig.TubCut))},
		{"pipe flush with its block", fluid.Difference(fluid.Box(testrig.TubBlock), fluid.Cylinder(r3.Vec{Y: -.4}, r3.Vec{}, .2))},
		{"two touching boxes cut out", cut(fluid.Union(fluid.Box(testrig.Cuboid(-.2, -.4, -.2, .2, -.2, .2)), fluid.Box(testrig.Cuboid(-.2, -.2, -.2, .2, 0, .2))))},
		{"cut twice", fluid.Difference(cut(fluid.Box(testrig.Cuboid(-.2, -.4, -.2, .2, -.2, .2))), fluid.Box(testrig.Cuboid(-.2, -.2, -.2, .2, 0, .2)))},
		{"intersection", fluid.Intersection(fluid.Box(testrig.TubBlock), outside)},
		{"five touching boxes, united", fluid.Union(testrig.BoxesOf(testrig.TubSlabs)...)},
	} {
		for i := range testrig.Spots {
			if testing.Short() && i != k%len(testrig.Spots) {
				continue // each at one spot, and two at each
			}
			l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .9, .8), CellSize: .05})
			id, err := l.AddObstacle(c.shape)
			if s := &testrig.Spots[i]; i == 1 { // one that may move
				err = l.MoveObstacle(id, fluid.Motion{Translation: s.At, Rotation: s.Rotation()})
			} else {
				testrig.Around(l).Obstacles.All[id].Shape = s.Put(c.shape)
				fluid.UpdateStaticObstacles(l)
			}
			if err != nil {
				t.Fatal(err)
			}
			if in := testrig.PourInto(t, l, &testrig.Spots[i]); in < .8 {
				t.Errorf("%s, %s: %.1f %% of the liquid gets in", c.name, testrig.Spots[i].Name, 100*in)
			}
		}
	}
}
