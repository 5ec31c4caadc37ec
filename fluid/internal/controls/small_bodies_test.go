package controls_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A control takes hold of the faces beside small bodies: no step is taken back, what the control acts with is finite, and no litre is lost.
// Bodies that the cells can't resolve lose up to 2 % of the weight's impulse without control too.
func TestControlAndSmallBodies(t *testing.T) { testrig.EachDiscretisation(t, controlAndSmallBodies) }

func controlAndSmallBodies(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	type item struct {
		size, density float64
		at            r3.Vec
	}
	box := item{.1, 500, r3.Vec{X: .3, Y: .35, Z: .3}}
	near := []item{box, {.13, 300, r3.Vec{X: .17, Y: .37, Z: .42}}, {.1, 900, r3.Vec{X: .21, Y: .25, Z: .33}}, {.05, 100, r3.Vec{X: .28, Y: .3, Z: .45}}}
	for _, c := range []struct {
		items    []item
		strength float64
		radius   float64
		joined   bool
	}{
		{[]item{box}, .5, .1, false},
		{[]item{box}, 1, .1, false},
		{[]item{box}, .1, .17, false},
		{[]item{{.04, 500, r3.Vec{X: .2, Y: .38, Z: .38}}}, .5, .1, false}, // no cell sees it
		{[]item{{.07, 1500, r3.Vec{X: .22, Y: .41, Z: .4}}}, 1, .13, false},
		{near, .5, .13, false},
		{near, 1, .2, false},
		{near[:2], .5, .13, true},
	} {
		for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
			t.Run(fmt.Sprintf("%d/%.2g/%.2g/%.3g", len(c.items), c.strength, c.radius, 1/dt), func(t *testing.T) {
				world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -standardGravity}})
				var bodies []physics.Body
				for _, i := range c.items {
					bodies = append(bodies, addBody(t, world, physics.Box(physics.Centred(i.size, i.size, i.size)), i.density, i.at))
				}
				if c.joined {
					if _, err := world.AddJoint(physics.JointDef{Kind: physics.BallJoint, A: bodies[0], B: bodies[1], Anchor: r3.Scale(.5, r3.Add(c.items[0].at, c.items[1].at))}); err != nil {
						t.Fatal(err)
					}
				}
				liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: .6, Y: .6, Z: .6}}, CellSize: .1, Discretisation: of, Resources: fluid.Resources{Workers: 1}})
				if err != nil {
					t.Fatal(err)
				}
				defer liq.Close()
				if err := liq.Fill(fluid.Below(.3)); err != nil {
					t.Fatal(err)
				}
				liq.Couple(world.Coupling())
				liq.TrackMomentum(true)
				ball := sphereMesh(4, c.radius)
				ball.at = standing(r3.Vec{X: .2, Y: .3, Z: .4})
				if _, err := liq.AddControl(fluid.ControlDef{Clip: ball, Strength: c.strength}); err != nil {
					t.Fatal(err)
				}
				held := stepped(t, liq, dt).Ledger.HeldL
				for i := range int(.5/dt) - 1 {
					r := stepped(t, liq, dt)
					for _, c := range r.Controls {
						if !geom.FiniteVec(c.Force) {
							t.Fatalf("step %d: the control acts with %v N", i, c.Force)
						}
					}
					if lost := r3.Norm(r.Momentum.Lost()); !(lost <= .04*held*standardGravity*dt) {
						t.Fatalf("step %d: %.3g N·s are lost of a weight × dt of %.3g", i, lost, held*standardGravity*dt)
					}
					if d := r.Ledger.DriftL; !(d >= -.01*held && d <= .01*held) {
						t.Fatalf("step %d: %.3g l of %.3g come from nowhere", i, d, held)
					}
				}
				for i, b := range bodies {
					if v := r3.Norm(b.Velocity()); !(v <= 3) {
						t.Errorf("body %d has %.3g m/s", i, v)
					}
				}
			})
		}
	}
}
