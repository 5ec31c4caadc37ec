package fv_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// drifts fills a tank on tetrahedra up to a plane that is level under gravity, and returns how fast the liquid is after each of some steps, over |g|dt.
func drifts(t *testing.T, size r3.Box, gravity, through r3.Vec, view fluid.View, steps int) (speeds []float64, last fluid.Report) {
	t.Helper()
	const dt = 1. / 60
	l := testrig.New(t, fluid.Def{
		Domain: size, CellSize: .1, Discretisation: fluid.Tetrahedra, Physics: fluid.Physics{Gravity: gravity},
		Numerics: fluid.Numerics{Tolerance: 1e-10, MaxIterations: 300, Undamped: true},
	})
	testrig.Must(t, l.Fill(fluid.HalfSpace(through, r3.Unit(r3.Scale(-1, gravity)))))
	testrig.Must(t, l.SetView(view))
	for range steps {
		if last = *l.Step(dt); last.Err != nil {
			t.Fatal(last.Err)
		}
		speeds = append(speeds, testrig.Fastest(l)/(r3.Norm(gravity)*dt))
	}
	return speeds, last
}

// A pool whose surface is level stays still on tetrahedra, wherever the surface passes through their cells, also where it passes through vertices.
func TestStillPoolAtAnyLevel(t *testing.T) {
	for _, y := range []float64{.8, .8137, .851} {
		speeds, _ := drifts(t, testrig.Box(2.4, 1.6, 1.6), r3.Vec{Y: -9.81}, r3.Vec{Y: y}, testrig.LookFrom(1.2, .9, .8), 3)
		for step, v := range speeds {
			if v > 1e-6 {
				t.Errorf("level %v, step %d: %.3g |g|dt", y, step, v)
			}
		}
	}
}

// A pool whose surface is level under gravity that is aslant stays still, also where the surface leaves through edges and corners of the tank.
func TestStillPoolAtAnyTilt(t *testing.T) {
	for _, c := range []struct{ gravity, through r3.Vec }{
		{r3.Vec{X: 3, Y: -8, Z: 5}, r3.Vec{X: 1.2, Y: .8, Z: .8}}, {r3.Vec{X: -6, Y: -7, Z: -2}, r3.Vec{X: 1.23, Y: .71, Z: .8}}, {r3.Vec{X: 9.5, Y: -2.5, Z: .5}, r3.Vec{X: 1.23, Y: .71, Z: .8}},
	} {
		speeds, _ := drifts(t, testrig.Box(2.4, 1.6, 1.6), c.gravity, c.through, testrig.LookFrom(1.2, .9, .8), 3)
		for step, v := range speeds {
			if v > 1e-6 {
				t.Errorf("gravity %v, step %d: %.3g |g|dt", c.gravity, step, v)
			}
		}
	}
}

// A pool is as still where its surface passes from small cells to large ones, in which its distance is one further out than the small cells knew it.
func TestStillPoolAcrossSizes(t *testing.T) {
	for _, c := range []struct{ gravity, through r3.Vec }{
		{r3.Vec{Y: -9.81}, r3.Vec{Y: .8137}}, {r3.Vec{Y: -9.81}, r3.Vec{Y: .871}},
		{r3.Vec{X: 3, Y: -8, Z: 5}, r3.Vec{X: 1.2, Y: .8, Z: .8}}, {r3.Vec{X: -6, Y: -7, Z: -2}, r3.Vec{X: 1.23, Y: .71, Z: .8}},
	} {
		speeds, r := drifts(t, testrig.Box(3.2, 1.6, 2.4), c.gravity, c.through, testrig.LookFrom(2, .6, .8), 3)
		if r.Cells[1] == 0 {
			t.Fatalf("cells per level %v: the test needs cells of different size", r.Cells)
		}
		for step, v := range speeds {
			if v > 1e-6 {
				t.Errorf("gravity %v, surface through %v, step %d: %.3g |g|dt", c.gravity, c.through, step, v)
			}
		}
	}
}

// A pool that was filled up to the walls of a basin, and no further, stays still: nothing of its surface is at a wall, wherever that stands and however it leans.
func TestStillPoolFilledUpToWalls(t *testing.T) {
	testrig.EachDiscretisation(t, stillPoolFilledUpToWalls)
}

func stillPoolFilledUpToWalls(t *testing.T, of fluid.Discretisation) {
	const dt = 1. / 60
	far := fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 2, Z: 2}})
	basin := fluid.Box(r3.Box{Min: r3.Vec{X: .12, Y: .08, Z: .07}, Max: r3.Vec{X: .66, Y: 2, Z: .34}})
	round := fluid.Cylinder(r3.Vec{X: .4, Y: .07, Z: .4}, r3.Vec{X: .4, Y: 2, Z: .4}, .31)
	leaning := r3.Unit(r3.Vec{X: 1, Y: -.3, Z: .2})
	for name, c := range map[string]struct {
		open  fluid.SDF
		solid fluid.SDF
		litre float64
	}{
		"basin": {basin, fluid.Difference(far, basin), .54 * .35 * .27 / testrig.Litre}, "round basin": {round, fluid.Difference(far, round), 0},
		"leaning wall": {fluid.HalfSpace(r3.Vec{X: .53}, leaning), fluid.HalfSpace(r3.Vec{X: .53}, r3.Scale(-1, leaning)), 0},
	} {
		l := testrig.New(t, fluid.Def{
			Discretisation: of, Domain: testrig.Box(.8, .8, .8), CellSize: .05, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-10, MaxIterations: 300, Undamped: true},
		})
		if _, err := l.AddObstacle(c.solid); err != nil {
			t.Fatal(err)
		}
		testrig.Must(t, l.Fill(fluid.Intersection(fluid.Below(.43), c.open)))
		if held := l.Ledger().HeldL; c.litre > 0 && math.Abs(held-c.litre) > 1e-3*c.litre {
			t.Errorf("%s: holds %g litres, want %g", name, held, c.litre)
		}
		for step := range 3 {
			if r := *l.Step(dt); r.Err != nil {
				t.Fatal(r.Err)
			}
			if v := testrig.Fastest(l) / (9.81 * dt); v > 1e-6 {
				t.Errorf("%s, step %d: %.3g |g|dt", name, step, v)
			}
		}
	}
}
