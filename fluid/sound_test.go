package fluid_test

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// cork is a light ball over the tub.
func cork(x, y, z float64) testrig.Ball {
	return testrig.Ball{Kind: engine.Dynamic, X: r3.Vec{X: x, Y: y, Z: z}, Radius: .15, Mass: 7, Gravity: r3.Vec{Y: -9.81}}
}
