// Shape is a complex body of liquid that falls into a pool: a mesh of ../shared/data where there is one, else a rabbit, or any OBJ file.
//
//	go run ./demo/shape
//	.ci/with-display go run ./demo/shape -headless
//	.ci/with-display go run ./demo/shape -headless -mesh FILE -compare
package main

import (
	"os"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/falling"
	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/view"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

// demo looks at the shape from its front.
var demo = play.Demo[*falling.Fall]{
	Name: "shape", Frames: 180, Budget: 16 * time.Millisecond, Cell: .04, Finest: .02, Coarsest: .1, Chased: "where the shape goes under", Tracked: true, Liquids: true, White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{Y: 1.05}, Radius: 3.5, Height: .75, Period: 90, Start: .2},
		Chase: view.Chase{Offset: r3.Vec{X: .4, Y: .9, Z: 3}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: 1, Y: 1.7, Z: 4}, Target: r3.Vec{Y: .9}},
	},
	Flags: func(set *option.Set) {
		source.Flag(set, "an OBJ file with a mesh that falls (default "+usual+" if it is there, else a rabbit)")
	},
	New:   source.New,
	Dress: dress,
	Keys:  []play.Key[*falling.Fall]{{Key: window.KeySpace, Name: "Space", What: "one more", Do: (*falling.Fall).Another}},
}
