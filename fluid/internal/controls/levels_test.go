package controls_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A shape whose surface crosses faces between large cells and small ones that are partly air is as enclosed as any: with such faces left free, all that the
// others do not balance flows through these few.
func TestShapeIsEnclosedBetweenLevels(t *testing.T) {
	testrig.EachDiscretisation(t, shapeIsEnclosedBetweenLevels)
}

func shapeIsEnclosedBetweenLevels(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	d := controlDef(of)
	d.Budget = fluid.Budget{Work: 1.2}
	m := sphereMesh(4, .4)
	m.at = func(x r3.Vec, t float64) r3.Vec {
		sin, cos := math.Sincos(2 * t)
		return r3.Add(x, r3.Vec{X: .4 * sin, Y: 1.3, Z: .4 * (1 - cos)})
	}
	liq, _ := following(t, d, fluid.Below(.5), fluid.ControlDef{Clip: m, Strength: 1, Arrival: control.Appear})
	between := false
	for range 60 {
		r := stepped(t, liq, 1./60)
		between = between || r.Unknowns[0] > 0 && r.Unknowns[1] > 0
		if r.MaxSpeed > 3 {
			t.Fatalf("%.2f s: the liquid moves at %.1f m/s, the shape at .8", r.Time, r.MaxSpeed)
		}
	}
	if !between {
		t.Error("all cells are of one size")
	}
}
