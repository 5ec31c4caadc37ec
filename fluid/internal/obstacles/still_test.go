package obstacles_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Liquid at rest stays at rest at whatever obstacles stand in it, wherever they cut its cells.
func TestStillLiquidAtObstacles(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	within := func(lo, hi float64) float64 { return lo + (hi-lo)*random.Float64() }
	shapes := map[string]fluid.SDF{
		"step":   fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .63, Y: .74, Z: 3}}),
		"post":   fluid.Box(r3.Box{Min: r3.Vec{X: .53, Y: -1, Z: .44}, Max: r3.Vec{X: .97, Y: 3, Z: .91}}),
		"column": fluid.Cylinder(r3.Vec{X: .83, Y: -.5, Z: .77}, r3.Vec{X: .83, Y: 3, Z: .77}, .27),
		"bowl":   fluid.Shell(fluid.Sphere(r3.Vec{X: .8, Y: .3, Z: .8}, .5), .04),
	}
	for n := range testrig.InShort(4, 12) {
		centre := r3.Vec{X: within(.6, 1), Y: within(.3, 1), Z: within(.6, 1)}
		turn := quat.Exp(quat.Number{Imag: within(-1, 1), Jmag: within(-1, 1), Kmag: within(-1, 1)})
		block := fluid.Box(r3.Box{Min: r3.Vec{X: -.3, Y: -.2, Z: -.25}, Max: r3.Vec{X: .3, Y: .2, Z: .25}})
		shapes[fmt.Sprintf("ball at %.3f", centre)] = fluid.Sphere(centre, within(.15, .4))
		shapes[fmt.Sprintf("block %d at %.3f", n, centre)] = fluid.Transform(block, turn, centre)
	}
	for name, shape := range shapes {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
		if _, err := l.AddObstacle(shape); err != nil {
			t.Fatal(err)
		}
		testrig.Must(t, l.Fill(fluid.Below(1.03)))
		top := 0.
		for range 30 {
			top = max(top, l.Step(testrig.Frame).MaxSpeed)
		}
		if g := l.Ledger(); top > 1e-3 || math.Abs(g.DriftL) > 1e-3*g.FilledL {
			t.Errorf("%s: up to %.4f m/s, %.3f l of %.0f drifted", name, top, g.DriftL, g.FilledL)
		}
	}
}
