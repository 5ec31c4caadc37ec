// Angel is an angel of water, or any closed mesh, that falls into a pool (Chentanez et al. 2007, Figure 6).
//
//	go run ./demo/angel
//	.ci/with-display go run ./demo/angel -headless
package main

import (
	"os"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/falling"
	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/view"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

// demo looks at the angel from its front.
var demo = play.Demo[*falling.Fall]{
	Name: "angel", Frames: 150, Budget: 16 * time.Millisecond, Cell: scenes.Angel.Cell, Finest: .02, Coarsest: .1, Sky: "hall", Chased: "where the angel goes under",
	Tracked: true, Thin: true, Liquids: true, White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{Y: 1.3}, Radius: 3.9, Height: .9, Period: 90, Start: .15},
		Chase: view.Chase{Offset: r3.Vec{X: .5, Y: 1.1, Z: 3}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: .9, Y: 2.15, Z: 3.8}, Target: r3.Vec{Y: 1.3}},
	},
	Flags: func(set *option.Set) {
		source.Flag(set, "an OBJ file with a closed mesh that falls in place of the angel")
	},
	New:   source.New,
	Dress: dress,
	Keys:  []play.Key[*falling.Fall]{{Key: window.KeySpace, Name: "Space", What: "one more", Do: (*falling.Fall).Another}},
}
