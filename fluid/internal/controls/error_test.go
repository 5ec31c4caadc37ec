package controls_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A control tells how far the liquid's surface is from its own, also where that is deep in the shape: of a hollow ball, the thickness of its wall.
func TestErrorOfHollowShape(t *testing.T) { testrig.EachDiscretisation(t, errorOfHollowShape) }

func errorOfHollowShape(t *testing.T, of fluid.Discretisation) {
	const radius = .6
	most := 0.
	for _, c := range []struct {
		cell, hollow, off, dt float64 // m, s
		strength              float64
	}{
		{.1, .25, 0, 1. / 60, 1}, {.1, 0, .03, 1. / 60, 1}, {.05, .15, .013, 1. / 120, 1}, {.1, .3, .05, 1. / 240, .5}, {.05, .3, 0, 1. / 30, 1},
	} {
		if c.cell < .1 && testing.Short() {
			continue
		}
		centre := r3.Vec{X: c.off, Y: 1, Z: -c.off}
		m := sphereMesh(4, radius)
		m.at = standing(centre)
		def := controlDef(of)
		def.CellSize, def.Physics.Gravity = c.cell, r3.Vec{Y: -1e-9}
		shape := fluid.Sphere(centre, radius)
		if c.hollow > 0 {
			shape = fluid.Difference(shape, fluid.Sphere(centre, c.hollow))
		}
		liq, _ := following(t, def, shape, fluid.ControlDef{Clip: m, Strength: c.strength})
		told := stepped(t, liq, c.dt).Controls[0]
		name := fmt.Sprintf("hollow of %g m in cells of %g m, %g m off, %.4f s", c.hollow, c.cell, c.off, c.dt)
		t.Logf("%s: %.2f cells on the mean, %.2f at most", name, told.Error/c.cell, told.Worst/c.cell)
		if c.hollow == 0 {
			if !(told.Worst <= .2*c.cell) {
				t.Errorf("%s: %.2f cells off", name, told.Worst/c.cell)
			}
			continue
		}
		wall := radius - c.hollow
		if most = max(most, told.Worst/wall); !(told.Worst >= .95*wall) {
			t.Errorf("%s: %.3f m off at most, the wall is %.3f m thick", name, told.Worst, wall)
		}
		area := c.hollow * c.hollow / (c.hollow*c.hollow + radius*radius) // the hollow's part of the liquid's surface
		if !(told.Error*told.Error >= .5*area*wall*wall && told.Error*told.Error <= 1.5*area*wall*wall) {
			t.Errorf("%s: %.3f m off on the mean; %.2f of the surface is %.3f m off", name, told.Error, area, wall)
		}
	}
	testrig.FallsShort(t, "how far off it tells the hollow to be, of its wall", most, 1.15, [2]float64{fluid.Cubes: 1.15, fluid.Tetrahedra: 1.16}[of])
}
