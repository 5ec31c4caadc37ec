package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// A jar of honey, in a quality that a menu chooses; a spell turns it into water.
func ExampleDef_With() {
	def := fluid.Def{Domain: r3.Box{Max: r3.Vec{X: .4, Y: .3, Z: .2}}}.With(fluid.Honey).At(fluid.LowQuality)
	liq, err := fluid.New(def)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(.1)); err != nil {
		fmt.Println(err)
		return
	}
	liq.Step(1. / 60)
	if err := liq.SetMaterial(fluid.Water); err != nil {
		fmt.Println(err)
		return
	}
	liq.Step(1. / 60)
	fmt.Printf("cells of %.1f mm, %.0f kg/m³\n", 1000*def.CellSize, liq.Def().Physics.Density)
	// Output:
	// cells of 6.1 mm, 998 kg/m³
}
