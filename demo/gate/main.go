// Gate breaks a dam: a ball on a rope knocks away the strut of a gate on a hinge, and the flood pours
// through and turns a water wheel, whose power it tells.
//
//	go run ./demo/gate
//	xvfb-run -a -s "-screen 0 1280x720x24" go run ./demo/gate -headless
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

// demo looks at the channel from the side.
var demo = play.Demo[*flood]{
	Name: "gate", Frames: 420, Budget: 14 * time.Millisecond, Cell: 0.05, Finest: 0.02, Coarsest: 0.1, Chased: "the ball, then the wheel", White: true,
	Views: play.Views{
		Orbit: view.Orbit{Centre: r3.Vec{X: 0.6, Y: 0.75}, Radius: 4.7, Height: 1.15, Period: 90, Start: -0.25},
		Chase: view.Chase{Offset: r3.Vec{X: 0.8, Y: 0.6, Z: 2.6}, Lag: 0.5},
		Fixed: view.Pose{Eye: r3.Vec{X: 1.8, Y: 1.9, Z: 4.6}, Target: r3.Vec{X: 0.7, Y: 0.7}},
	},
	New:   func(s play.Settings) (*flood, error) { return newFlood(s.Liquid()) },
	Dress: dress,
	Traced: play.Traced[*flood]{
		View:   view.Pose{Eye: r3.Vec{X: 2.2, Y: 1.55, Z: 4.2}, Target: r3.Vec{X: .55, Y: .62}},
		Frames: 170, Dress: trace,
	},
	Keys: []play.Key[*flood]{
		{Key: window.KeySpace, Name: "Space", What: "let go", Do: (*flood).letGo},
		{Key: window.KeyE, Name: "E", What: "river", Do: (*flood).toggleRiver},
	},
}
