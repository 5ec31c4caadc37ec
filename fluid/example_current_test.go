package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// A river half a metre deep flows through a room from side to side.
func ExampleLiquid_SetCurrent() {
	room := r3.Box{Max: r3.Vec{X: 3.2, Y: 1, Z: .8}} // m
	liq, err := fluid.New(fluid.Def{Domain: room, CellSize: .1, Sides: fluid.Sides{MinX: fluid.Flow, MaxX: fluid.Flow}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	const speed = .5 // m/s
	must(liq.Fill(fluid.Below(.5)))
	must(liq.SetVelocity(fluid.Box(room), func(r3.Vec) r3.Vec { return r3.Vec{X: speed} })) // else it starts at rest, with a wave
	must(liq.SetCurrent(fluid.MinX, fluid.Current{Velocity: speed, Level: .5}))
	must(liq.SetCurrent(fluid.MaxX, fluid.Current{Velocity: -speed}))
	for range 60 {
		liq.Step(1. / 60)
	}
	var at [1]fluid.Sample
	liq.Sample(at[:], []r3.Vec{{X: 1.6, Y: .25, Z: .4}})
	fmt.Printf("%.0f litres came in; %.1f m deep in the middle, %.1f m/s\n", liq.Ledger().EmittedL, .25+at[0].Height, at[0].Velocity.X)
	// Output:
	// 200 litres came in; 0.5 m deep in the middle, 0.5 m/s
}
