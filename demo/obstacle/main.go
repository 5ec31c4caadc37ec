// Obstacle is a dam that breaks, whose flood meets a hemisphere and runs over it (the Dam of Chentanez et al. 2007, Table 1).
//
//	go run ./demo/obstacle
//	.ci/with-display go run ./demo/obstacle -headless
package main

import (
	"os"
	"time"

	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/view"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

// demo looks at the basin from a long side of it.
var demo = play.Demo[*flood]{
	Name: "obstacle", Frames: 240, Budget: 16 * time.Millisecond, Cell: scenes.Obstacle.Cell, Finest: .02, Coarsest: .1, Chased: "the flood's front", Camera: "fixed",
	Tracked: true, Thin: true, Liquids: true, White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{X: 1.6, Y: .5, Z: .6}, Radius: 3.6, Height: 1.2, Period: 90, Start: .3},
		Chase: view.Chase{Offset: r3.Vec{X: .9, Y: 1, Z: 2.2}, Lag: .3},
		Fixed: view.Pose{Eye: r3.Vec{X: 2.6, Y: 1.5, Z: 3.85}, Target: r3.Vec{X: 1.72, Y: .6, Z: .6}},
	},
	New:   func(s play.Settings) (*flood, error) { return newFlood(s.Liquid()) },
	Dress: dress,
	Keys:  []play.Key[*flood]{{Key: window.KeySpace, Name: "Space", What: "one more", Do: (*flood).another}},
}
