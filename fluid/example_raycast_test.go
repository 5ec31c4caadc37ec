package fluid_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Rain: where do these drops meet the water, and which way does it face there?
func ExampleLiquid_RayCast() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .05})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(.4)); err != nil {
		fmt.Println(err)
		return
	}
	down := r3.Vec{Y: -1}
	rays := []fluid.Ray{
		{From: r3.Vec{X: .3, Y: 2, Z: .5}, Dir: down},
		{From: r3.Vec{X: .7, Y: 2, Z: .5}, Dir: down, Max: 1.5}, // m
	}
	hits := make([]fluid.RayHit, len(rays)) // keep it from frame to frame
	if err := liq.RayCast(hits, rays); err != nil {
		fmt.Println(err)
		return
	}
	for i, h := range hits {
		fmt.Printf("ray %d: hit %v, %.2f m away, at y = %.2f m, normal %.1f\n", i, h.Hit, h.Distance, h.Point.Y, h.Normal.Y)
	}
	// Output:
	// ray 0: hit true, 1.60 m away, at y = 0.40 m, normal 1.0
	// ray 1: hit false, 0.00 m away, at y = 0.00 m, normal 0.0
}
