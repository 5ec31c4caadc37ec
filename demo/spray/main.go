// Spray is two jets that meet and become a sheet, which grows thinner than the cells outwards, and tears. It tells the litres that are kept and the holes of the
// sheet, with one tracker or with each, contouring with and without thickening, as in Chentanez et al. 2007, Figure 4.
//
//	go run ./demo/spray
//	.ci/with-display go run ./demo/spray -headless -compare
package main

import (
	"os"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/view"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

// demo looks at the sheet from a quarter aside.
var demo = play.Demo[*spray]{
	Name: "spray", Frames: 120, Budget: 16 * time.Millisecond, Cell: .04, Finest: .02, Coarsest: .1, Chased: "where the jets meet", Tracked: true, Thin: true, Liquids: true, White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{Y: 1.1}, Radius: 3.3, Height: .55, Period: 90, Start: .8},
		Chase: view.Chase{Offset: r3.Vec{X: 1.6, Y: .6, Z: 2.6}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: 2.2, Y: 1.6, Z: 2.9}, Target: r3.Vec{Y: 1}},
	},
	New:   func(s play.Settings) (*spray, error) { return newSpray(s.Liquid()) },
	Dress: dress,
	Keys:  []play.Key[*spray]{{Key: window.KeySpace, Name: "Space", What: "shut or open the pipes", Do: (*spray).toggle}},
}
