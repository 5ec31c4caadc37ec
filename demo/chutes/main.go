// Chutes is two chutes that pour into a glass tank, past each other, until it is full (Chentanez et al. 2007, Figure 1).
//
//	go run ./demo/chutes
//	.ci/with-display go run ./demo/chutes -headless
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

// demo looks at the tank from a long side of it.
var demo = play.Demo[*pour]{
	Name: "chutes", Frames: 360, Budget: 16 * time.Millisecond, Cell: scenes.Chutes.Cell, Finest: .015, Coarsest: .1, Chased: "the level in the tank",
	Tracked: true, Thin: true, Liquids: true, White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{Y: .7}, Radius: 3.2, Height: .5, Period: 90, Start: -.4},
		Chase: view.Chase{Offset: r3.Vec{X: .9, Y: .6, Z: 2}, Lag: .5},
		Fixed: view.Pose{Eye: r3.Vec{X: .8, Y: 1.35, Z: 3.2}, Target: r3.Vec{Y: .72}},
	},
	New:   func(s play.Settings) (*pour, error) { return newPour(s.Liquid()) },
	Dress: dress,
	Keys:  []play.Key[*pour]{{Key: window.KeySpace, Name: "Space", What: "stop or start the streams", Do: (*pour).toggle}},
}
