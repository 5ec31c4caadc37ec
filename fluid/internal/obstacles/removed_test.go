package obstacles_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Where an obstacle is taken away from is air at first, so that no litre comes of it: not even in a tank without any other air,
// where nothing would ever take it back, and what it dammed breaks out as a wave.
func TestRemovedObstacleLeavesAir(t *testing.T) {
	dam := fluid.Box(r3.Box{Min: r3.Vec{X: .2, Y: -.1, Z: -.1}, Max: r3.Vec{X: .9, Y: .9, Z: .9}})
	for _, c := range []struct {
		name  string
		shape fluid.SDF
		fill  float64
	}{
		{"full to the lid", dam, .8}, {"a dam", dam, .5}, {"a ball under water", fluid.Sphere(r3.Vec{X: .41, Y: .27, Z: .38}, .2), .6},
		{"its complement", fluid.Difference(dam, fluid.Sphere(r3.Vec{X: .5, Y: .35, Z: .4}, .25)), .5},
	} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
		id, err := l.AddObstacle(c.shape)
		if err != nil {
			t.Fatal(err)
		}
		testrig.Must(t, l.Fill(fluid.Below(c.fill)))
		testrig.GoesOn(t, l, 5)
		testrig.Must(t, l.RemoveObstacle(id))
		g, worst := l.Ledger(), 0.
		for range 60 {
			testrig.Sound(t, l, *l.Step(testrig.Frame))
			worst = max(worst, math.Abs(l.Ledger().DriftL))
		}
		if worst > .05*g.FilledL {
			t.Errorf("%s: of %.0f l as much as %.1f came or went", c.name, g.FilledL, worst)
		}
	}
}

// An obstacle that is put elsewhere at once leaves air, too, whether it has moved before or not; one that is lifted as fast as it
// is said to move draws liquid after it.
func TestObstacleThatJumpsLeavesAir(t *testing.T) {
	block := fluid.Box(r3.Box{Min: r3.Vec{X: .2, Y: .1, Z: .2}, Max: r3.Vec{X: .6, Y: .5, Z: .6}})
	for _, c := range []struct {
		name  string
		moved bool
		way   float64 // up, m
		steps int     // that it takes
		speed float64 // m/s
		shape fluid.SDF
	}{
		{"at rest before", false, 1, 1, 0, block}, {"moved before", true, 1, 1, 0, block}, {"lifted", true, 1, 30, 2, block},
		{"without bounds", false, -1, 1, 0, fluid.HalfSpace(r3.Vec{Y: .3}, r3.Vec{Y: 1})},
	} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
		id, err := l.AddObstacle(c.shape)
		if err != nil {
			t.Fatal(err)
		}
		testrig.Must(t, l.Fill(fluid.Below(.6)))
		if c.moved {
			testrig.Must(t, l.MoveObstacle(id, fluid.Motion{}))
		}
		testrig.GoesOn(t, l, 5)
		g, worst := l.Ledger(), 0.
		for n := 1; n <= 60; n++ {
			if n <= c.steps {
				testrig.Must(t, l.MoveObstacle(id, fluid.Motion{Translation: r3.Vec{Y: c.way * float64(n) / float64(c.steps)}, Velocity: r3.Vec{Y: c.speed}}))
				worst = max(worst, math.Abs(l.Ledger().DriftL))
			}
			testrig.Sound(t, l, *l.Step(testrig.Frame))
			worst = max(worst, math.Abs(l.Ledger().DriftL))
		}
		if worst > .05*g.FilledL {
			t.Errorf("%s: of %.0f l as much as %.1f came or went", c.name, g.FilledL, worst)
		}
	}
}

// What an obstacle pressed out comes back with it where there was nowhere else to go.
func TestRemovedObstacleGivesBack(t *testing.T) {
	for name, shape := range map[string]fluid.SDF{"all": fluid.Box(testrig.Box(1, 1, 1)), "half": fluid.Box(testrig.Box(.4, 1, 1))} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
		testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.8, .8, .8))))
		id, err := l.AddObstacle(shape)
		if err != nil {
			t.Fatal(err)
		}
		testrig.GoesOn(t, l, 5)
		testrig.Must(t, l.RemoveObstacle(id))
		testrig.GoesOn(t, l, 5)
		if g := l.Ledger(); math.Abs(g.DriftL) > .01*g.FilledL {
			t.Errorf("%s: %+v", name, g)
		}
	}
}
