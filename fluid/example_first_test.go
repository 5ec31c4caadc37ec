package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// A first liquid: a dam of water breaks in a tank, and a game draws its surface.
func ExampleNew() {
	liq, err := fluid.New(fluid.Def{
		Domain:   r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 1}}, // m
		CellSize: .1,                                    // m, of the finest cells
	})
	if err != nil {
		fmt.Println(err) // names each field that is out of its limits
		return
	}
	defer liq.Close()
	dam := r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .8, Y: .7, Z: 2}} // it reaches into the walls that hold it
	if err := liq.Fill(fluid.Box(dam)); err != nil {
		fmt.Println(err)
		return
	}
	var report fluid.Report
	for range 60 {
		report = *liq.Step(1. / 60) // s
	}
	surface := liq.Surface() // valid until the next step
	// of 560 litres cells round off the dam's edge
	fmt.Printf("after %.1f s: %.0f litres, drawn as triangles: %v\n", report.Time, liq.Ledger().FilledL, len(surface.Indices)/3 > 100)
	// Output:
	// after 1.0 s: 559 litres, drawn as triangles: true
}

// What a definition gets wrong is told field by field.
func ExampleDef_Validate() {
	def := fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 1, Z: 1}}, CellSize: -1}
	fmt.Println(def.Validate() != nil)
	def.CellSize = .1
	fmt.Println(def.Validate())
	// Output:
	// true
	// <nil>
}
