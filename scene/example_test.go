package scene_test

import (
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/renderer"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene"
)

// A game that has a root, a camera and a renderer puts water into its scene.
func Example() {
	liq, err := fluid.New(fluid.Def{
		Domain:   r3.Box{Min: r3.Vec{X: -4, Y: 0, Z: -3}, Max: r3.Vec{X: 4, Y: 3, Z: 3}}, // m
		CellSize: 0.05,                                                                   // m
		Budget:   fluid.Budget{Step: 6 * time.Millisecond},
	})
	if err != nil {
		panic(err)
	}
	if err := liq.Fill(fluid.Below(1.2)); err != nil {
		panic(err)
	}
	root, cam := core.NewNode(), camera.New(16.0/9)
	root.Add(scene.NewSky(scene.SkyOptions{}))
	water := scene.NewLiquid(liq, scene.LiquidOptions{})
	water.Follow(cam)
	root.Add(water)
	liq.Prewarm()

	// Hand this to app.Run.
	_ = func(rend *renderer.Renderer, dt time.Duration) {
		water.Update(dt)
		if err := water.Draw(rend, root, cam); err != nil {
			panic(err)
		}
	}
}
