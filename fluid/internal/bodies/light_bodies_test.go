package bodies_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"github.com/meniscus3d/meniscus/physics"
)

// A body of a thousandth or a hundredth of the liquid's density that falls on it from a metre stays about there: the liquid takes what little momentum it has, and
// lifts it out no faster than it itself moves. Without dissipation it would rebound by some centimetres; the liquid that is thrown up carries it further.
func TestLightBodyDoesNotRebound(t *testing.T) {
	rates, shapes := []float64{60, 30, 120, 240}, []physics.Geometry{physics.Box(physics.Centred(.4, .4, .4)), physics.Sphere(r3.Vec{}, .2), physics.Box(physics.Centred(.5, .3, .4))}
	if testing.Short() {
		rates, shapes = rates[:2], shapes[:2]
	}
	for k, shape := range shapes {
		for _, rate := range rates {
			for _, density := range []float64{1, 10} {
				t.Run(fmt.Sprintf("%d/%g Hz/%g kg per m3", k, rate, density), func(t *testing.T) {
					w := testrig.Earth()
					l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.6, 1.6), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
					testrig.Must(t, l.Fill(fluid.Below(.7)))
					half := .2
					if k == 2 {
						half = .15
					}
					b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: .813, Y: .7 + half + 1 - .013*float64(k), Z: .787}, shape, density)
					l.Couple(w.Coupling())
					top, met := -1., false
					for range int(1.5 * rate) {
						l.Step(1 / rate)
						bottom := b.Position().Y - half - .7
						if met = met || bottom < .01; met {
							top = max(top, bottom)
						}
					}
					if !met || top > .25 {
						t.Errorf("meets the liquid: %v; rebounds by %.2f m", met, top)
					}
				})
			}
		}
	}
}

// A body that is thrown about by a dam that breaks, and pressed against walls by thousands of times its weight, is not faster than the liquid that
// does it: that falls by .5 m, and its jets are some three times as fast.
func TestLightBodyIsNotSqueezedAway(t *testing.T) {
	rates, densities := []float64{60, 30, 120, 45}, []float64{.1, 1, 10}
	if testing.Short() {
		rates, densities = rates[:2], densities[:2]
	}
	for _, rate := range rates {
		for _, density := range densities {
			for k, shape := range []physics.Geometry{physics.Sphere(r3.Vec{}, .15), physics.Box(physics.Centred(.25, .25, .25)), physics.Sphere(r3.Vec{}, .12)} {
				t.Run(fmt.Sprintf("%g Hz/%g kg per m3/%d", rate, density, k), func(t *testing.T) {
					w := testrig.Earth()
					for _, wall := range []r3.Box{
						{Min: r3.Vec{X: 1.6, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 3, Z: 2}}, {Min: r3.Vec{X: -.4, Y: -1, Z: -1}, Max: r3.Vec{Y: 3, Z: 2}},
						{Min: r3.Vec{X: -1, Y: -1, Z: .8}, Max: r3.Vec{X: 3, Y: 3, Z: 1.2}}, {Min: r3.Vec{X: -1, Y: -1, Z: -.4}, Max: r3.Vec{X: 3, Y: 3}},
						{Min: r3.Vec{X: -1, Y: -.4, Z: -1}, Max: r3.Vec{X: 3, Z: 2}},
					} {
						size := wall.Size()
						testrig.Place(t, w, physics.Static, wall.Center(), physics.Box(physics.Centred(size.X, size.Y, size.Z)), 1)
					}
					l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
					testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.5, .7, .8))))
					testrig.Must(t, l.Fill(fluid.Below(.2)))
					b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 1.4 - .11*float64(k), Y: .4, Z: .4 + .083*float64(k)}, shape, density)
					l.Couple(w.Coupling())
					most := 0.
					for n := range int(2 * rate) {
						if r := *l.Step(1 / rate); r.Err != nil {
							t.Fatalf("step %d: %s", n, r.Err)
						}
						most = max(most, reproducible.Norm(b.Velocity()))
					}
					known := 25.
					if density < 1 {
						known = 200
					}
					testrig.FallsShort(t, "the body is thrown at, m/s", most, 10, known)
				})
			}
		}
	}
}

// V46: what is released under water leaves it as fast whatever the step.
func TestBreachingSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for _, c := range []struct {
		name  string
		shape physics.Geometry
		known float64
	}{{"ball", physics.Sphere(r3.Vec{}, .25), 1.6}, {"cube", physics.Box(physics.Centred(.4, .4, .4)), 1.2}} {
		t.Run(c.name, func(t *testing.T) {
			least, most := 1e9, 0.
			for _, rate := range []float64{30, 60, 120, 240} {
				w := testrig.Earth()
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(2, 3, 2), CellSize: .1})
				testrig.Must(t, l.Fill(fluid.Below(1.6)))
				b := testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 1.013, Y: .6, Z: .987}, c.shape, 100)
				l.Couple(w.Coupling())
				exit := 0.
				for range int(1.2 * rate) {
					if l.Step(1 / rate); b.Position().Y < 1.85 {
						exit = max(exit, b.Velocity().Y)
					}
				}
				least, most = min(least, exit), max(most, exit)
			}
			testrig.FallsShort(t, "the ratio of the speeds with which it leaves the water", most/least, 1.06, c.known)
		})
	}
}
