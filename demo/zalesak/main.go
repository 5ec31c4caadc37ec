// Zalesak turns a slotted ball once around with each of the surface trackers. It prints what volume each keeps, how much lies elsewhere than at the
// beginning, and how long it takes. It needs no screen.
//
//	go run ./demo/zalesak
//	go run ./demo/zalesak -trackers levelset -sizes small -edges
package main

import (
	"os"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/tracked"
	"github.com/meniscus3d/meniscus/fluid/tracktest"
)

func main() { os.Exit(test.Main(os.Args[1:])) }

// test is seen along the axis, from a little aside, so that the slot is seen through.
var test = tracked.Test{
	Name: "zalesak", Run: tracktest.Zalesak,
	Frames: []int{0, 25, 50, 75, 100}, PerSecond: 100, Brief: []int{0, 25, 50, 75, 100},
	Back: r3.Vec{X: .25, Y: .2, Z: 1}, Centre: r3.Vec{X: .5, Y: .5, Z: .5}, Width: .86,
	Cells: 6, Vertices: 1500, Finer: 4,
}
