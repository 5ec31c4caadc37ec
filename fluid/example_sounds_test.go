package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/sounds"
)

// A dam breaks. What one hears of it is what the game's audio engine is told: here where and how strongly it first splashes.
func ExampleEvents_sounds() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 2, Y: 1.2, Z: .6}}, CellSize: .1, Sounds: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Box(r3.Box{Max: r3.Vec{X: .6, Y: .8, Z: .6}})); err != nil {
		fmt.Println(err)
		return
	}
	for n := range 60 {
		liq.Step(1. / 60)
		for _, s := range liq.Events().Sounds {
			if s.Kind == sounds.Splash && s.Power > 100 {
				fmt.Printf("after %.1f s a splash at x = %.1f m with more than 100 W\n", float64(n)/60, s.Position.X)
				return
			}
		}
	}
	// Output:
	// after 0.5 s a splash at x = 1.9 m with more than 100 W
}
