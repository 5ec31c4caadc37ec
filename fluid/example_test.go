package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
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
	crate, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 1, Y: 1.2, Z: 1}, LinearDamping: 1})
	if err == nil {
		_, err = crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.6, .6, .6)), Density: 500})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	liq.Couple(world.Coupling())
	for range 150 {
		liq.Step(1. / 60) // the bodies step with it
	}
	fmt.Printf("%.0f litres\n", liq.Ledger().FilledL)
	fmt.Printf("half under water: %v\n", liq.BodyLoad(0).Fraction > .4 && liq.BodyLoad(0).Fraction < .6)
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
	liq.Sample(answers, points)
	for i, s := range answers {
		fmt.Printf("y = %.2f m: inside %v, the surface %+.2f m above\n", points[i].Y, s.Inside, s.Height)
	}
	// Output:
	// y = 0.25 m: inside true, the surface +0.25 m above
	// y = 0.75 m: inside false, the surface -0.25 m above
}

// A tap follows the game: it is moved and set while it runs, and gives what its rates add up to.
func ExampleLiquid_MoveEmitter() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 1}}, CellSize: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	hose := fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .5, Y: .8, Z: .5}, .05), Velocity: r3.Vec{Y: -1}, Rate: 2} // litres/s
	id, err := liq.AddEmitter(hose)
	for n := range 60 {
		if err == nil {
			err = liq.MoveEmitter(id, r3.Vec{X: float64(n) / 60}, quat. // m, from where it was added
											Number{})
		}
		liq.Step(1. / 60)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f litres\n", liq.Ledger().EmittedL)
	// Output:
	// 2.0 litres
}

// A function of a game's own says what accelerates the liquid: here what swirls around a line, the faster the higher.
func ExampleField() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(0.5)); err != nil {
		fmt.Println(err)
		return
	}
	_, err = liq.AddField(fluid.Field{Kind: fluid.FuncField, Strength: 5, Func: func(dst, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = r3.Vec{X: 4 * p.Y * (p.Z - .5), Z: -4 * p.Y * (p.X - .5)} // m/s²
		}
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 30 {
		liq.Step(1. / 60)
	}
	var s [1]fluid.Sample
	liq.Sample(s[:], []r3.Vec{{X: .8, Y: .3, Z: .5}})
	fmt.Println("it turns:", s[0].Velocity.Z < -.05)
	// Output:
	// it turns: true
}

// A charge at the surface throws up a crater; a blow sends a wave along the tank.
func ExampleLiquid_Explode() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 1.5, Z: 2}}, CellSize: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	err = liq.Fill(fluid.Below(0.8))
	if err == nil {
		err = liq.Explode(r3.Vec{X: 1, Y: .8, Z: 1}, .4, 100) // m, N·s
	}
	if err == nil {
		err = liq.Impulse(r3.Vec{X: .2, Y: .6, Z: 1}, .5, r3.Vec{X: 20}) // N·s
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 12 {
		liq.Step(1. / 60)
	}
	var s [1]fluid.Sample
	liq.Sample(s[:], []r3.Vec{{X: 1, Y: .3, Z: 1}})
	fmt.Println("a crater:", .3+s[0].Height < .75)
	// Output:
	// a crater: true
}

// Wind from the side drags the surface along.
func ExampleLiquid_SetWind() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 1}}, CellSize: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	err = liq.Fill(fluid.Below(0.45))
	if err == nil {
		err = liq.SetWind(fluid.Wind{Velocity: r3.Vec{X: 20}, Drag: .02}) // m/s; ten times as much as real air drags
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 60 {
		liq.Step(1. / 60)
	}
	var s [1]fluid.Sample
	liq.Sample(s[:], []r3.Vec{{X: 1, Y: .4, Z: .5}})
	fmt.Println("downwind:", s[0].Velocity.X > .01)
	// Output:
	// downwind: true
}
