package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// An emitter fills a basin for a second while a sink empties it. The ledger accounts for every litre.
func ExampleLiquid_AddEmitter() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(.3)); err != nil {
		fmt.Println(err)
		return
	}
	tap, err := liq.AddEmitter(fluid.EmitterDef{
		Shape:    fluid.Cylinder(r3.Vec{X: .5, Y: .8, Z: .5}, r3.Vec{X: .5, Y: .9, Z: .5}, .1),
		Velocity: r3.Vec{Y: -1}, // m/s
		Rate:     20,            // litres/s
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := liq.AddSink(fluid.Box(r3.Box{Max: r3.Vec{X: 1, Y: .1, Z: .2}}), 5); err != nil { // litres/s
		fmt.Println(err)
		return
	}
	for n := range 90 {
		if n == 60 {
			if err := liq.StopEmitter(tap); err != nil {
				fmt.Println(err)
			}
		}
		liq.Step(1. / 60)
	}
	l := liq.Ledger()
	fmt.Printf("filled %.0f, emitted %.0f, drained %.1f litres\n", l.FilledL, l.EmittedL, l.DrainedL)
	// Output:
	// filled 300, emitted 20, drained 7.5 litres
}
