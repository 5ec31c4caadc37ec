package fv_test

import (
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
