package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Two ponds and one world: the world steps once a frame, whoever is stepped first. A ghost ignores all liquid, a swimmer has drag.
func ExampleLiquid_Couple_severalLiquids() {
	world := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	body := func(def physics.BodyDef) physics.Body {
		b, err := world.AddBody(def)
		if err == nil {
			_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, .15), Density: 400})
		}
		if err != nil {
			panic(err)
		}
		return b
	}
	swimmer := body(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .4, Y: .45, Z: .4}, LiquidDrag: physics.Drag{Skin: .01, Form: .8}})
	ghost := body(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 2.4, Y: .45, Z: .4}, NoLiquid: true})
	var ponds []*fluid.Liquid
	for _, x := range []float64{0, 2} {
		l, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: x}, Max: r3.Vec{X: x + .8, Y: .8, Z: .8}}, CellSize: .1})
		if err != nil {
			panic(err)
		}
		defer l.Close()
		if err := l.Fill(fluid.Below(.4)); err != nil {
			panic(err)
		}
		l.Couple(world.Coupling())
		ponds = append(ponds, l)
	}
	for range 60 {
		for _, l := range ponds {
			l.Step(1. / 60)
		}
	}
	fmt.Printf("The swimmer is up at %.1f m, the ghost fell %.1f m.\n", swimmer.Position().Y, .45-ghost.Position().Y)
	// Output: The swimmer is up at 0.4 m, the ghost fell 4.9 m.
}
