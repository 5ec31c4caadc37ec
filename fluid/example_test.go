package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// A server runs the liquid without a screen: water in a tank, a crate that floats on it.
func Example() {
	liq, err := fluid.New(fluid.Def{
		Domain:   r3.Box{Max: r3.Vec{X: 2, Y: 1.5, Z: 2}}, // m
		CellSize: 0.1,                                     // m
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(0.8)); err != nil {
		fmt.Println(err)
		return
	}
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	crate, err := world.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1, Y: 1.2, Z: 1}, LinearDamping: 1})
	if err == nil {
		_, err = crate.AddShape(physics.ShapeDef{Geometry: physics.Box(.6, .6, .6), Density: 500})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	liq.Couple(world)
	for range 150 {
		liq.Step(1. / 60) // the bodies step with it
	}
	fmt.Printf("%.0f litres\n", liq.Ledger().FilledL)
	fmt.Printf("half under water: %v\n", liq.Load(0).Fraction > .4 && liq.Load(0).Fraction < .6)
	// Output:
	// 3200 litres
	// half under water: true
}

// Queries work between any two steps and allocate nothing.
func ExampleLiquid_Sample() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: 0.05})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(0.5)); err != nil {
		fmt.Println(err)
		return
	}
	points := []r3.Vec{{X: .5, Y: .25, Z: .5}, {X: .5, Y: .75, Z: .5}}
	answers := make([]fluid.Sample, len(points))
	liq.Sample(points, answers)
	for i, s := range answers {
		fmt.Printf("y = %.2f m: inside %v, the surface %+.2f m above\n", points[i].Y, s.Inside, s.Height)
	}
	// Output:
	// y = 0.25 m: inside true, the surface +0.25 m above
	// y = 0.75 m: inside false, the surface -0.25 m above
}
