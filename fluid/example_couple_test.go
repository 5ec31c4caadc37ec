package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// A crate is held under water and let go. Liquid and bodies step together; the game asks what the liquid does to the crate.
func ExampleLiquid_Couple() {
	liq, world := tank()
	defer liq.Close()
	crate := addCrate(world, r3.Vec{X: .5, Y: .3, Z: .5}, 400) // kg/m³
	liq.Couple(world.Coupling())
	liq.Step(1. / 60)
	load := liq.BodyLoadByID(uint64(crate.ID()))
	fmt.Printf("%.1f kg, wholly under water: %v, pushed up: %v\n", crate.Mass(), load.Fraction > .99, load.Force.Y > 9.81*crate.Mass())
	for range 240 {
		liq.Step(1. / 60)
	}
	fmt.Println("afloat:", liq.BodyLoadByID(uint64(crate.ID())).Fraction < .6)
	// Output:
	// 10.8 kg, wholly under water: true, pushed up: true
	// afloat: true
}

// What happened in a step: a crate falls into the water, and makes a splash.
func ExampleLiquid_Events() {
	liq, world := tank()
	defer liq.Close()
	crate := addCrate(world, r3.Vec{X: .5, Y: .85, Z: .5}, 400)
	liq.Couple(world.Coupling())
	var entered, splashes int
	fastest := 0.
	for range 60 {
		liq.Step(1. / 60)
		events := liq.Events() // valid until the next step
		for _, b := range events.Entered {
			if b.ID == uint64(crate.ID()) {
				entered++
			}
		}
		for _, s := range events.Splashes { // play a sound at s.Position, as loud as s.Impulse
			splashes++
			fastest = max(fastest, s.Speed)
		}
	}
	fmt.Printf("entered: %v, splashed: %v, faster than 1 m/s: %v\n", entered > 0, splashes > 0, fastest > 1)
	// Output:
	// entered: true, splashed: true, faster than 1 m/s: true
}

// tank is a cubic metre of tank, half full, and a world for its bodies.
func tank() (*fluid.Liquid, *physics.World) {
	domain := r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}} // m
	liq, err := fluid.New(fluid.Def{Domain: domain, CellSize: .1})
	if err == nil {
		err = liq.Fill(fluid.Below(.5))
	}
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	if err == nil {
		_, err = world.AddRoom(physics.RoomDef{Inside: domain}) // walls for the bodies
	}
	if err != nil {
		panic(err)
	}
	return liq, world
}

// addCrate adds a crate of 30 cm to a world.
func addCrate(world *physics.World, at r3.Vec, density float64) physics.Body {
	crate, err := world.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: at})
	if err == nil {
		_, err = crate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .3, .3)), Density: density})
	}
	if err != nil {
		panic(err)
	}
	return crate
}
