// Enright pulls a ball to a thin sheet and back with each of the surface trackers, and shows it at the frames of Brochu 2006, Figure 6.4. It prints what
// volume each keeps, how much lies elsewhere than at the beginning, and how long it takes. It needs no screen.
//
//	go run ./demo/enright
//	go run ./demo/enright -trackers levelset -sizes small -edges
package main

import (
	"os"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/tracked"
	"github.com/meniscus3d/meniscus/fluid/tracktest"
)

func main() { os.Exit(test.Main(os.Args[1:])) }

// test is seen so that the sheet spreads across the picture.
var test = tracked.Test{
	Name: "enright", Run: tracktest.Enright,
	// Source: Brochu 2006, Figure 6.4: 150 frames for the 3 s.
	Frames: []int{0, 25, 35, 50, 60, 75, 95, 100, 105, 115, 125, 150}, PerSecond: 50, Brief: []int{0, 25, 35, 50, 60, 75, 95, 150},
	Back: r3.Vec{X: -.5, Y: .5, Z: 1}, Centre: r3.Vec{X: .445, Y: .5, Z: .47}, Width: .9,
	Cells: 6, Vertices: 300, Finer: 8,
}
